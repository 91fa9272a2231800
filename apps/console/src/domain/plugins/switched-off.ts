import type { PluginEntry } from '@cordon/contract';
import type { PluginDefinition } from '@cordon/plugin-kit';
import { parseConfig } from '../model/parse-config';
import { withoutEmptyRows } from './empty-rows';
import type { PluginConfig } from './plugin-fields';

/** The configuration without the entries of its lists that are wrong. */
function withoutWrongEntries(config: PluginConfig, paths: readonly (readonly PropertyKey[])[]): PluginConfig {
  const wrong = new Map<string, Set<number>>();
  for (const [list, index] of paths)
    if (typeof list === 'string' && typeof index === 'number')
      wrong.set(list, (wrong.get(list) ?? new Set()).add(index));
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [
      key,
      Array.isArray(value) ? value.filter((_, index) => !wrong.get(key)?.has(index)) : value,
    ]),
  );
}

/**
 * What is saved of a plugin that is off and not right: nothing of what is wrong matters then, so it is what is left without the wrong
 * entries of its lists, else the saved configuration, and no entry where there is none. Undefined where what is typed decides: it is on or right.
 */
export function switchedOff(
  definition: PluginDefinition,
  entry: PluginEntry,
  saved: PluginEntry | undefined,
): readonly PluginEntry[] | undefined {
  if (entry.enabled) return undefined;
  const config = withoutEmptyRows(entry.config);
  const { error } = parseConfig(definition, config);
  if (!error) return undefined;
  const rest = parseConfig(
    definition,
    withoutWrongEntries(
      config,
      error.issues.map(({ path }) => path),
    ),
  );
  if (rest.success) return [{ ...entry, config: rest.data as PluginConfig }];
  if (!saved) return [];
  return parseConfig(definition, saved.config).success ? [{ ...saved, enabled: false }] : undefined;
}
