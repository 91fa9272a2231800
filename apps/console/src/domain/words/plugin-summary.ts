import type { PluginDefinition } from '@cordon/plugin-kit';
import { parseConfig } from '../model/parse-config';
import type { PluginWords } from './plugin-words';

/** What a configuration does, in one line; undefined for one that is not valid. */
export function pluginSummary(
  words: PluginWords,
  definition: PluginDefinition,
  config: Readonly<Record<string, unknown>>,
): string | undefined {
  const parsed = parseConfig(definition, config);
  if (!parsed.success) return undefined;
  const { message, params } = definition.summary(parsed.data);
  return words(message, params);
}
