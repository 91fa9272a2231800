import type { Route, TestAttackResult } from '@cordon/contract';
import clsx from 'clsx';
import { CircleHelp, ShieldCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { pluginName, usePluginWords } from '../../../domain/words/plugin-words';
import { ruleName } from '../../../domain/words/rule-name';
import { Link } from '../../../ui/text-link';
import { SAID_BY_RULE, useReasonWords } from '../trace/verdict';

export const isStopped = ({ verdict }: TestAttackResult): boolean =>
  verdict !== 'reached_origin' && verdict !== 'failed';

/** What the attack is, in the words of the console or of the plugin that shows itself with it. */
function useAttackWords({ attack, shown_by, params }: TestAttackResult): string {
  const t = useTranslations('diagnosis.testAttack.attack');
  const tLine = useTranslations('diagnosis.testAttack');
  const words = usePluginWords()?.(shown_by ?? '');
  // Two plugins may show themselves with the same attack.
  if (shown_by !== null)
    return words ? tLine('ofPlugin', { plugin: pluginName(words, shown_by), attack: words(attack, params) }) : '';
  return t(attack as Parameters<typeof t>[0]);
}

/** Who stopped it and why, or that nothing came of it. That it would reach the origin is the sum over the rows. */
function useOutcomeWords({ shown_by, verdict, plugin, reason, rule }: TestAttackResult, name: string): string {
  const t = useTranslations('diagnosis.testAttack');
  const wordsOf = usePluginWords();
  const why = useReasonWords()(plugin ?? '', reason ?? '', name);
  if (verdict === 'failed') return t('outcome.failed');
  if (verdict === 'reached_origin') return t('outcome.reached');
  const words = plugin === null ? undefined : wordsOf?.(plugin);
  const by = plugin === null ? t('edge') : words ? pluginName(words, plugin) : plugin;
  const isSaid = rule !== null && SAID_BY_RULE.has(reason ?? '');
  const what = t(`outcome.${verdict}`, { by });
  if (shown_by !== null && plugin !== shown_by) return t('outcome.not_reached', { by });
  if (plugin === null) return `${what} · ${t('edgeRefuses')}`;
  const parts = [what, isSaid ? '' : why, rule === null ? '' : ruleName(words, rule)];
  return parts.filter((part) => part !== '').join(' · ');
}

const marks = {
  stopped: { Icon: ShieldCheck, className: 'text-success' },
  reached: { Icon: TriangleAlert, className: 'text-warning' },
  failed: { Icon: CircleHelp, className: 'text-muted' },
};

interface AttackLineProps {
  result: TestAttackResult;
  route: Route;
  /** What can be done about it, beside its trace. */
  action?: ReactNode;
}

/** One attack: what was sent, what became of it, and the way to its trace. */
export function AttackLine({ result, route, action }: AttackLineProps) {
  const t = useTranslations('diagnosis.testAttack');
  const what = useAttackWords(result);
  const outcome = useOutcomeWords(result, route.domain_name);
  const { request, verdict, request_id: id } = result;
  const state = isStopped(result) ? 'stopped' : verdict === 'failed' ? 'failed' : 'reached';
  const { Icon, className } = marks[state];
  const sent = [
    `${request.method} ${request.target}`,
    ...request.headers.map((header) => `${header.name}: ${header.value}`),
  ].join(' · ');
  return (
    <li className="flex min-h-10 min-w-0 items-center gap-3 py-1" data-attack={result.attack} data-verdict={verdict}>
      <span className={`shrink-0 ${className}`}>
        <Icon size={18} aria-hidden />
      </span>
      <p className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
        <span className="font-medium wrap-anywhere">{what}</span>
        <span className={clsx('text-sm', state === 'reached' ? 'sr-only' : 'wrap-anywhere', className)}>{outcome}</span>
        {/* Beside them where there is room for all of it. */}
        <code className="font-mono text-xs wrap-anywhere text-muted phone:basis-full">{sent}</code>
      </p>
      <div className="flex shrink-0 items-center gap-3">
        {action}
        {id !== null && (
          <Link
            to="/domain/list"
            // Looks for the request until a node has sent its log.
            search={{ request: id } as never}
            aria-label={t('traceOf', { attack: what })}
            className="reach text-sm font-medium"
          >
            {t('trace')}
          </Link>
        )}
      </div>
    </li>
  );
}
