import { BANS_FEED } from '@cordon/plugin-kit/feeds';
import { areaOf, feedsOf } from '@cordon/plugins/areas';
import { useTranslations } from 'use-intl';
import { challengeKind } from '../../../domain/words/challenge-kind';
import { pluginName, usePluginWords } from '../../../domain/words/plugin-words';
import { ruleName } from '../../../domain/words/rule-name';
import { Link } from '../../../ui/text-link';

/** Why a plugin decided, or the edge itself, in a sentence. */
export function useReasonWords() {
  const t = useTranslations('diagnosis.trace');
  const wordsOf = usePluginWords();
  const plain = t as unknown as { (key: string, params: { name: string }): string; has(key: string): boolean };
  return (plugin: string, reason: string, name: string): string => {
    if (reason === '') return '';
    if (plugin === '') return plain.has(`reason.${reason}`) ? plain(`reason.${reason}`, { name }) : reason;
    return wordsOf?.(plugin)(`reasons.${reason}`).replace(/^reasons\./, '') ?? '';
  };
}

/** Reasons that say no more than the verdict and the entry that matched, which is named. */
export const SAID_BY_RULE: ReadonlySet<string> = new Set([
  'rule_matched',
  'rule_challenged',
  'rule_logged',
  'rule_allowed',
  'proof_required',
]);

interface VerdictProps {
  verdict: {
    readonly kind: 'block' | 'challenge' | 'redirect';
    readonly plugin: string;
    readonly reason: string;
    readonly rule: string;
  };
  /** Of the domain. */
  name: string;
  routeId: string;
}

/** Who decided and by what entry, with the way to its form; then why. */
export function Verdict({ verdict: { kind, plugin, reason, rule }, name, routeId }: VerdictProps) {
  const t = useTranslations('diagnosis.trace');
  const wordsOf = usePluginWords();
  const why = useReasonWords()(plugin, reason, name);
  const words = plugin === '' ? undefined : wordsOf?.(plugin);
  const by = plugin === '' ? t('verdict.edge') : words ? pluginName(words, plugin) : plugin;
  const isBan = kind === 'block' && feedsOf[plugin]?.includes(BANS_FEED);
  // The entry of a plugin that matched says it: the reason would say it again.
  const isSaid = plugin !== '' && rule !== '' && SAID_BY_RULE.has(reason);
  const what = t(`verdict.${kind === 'challenge' ? challengeKind(plugin) : kind}`, { by });
  return (
    <div className="min-w-0">
      <p className="flex flex-wrap items-baseline gap-x-3">
        {/* The entry of an edge's own refusal is a name of its checks. */}
        <span className="min-w-0">
          {rule === '' || plugin === '' ? what : t('verdict.rule', { what, rule: ruleName(words, rule) })}
        </span>
        {isBan && (
          <Link to="/manage-ip" search={{ domain: routeId, q: rule }} className="reach text-sm font-medium">
            {t('say.ban')}
          </Link>
        )}
        {plugin !== '' && !isBan && (
          <Link
            to="/domain/list/$id"
            params={{ id: routeId }}
            search={{ tab: areaOf[plugin], edit: plugin }}
            className="reach text-sm font-medium"
          >
            {t('verdict.edit')}
          </Link>
        )}
      </p>
      {why !== '' && !isSaid && <p className="text-sm font-normal text-ink">{why}</p>}
    </div>
  );
}
