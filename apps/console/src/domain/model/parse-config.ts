import type { PluginDefinition } from '@cordon/plugin-kit';

type Parsed = ReturnType<PluginDefinition['schema']['safeParse']>;

/** Of configurations that were read, which are never changed in place: card, form and save look at the same thousands of entries. */
const results = new WeakMap<PluginDefinition, WeakMap<object, Parsed>>();

/** Reads a configuration by its plugin's schema, each object once. */
export function parseConfig(definition: PluginDefinition, config: Readonly<Record<string, unknown>>): Parsed {
  let ofPlugin = results.get(definition);
  if (!ofPlugin) {
    ofPlugin = new WeakMap();
    results.set(definition, ofPlugin);
  }
  let parsed = ofPlugin.get(config);
  if (!parsed) {
    parsed = definition.schema.safeParse(config);
    ofPlugin.set(config, parsed);
    // What came out of it is right as it is.
    if (parsed.success && typeof parsed.data === 'object' && parsed.data !== null) ofPlugin.set(parsed.data, parsed);
  }
  return parsed;
}
