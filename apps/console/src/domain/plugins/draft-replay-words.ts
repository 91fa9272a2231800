import type { DraftReplay } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { useFormat } from '../../ui/format';
import { challengeKind } from '../words/challenge-kind';
import { LARGE_SHARE } from './large-share';
import { useMissingWords } from './use-missing-words';

/** What visitors who are newly stopped by no block are asked for. */
export function stopKindOf(changes: DraftReplay['changes'] = []) {
  const kinds = new Set(changes.flatMap(({ after, plugin }) => (after === 'challenge' ? challengeKind(plugin) : [])));
  return kinds.has('wait') ? (kinds.has('challenge') ? 'both' : 'wait') : 'challenge';
}

const isLargePart = (part: number, { requests }: DraftReplay): boolean =>
  requests > 0 && part / requests >= LARGE_SHARE;

/** Whether a draft stops so many visitors who get in now that the domain may be closed by mistake. */
export const stopsMany = (replayed: DraftReplay): boolean =>
  isLargePart(replayed.newly_blocked + replayed.newly_challenged, replayed);

/** Whether it may do so by rules that could not be checked for so many. */
export const mayStopMany = (replayed: DraftReplay): boolean =>
  isLargePart(replayed.unknown, replayed) &&
  replayed.unknown_rules.some(({ verdict }) => verdict !== 'allow' && verdict !== 'log');

/** A replay of a draft in words: its counts; that it stops many visitors, and that rules could not be checked, where it is so. */
export function useDraftReplayWords(): (replayed: DraftReplay) => {
  readonly counts: string;
  readonly large: string | undefined;
  readonly unchecked: string | undefined;
} {
  const t = useTranslations('domain.deploy.replay');
  const tReplay = useTranslations('domain.plugin.replay');
  const format = useFormat();
  const missingOf = useMissingWords();
  return (replayed) => {
    const { requests, unknown, newly_blocked: blocked, newly_challenged: challenged, changes } = replayed;
    const { newly_passed: passed, unknown_rules: rules } = replayed;
    const complete = String(replayed.is_complete);
    const [stopped, kind] = [blocked + challenged, stopKindOf(changes)];
    const ofLarge = challenged === 0 ? 'block' : blocked === 0 ? kind : 'any';
    const share = format.percent(stopped / requests, 0);
    const counted = { complete, requests, stopped, blocked, challenged, kind, passed, unknown };
    return {
      counts: t('counts', { ...counted, others: requests - unknown }),
      large: stopsMany(replayed) ? t('large', { kind: ofLarge, complete, count: stopped, requests, share }) : undefined,
      unchecked: rules.length > 0 ? tReplay('unknown', { count: rules.length, missing: missingOf(rules) }) : undefined,
    };
  };
}
