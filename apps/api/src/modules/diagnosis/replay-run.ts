import {
  formatRange,
  type PluginEntry,
  parseAddress,
  REPLAY_RULES_MAX,
  REPLAY_SAMPLED_RULES_MAX,
  REPLAY_SAMPLES_MAX,
  type Replay,
  type ReplayVerdict,
} from '@cordon/contract';
import { withoutNulls } from '@cordon/plugin-kit';
import { clientNetworkOf } from '@cordon/plugin-kit/client-network';
import type { RunContext, Verdict } from '@cordon/plugin-kit/edge';
import { edgeKit } from '@cordon/plugin-kit/edge-kit';
import {
  type EdgePlugins,
  type PreparedPlugins,
  pipelineStart,
  preparePlugins,
  restartPipeline,
  runPipeline,
} from '@cordon/plugin-kit/pipeline';
import { createPlainContext } from '@cordon/plugin-kit/plain-context';
import type { AsnLookup } from '../../platform/asn-database.ts';
import type { RecordedRequest } from '../traffic/service.ts';
import { createTimedCounters } from './timed-counters.ts';

type Found = Replay['rules'][number];
type Decided = Exclude<Verdict, undefined | { readonly kind: 'permit' }>;

const PATH_SHOWN_MAX = 300;
/** What the edge logs in place of a secret value (`secret-query.ts` of its runner). */
const REDACTED_VALUE = 'REDACTED';

/** One plugin's handler over recorded requests, in the order of their time. */
export interface ReplayRun {
  take(request: RecordedRequest): void;
  result(isComplete: boolean): Replay;
}

const headersOf = ({ host, user_agent, referer }: RecordedRequest) =>
  [
    { name: 'Host', value: host },
    { name: 'User-Agent', value: user_agent },
    { name: 'Referer', value: referer },
  ].filter(({ value }) => value !== '');

/** @param asnOf Undefined: the autonomous systems of addresses are not known. */
export function createReplayRun(plugin: PluginEntry, handlers: EdgePlugins, asnOf: AsnLookup | undefined): ReplayRun {
  const entries = plugin.enabled ? [{ name: plugin.name, config: withoutNulls(plugin.config) }] : [];
  const { deciders }: PreparedPlugins = preparePlugins(entries, handlers, edgeKit, () => {});
  const position = pipelineStart();
  const counters = createTimedCounters();
  const banned = new Map<string, { readonly until: number; readonly verdict: Decided }>();
  const verdicts = { block: 0, challenge: 0, log: 0, allow: 0, redirect: 0, pass: 0 };
  const rules = new Map<string, Found>();
  const times = { first: 0, last: 0 };
  let looked = 0;
  let newlyBlocked = 0;
  let blockedElsewhere = 0;
  let newlyPassed = 0;

  /** As the edge, which keeps a client out that the plugin banned, whatever it asks for. */
  function decide(request: RecordedRequest): Decided | undefined {
    const clientAddress = parseAddress(request.client_address);
    if (!clientAddress) return undefined;
    const now = request.at / 1000;
    const client = formatRange(clientNetworkOf(clientAddress));
    const ban = banned.get(client);
    if (ban && ban.until > now) return ban.verdict;
    counters.setNow(now);
    const plain = createPlainContext(
      {
        method: request.method,
        scheme: request.scheme === 'http' ? 'http' : 'https',
        host: request.host,
        // The log has it decoded.
        path: request.path.replaceAll('%', '%25'),
        query: request.query,
        headers: headersOf(request),
        clientAddress,
        country: request.country,
        asn: asnOf?.(request.client_address) ?? 0,
        crawler: '',
        now,
      },
      { feeds: {}, counters },
    );
    // The log has no signatures: a link that had one is taken for good, as it was or was refused then.
    const context: RunContext = {
      ...plain,
      isSignedBy: (secret, text, signature) =>
        signature === REDACTED_VALUE || plain.isSignedBy(secret, text, signature),
    };
    let said: Verdict;
    restartPipeline(position);
    const end = runPipeline(deciders, context, position, (_, verdict) => {
      said = verdict;
    });
    const verdict = end?.verdict ?? said;
    if (verdict === undefined || verdict.kind === 'permit') return undefined;
    if (verdict.kind === 'block' && verdict.banSeconds !== undefined) {
      banned.set(client, { until: now + verdict.banSeconds, verdict });
      context.forgetCounts();
    }
    return verdict;
  }

  function note({ kind, rule, reason }: Decided, request: RecordedRequest): void {
    const key = `${reason}\n${rule}`;
    const known = rules.get(key) ?? { rule, reason, verdict: kind as ReplayVerdict, requests: 0, samples: [] };
    const samples =
      known.samples.length < REPLAY_SAMPLES_MAX
        ? [
            ...known.samples,
            {
              request_id: request.request_id,
              method: request.method,
              path: request.path.slice(0, PATH_SHOWN_MAX),
              client_address: request.client_address,
              country: request.country,
            },
          ]
        : known.samples;
    rules.set(key, { ...known, requests: known.requests + 1, samples });
  }

  const timeOf = (milliseconds: number) => (looked === 0 ? null : new Date(milliseconds).toISOString());

  return {
    take(request) {
      const verdict = decide(request);
      if (looked === 0) times.first = request.at;
      times.last = request.at;
      looked += 1;
      verdicts[verdict?.kind ?? 'pass'] += 1;
      if (verdict) note(verdict, request);
      const wasBlocked = request.action === 'block';
      if (verdict?.kind === 'block' && !wasBlocked) newlyBlocked += 1;
      if (verdict?.kind === 'block' && wasBlocked && request.plugin !== plugin.name) blockedElsewhere += 1;
      if (verdict?.kind !== 'block' && wasBlocked && request.plugin === plugin.name) newlyPassed += 1;
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
      rules: [...rules.values()]
        .sort((one, other) => other.requests - one.requests)
        .slice(0, REPLAY_RULES_MAX)
        .map((rule, index) => (index < REPLAY_SAMPLED_RULES_MAX ? rule : { ...rule, samples: [] })),
      unseen: [
        'header_fields',
        'cookies',
        'redacted_arguments',
        'crawlers',
        ...(asnOf ? [] : (['autonomous_systems'] as const)),
        'other_plugins',
      ],
    }),
  };
}
