import type { ConfigChange } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { pluginName, usePluginWords } from '../words/plugin-words';

/** What is changed, by name: the domain's own settings, and the plugins. */
export function useChangedNames() {
  const t = useTranslations('domain.changes');
  const words = usePluginWords();
  return (changes: readonly ConfigChange[]): string[] => {
    const nameOf = ({ plugin, field }: ConfigChange) => {
      if (plugin !== undefined) return words ? pluginName(words(plugin), plugin) : plugin;
      const key = `field.${field}` as 'field.targets';
      return t.has(key) ? t(key) : field;
    };
    return [...new Set(changes.map(nameOf))];
  };
}
