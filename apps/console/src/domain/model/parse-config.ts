import { isSame } from '@cordon/contract/is-same';
import type { PluginDefinition } from '@cordon/plugin-kit';

type Parsed = ReturnType<PluginDefinition['schema']['safeParse']>;

/** Of configurations that were read, which are never changed in place: card, form and save look at the same thousands of entries. */
const results = new WeakMap<PluginDefinition, { known: WeakMap<object, Parsed>; latest: Parsed | undefined }>();

/**
 * Reads a configuration by its plugin's schema, each object once. One that says what the one checked last came to is not
 * checked again: so does what comes back of a save.
 */
export function parseConfig(definition: PluginDefinition, config: Readonly<Record<string, unknown>>): Parsed {
  let ofPlugin = results.get(definition);
  if (!ofPlugin) {
    ofPlugin = { known: new WeakMap(), latest: undefined };
    results.set(definition, ofPlugin);
  }
  const { known, latest } = ofPlugin;
  let parsed = known.get(config);
  if (!parsed) {
    parsed = latest?.success && isSame(latest.data, config) ? latest : definition.schema.safeParse(config);
    // One that is not valid, such as the defaults of a plugin that was never set up, is drawn in between.
    if (parsed.success) ofPlugin.latest = parsed;
    known.set(config, parsed);
    // What came out of it is right as it is.
    if (parsed.success && typeof parsed.data === 'object' && parsed.data !== null) known.set(parsed.data, parsed);
  }
  return parsed;
}
