import type { DraftReplay, ReplayOutcome } from '@cordon/contract';
import type { AsnLookup } from '../../platform/address-database.ts';
import type { Judged, ReplayJudge } from './replay-judge.ts';
import { type ReplayRun, unseenOf } from './replay-run.ts';
import { createReplayTally } from './replay-tally.ts';

const outcomeOf = (judged: Judged | undefined): ReplayOutcome =>
  judged === undefined || judged.kind === 'allow' || judged.kind === 'log' ? 'pass' : judged.kind;

type Change = Omit<DraftReplay['changes'][number], 'requests' | 'samples'>;

/**
 * What is live and a draft, side by side: what neither of them can see in the log is the same for both, so that each difference
 * is the draft's.
 */
export function createDraftReplayRun(
  live: ReplayJudge,
  draft: ReplayJudge,
  asnOf: AsnLookup | undefined,
): ReplayRun<DraftReplay> {
  const changes = createReplayTally<Change>();
  const newly: Record<ReplayOutcome, number> = { block: 0, challenge: 0, redirect: 0, pass: 0 };
  let looked = 0;
  return {
    take(request) {
      const [was, becomes] = [live(request), draft(request)];
      const [before, after] = [outcomeOf(was), outcomeOf(becomes)];
      looked += 1;
      if (before === after) return;
      newly[after] += 1;
      const { plugin = '', reason = '', rule = '' } = (after === 'pass' ? was : becomes) ?? {};
      const before_plugin = before === 'pass' ? '' : (was?.plugin ?? '');
      changes.add({ before, before_plugin, after, plugin, reason, rule }, request);
    },
    result: (isComplete) => ({
      requests: looked,
      is_complete: isComplete,
      newly_blocked: newly.block,
      newly_challenged: newly.challenge,
      newly_passed: newly.pass,
      changes: changes.list(),
      unseen: unseenOf(asnOf),
    }),
  };
}
