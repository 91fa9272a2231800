import type { DraftReplay, ReplayOutcome } from '@cordon/contract';
import type { AsnLookup } from '../../platform/address-database.ts';
import type { Judgment, PassedOver, ReplayJudge } from './replay-judge.ts';
import { type ReplayRun, unseenOf } from './replay-run.ts';
import { createReplayTally, createUnknownTally } from './replay-tally.ts';

const outcomeOf = (kind: PassedOver['verdict'] | 'pass'): ReplayOutcome =>
  kind === 'allow' || kind === 'log' ? 'pass' : kind;

/**
 * The rules that were passed over, by what is live or by the draft, and may make a difference between the two. One that both have
 * makes none where they decide alike without it.
 */
function decisive(was: Judgment, becomes: Judgment, before: ReplayOutcome, after: ReplayOutcome): PassedOver[] {
  const isIn = ({ unknown }: Judgment, rule: PassedOver) => unknown.some(({ id }) => id === rule.id);
  const draftOnly = becomes.unknown.filter((rule) => !isIn(was, rule));
  const liveOnly = was.unknown.filter((rule) => !isIn(becomes, rule));
  const both = before === after ? [] : becomes.unknown.filter((rule) => isIn(was, rule));
  return [...draftOnly, ...liveOnly, ...both].filter(({ verdict }) => {
    const outcome = outcomeOf(verdict);
    return verdict !== 'log' && (outcome !== before || outcome !== after);
  });
}

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
  const unknownRules = createUnknownTally();
  const changes = createReplayTally<Change>();
  const newly: Record<ReplayOutcome, number> = { block: 0, challenge: 0, redirect: 0, pass: 0 };
  let looked = 0;
  let unknown = 0;
  return {
    take(request) {
      const [was, becomes] = [live(request), draft(request)];
      const [before, after] = [outcomeOf(was.said?.kind ?? 'pass'), outcomeOf(becomes.said?.kind ?? 'pass')];
      looked += 1;
      const open = decisive(was, becomes, before, after);
      if (open.length > 0) {
        unknown += 1;
        for (const rule of open) unknownRules.add(rule);
        return;
      }
      if (before === after) return;
      newly[after] += 1;
      const { plugin = '', reason = '', rule = '' } = (after === 'pass' ? was : becomes).said ?? {};
      const before_plugin = before === 'pass' ? '' : (was.said?.plugin ?? '');
      changes.add({ before, before_plugin, after, plugin, reason, rule }, request);
    },
    result: (isComplete) => ({
      requests: looked,
      is_complete: isComplete,
      newly_blocked: newly.block,
      newly_challenged: newly.challenge,
      newly_passed: newly.pass,
      unknown,
      unknown_rules: unknownRules.list(),
      changes: changes.list(),
      unseen: unseenOf(asnOf),
    }),
  };
}
