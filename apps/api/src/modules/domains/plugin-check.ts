import {
  type AnyFieldErrorCode,
  type DeploymentFeature,
  fieldErrorsOf,
  meantIssues,
  type PluginEntry,
  type PluginErrorCode,
} from '@cordon/contract';
import { exclude, type PluginDefinition } from '@cordon/plugin-kit';

/** What is wrong with a request, by field. */
export interface FoundFaults {
  readonly fields: Record<string, AnyFieldErrorCode>;
  readonly params: Record<string, Record<string, string | number>>;
}

/**
 * A plugin's entry with all defaults written out, by the plugin's own schema; with faults, which go to `found` below
 * `<place>.config`, it stays as it is.
 */
export function checkPluginEntry(
  definition: PluginDefinition,
  entry: PluginEntry,
  place: string,
  found: FoundFaults,
): PluginEntry {
  const parsed = definition.schema.safeParse(entry.config);
  if (parsed.success) return { ...entry, config: parsed.data as Record<string, unknown> };
  const errors = fieldErrorsOf({ issues: meantIssues(parsed.error.issues) });
  for (const [path, code] of Object.entries(errors.fields)) {
    const full = path === 'body' ? `${place}.config` : `${place}.config.${path}`;
    found.fields[full] ??= code;
    if (errors.params[path]) found.params[full] = errors.params[path];
  }
  return entry;
}

/** Has `found` say what of a checked configuration this deployment does not offer. */
export function checkNeeds(
  definition: PluginDefinition,
  config: unknown,
  features: readonly DeploymentFeature[],
  place: string,
  found: FoundFaults,
): void {
  for (const { path, feature, code } of definition.needs?.(config) ?? []) {
    if (!features.includes(feature)) found.fields[`${place}.config.${path}`] ??= code as PluginErrorCode;
  }
}

/**
 * Has `found` say of plugins that are on and cannot be together (spec section 5), each once: at the later of two, unless only the
 * other one was sent.
 */
export function checkExclusions(
  enabled: readonly PluginDefinition[],
  wasSent: (plugin: string) => boolean,
  placeOf: (plugin: string) => string,
  found: FoundFaults,
): void {
  for (const [index, one] of enabled.entries()) {
    const other = enabled.slice(0, index).find((candidate) => exclude(candidate, one));
    if (!other) continue;
    const { name } = wasSent(one.name) || !wasSent(other.name) ? one : other;
    found.fields[`${placeOf(name)}.enabled`] ??= 'PLUGIN_EXCLUDED';
  }
}
