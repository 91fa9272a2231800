import { useTranslations } from 'use-intl';
import { type PluginWords, pluginName, usePluginWords } from '../../domain/words/plugin-words';
import type { Ban } from './queries';

/** Why a client is banned: the plugin's reason in its own words, or the note of the user who banned it. */
export function useBanWords() {
  const t = useTranslations('bans.why');
  const wordsOf = usePluginWords();
  const reasonOf = (words: PluginWords | undefined, reason: string) =>
    words?.has(`reasons.${reason}`) ? words(`reasons.${reason}`) : reason;
  return (ban: Ban): { why: string; who: string } => {
    if (ban.plugin === null) return { why: ban.note || t('byHand'), who: '' };
    const words = wordsOf?.(ban.plugin);
    return {
      why: reasonOf(words, ban.reason ?? ''),
      who: words ? pluginName(words, ban.plugin) : ban.plugin,
    };
  };
}
