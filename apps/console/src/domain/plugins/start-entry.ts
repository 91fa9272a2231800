import type { PluginEntry } from '@cordon/contract';
import type { PluginDefinition } from '@cordon/plugin-kit';
import { firstEntry } from '@cordon/plugin-kit/schema';
import type { PluginWords } from '../words/plugin-words';

/** What setting a plugin up begins with; texts of it that are keys of the plugin's catalog are in the reader's language. */
export function startEntry(definition: PluginDefinition, words: PluginWords): PluginEntry {
  const inWords = (_: string, value: unknown) =>
    typeof value === 'string' && value.startsWith('form.') && words.has(value) ? words(value) : value;
  return JSON.parse(JSON.stringify(firstEntry(definition)), inWords) as PluginEntry;
}
