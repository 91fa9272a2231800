import { formatRange, type PluginEntry, parseAddress, type Replay, type ReplayVerdict } from '@cordon/contract';
import { withoutNulls } from '@cordon/plugin-kit';
import { clientNetworkOf } from '@cordon/plugin-kit/client-network';
import { BANS_FEED } from '@cordon/plugin-kit/feeds';
import type { EdgePlugins } from '@cordon/plugin-kit/pipeline';
import type { AsnLookup } from '../../platform/address-database.ts';
import type { RecordedRequest } from '../traffic/service.ts';
import { createReplayJudge, type FeedsOf, type Judgment } from './replay-judge.ts';
import { createReplayTally, createUnknownTally } from './replay-tally.ts';

/** Something run over recorded requests, in the order of their time. */
export interface ReplayRun<Result> {
  take(request: RecordedRequest): void;
  result(isComplete: boolean): Result;
}

/**
 * What no log has, and bans: those of now may come from the very rules that are compared, and say nothing of the time of a
 * request.
 */
export const unseenOf = (asnOf: AsnLookup | undefined): Replay['unseen'] => [
  'header_fields',
  'cookies',
  'redacted_arguments',
  'crawlers',
  'bans',
  ...(asnOf ? [] : (['autonomous_systems'] as const)),
];

/** Whether a passed over rule would have made the answer another one. A word in the log changes none. */
const isOpen = ({ said, unknown }: Judgment): boolean =>
  unknown.some(({ verdict }) => (verdict === 'log' ? said === undefined : verdict !== said?.kind));

/**
 * Whether a recorded request was blocked by a plugin, or by a ban that it had given the client before. To be asked in the order of
 * their time.
 */
function blockedBefore(plugin: string, handlers: EdgePlugins): (request: RecordedRequest) => boolean {
  const clients = new Set<string>();
  return ({ action, plugin: by, client_address: text }) => {
    const address = action === 'block' ? parseAddress(text) : undefined;
    if (!address) return false;
    const client = formatRange(clientNetworkOf(address));
    if (by === plugin) clients.add(client);
    return by === plugin || (handlers[by]?.feeds?.includes(BANS_FEED) === true && clients.has(client));
  };
}

/**
 * One plugin's handler over them.
 * @param asnOf Undefined: the autonomous systems of addresses are not known.
 */
export function createReplayRun(
  plugin: PluginEntry,
  handlers: EdgePlugins,
  asnOf: AsnLookup | undefined,
  feedsOf: FeedsOf,
): ReplayRun<Replay> {
  const entries = plugin.enabled ? [{ name: plugin.name, config: withoutNulls(plugin.config) }] : [];
  const judge = createReplayJudge(entries, handlers, asnOf, feedsOf);
  const wasBlockedHere = blockedBefore(plugin.name, handlers);
  const verdicts = { block: 0, challenge: 0, log: 0, allow: 0, redirect: 0, pass: 0, unknown: 0 };
  const rules = createReplayTally<Pick<Replay['rules'][number], 'rule' | 'reason' | 'verdict'>>();
  const unknownRules = createUnknownTally();
  const times = { first: 0, last: 0 };
  let looked = 0;
  let newlyBlocked = 0;
  let blockedElsewhere = 0;
  let newlyPassed = 0;
  const timeOf = (milliseconds: number) => (looked === 0 ? null : new Date(milliseconds).toISOString());

  return {
    take(request) {
      const judgment = judge(request);
      const judged = judgment.said;
      if (looked === 0) times.first = request.at;
      times.last = request.at;
      looked += 1;
      for (const rule of judgment.unknown) unknownRules.add(rule);
      if (judged)
        rules.add({ rule: judged.rule, reason: judged.reason, verdict: judged.kind as ReplayVerdict }, request);
      const wasBlocked = request.action === 'block';
      const isOurs = wasBlockedHere(request);
      if (isOpen(judgment)) {
        verdicts.unknown += 1;
        return;
      }
      verdicts[judged?.kind ?? 'pass'] += 1;
      if (judged?.kind === 'block' && !wasBlocked) newlyBlocked += 1;
      if (judged?.kind === 'block' && wasBlocked && !isOurs) blockedElsewhere += 1;
      const isStopped = judged?.kind === 'block' || judged?.kind === 'challenge';
      if (!isStopped && isOurs) newlyPassed += 1;
    },
    result: (isComplete) => ({
      plugin: plugin.name,
      requests: looked,
      is_complete: isComplete,
      from: timeOf(times.first),
      to: timeOf(times.last),
      verdicts,
      newly_blocked: newlyBlocked,
      blocked_elsewhere: blockedElsewhere,
      newly_passed: newlyPassed,
      rules: rules.list(),
      unknown_rules: unknownRules.list().map(({ plugin: _, ...rule }) => rule),
      unseen: [...unseenOf(asnOf), 'other_plugins'],
    }),
  };
}
