import type { PluginEntry } from '@cordon/contract';
import type { PluginDefinition } from '@cordon/plugin-kit';
import { parseConfig } from '../model/parse-config';
import { isInEmptyRow, withoutEmptyRows } from './empty-rows';

/**
 * What is saved of a plugin that is off and not filled in: nothing of what is missing matters then, so it is the saved
 * configuration, and no entry where there is none. Undefined where what is typed decides: it is on or right, or a list
 * has an entry to mend, which must not be lost.
 */
export function switchedOff(
  definition: PluginDefinition,
  entry: PluginEntry,
  saved: PluginEntry | undefined,
): readonly PluginEntry[] | undefined {
  if (entry.enabled) return undefined;
  const config = withoutEmptyRows(entry.config);
  const { error } = parseConfig(definition, config);
  if (!error || error.issues.some(({ path }) => path.some(Number.isInteger) && !isInEmptyRow(config, path)))
    return undefined;
  if (!saved) return [];
  return parseConfig(definition, saved.config).success ? [{ ...saved, enabled: false }] : undefined;
}
