import { useTranslations } from 'use-intl';
import { type PluginWords, pluginName, usePluginWords } from '../../domain/words/plugin-words';
import { labelled } from '../../ui/labelled';
import type { Ban } from './queries';

/** Why a client is banned: the plugin and its reason in its own words, or the note of the user who banned it. */
export function useBanWords() {
  const t = useTranslations('bans.why');
  const wordsOf = usePluginWords();
  const reasonOf = (words: PluginWords | undefined, reason: string) =>
    words?.has(`reasons.${reason}`) ? words(`reasons.${reason}`) : reason;
  return (ban: Ban): string => {
    if (ban.plugin === null) return ban.note || t('byHand');
    const words = wordsOf?.(ban.plugin);
    return labelled(words ? pluginName(words, ban.plugin) : ban.plugin, reasonOf(words, ban.reason ?? ''));
  };
}
