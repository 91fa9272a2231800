import { useTranslations } from 'use-intl';
import { pluginName, usePluginWords } from '../words/plugin-words';

/** The names of changed settings (`changedSettings`): the domain's own, and the plugins. */
export function useChangedNames() {
  const t = useTranslations('domain.changes');
  const words = usePluginWords();
  return (settings: readonly string[]): string[] =>
    settings.map((setting) => {
      const [, plugin] = /^plugins\.(.+)/.exec(setting) ?? [];
      if (plugin !== undefined) return words ? pluginName(words(plugin), plugin) : plugin;
      const key = `field.${setting}` as 'field.targets';
      return t.has(key) ? t(key) : setting;
    });
}
