import { useTranslations } from 'use-intl';
import { pluginName, usePluginWords } from '../../domain/words/plugin-words';
import { labelled } from '../../ui/labelled';
import type { Ban } from './queries';

/** Why a client is banned: the plugin and its reason in its own words, or the note of the user who banned it. */
export function useBanWords() {
  const t = useTranslations('bans.why');
  const wordsOf = usePluginWords();
  return ({ plugin, reason, note }: Ban): string => {
    if (plugin === null) return note || t('byHand');
    const words = wordsOf?.(plugin);
    if (!words) return labelled(plugin, reason ?? '');
    return labelled(pluginName(words, plugin), words(`reasons.${reason}`).replace('reasons.', ''));
  };
}
