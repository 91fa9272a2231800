import { formatRange, parseAddress } from '@cordon/contract';
import { sentPathOf } from '@cordon/contract/sent-path';
import { clientNetworkOf } from '@cordon/plugin-kit/client-network';
import type { AnyEdgeHandler, Verdict } from '@cordon/plugin-kit/edge';
import { edgeKit } from '@cordon/plugin-kit/edge-kit';
import {
  type EdgePlugins,
  pipelineStart,
  preparePlugins,
  restartPipeline,
  runPipeline,
} from '@cordon/plugin-kit/pipeline';
import { createPlainContext, type PlainState } from '@cordon/plugin-kit/plain-context';
import { type RecordedTools, recordedContext, type UnknownRule } from '@cordon/plugin-kit/recorded';
import { recorded } from '@cordon/plugins/recorded';
import type { AsnLookup } from '../../platform/address-database.ts';
import type { RecordedRequest } from '../traffic/service.ts';
import { createTimedCounters } from './timed-counters.ts';

/** A verdict that says something, and whose it is. */
export type Judged = Exclude<Verdict, undefined | { readonly kind: 'permit' }> & { readonly plugin: string };

/** A rule of a plugin that was passed over, since the log lacks what would tell whether it holds. */
export type PassedOver = UnknownRule & { readonly plugin: string };

export interface Judgment {
  /** Of several verdicts, the one that ends the pipeline. */
  readonly said: Judged | undefined;
  /** Rules that would have come before it. */
  readonly unknown: readonly PassedOver[];
}

/** What plugins say of a recorded request. To be asked in the order of their time. */
export type ReplayJudge = (request: RecordedRequest) => Judgment;

export type FeedsOf = (address: string) => PlainState['feeds'];

const headersOf = ({ host, user_agent, referer }: RecordedRequest) =>
  [
    { name: 'Host', value: host },
    { name: 'User-Agent', value: user_agent },
    { name: 'Referer', value: referer },
  ].filter(({ value }) => value !== '');

const NOTHING: Judgment = { said: undefined, unknown: [] };

/** The handlers, of plugins that have one with that for recorded requests. */
function forRecorded(
  handlers: EdgePlugins,
  knowsNetworks: boolean,
  leaveUnknown: (rule: PassedOver) => void,
): EdgePlugins {
  const all = Object.entries(handlers).map(([plugin, entry]) => {
    const make = recorded[plugin];
    if (entry === undefined || make === undefined) return [plugin, entry];
    const tools: RecordedTools = { knowsNetworks, leaveUnknown: (rule) => leaveUnknown({ ...rule, plugin }) };
    return [plugin, { ...entry, handler: make(tools) as AnyEdgeHandler }];
  });
  return Object.fromEntries(all) as EdgePlugins;
}

/**
 * @param asnOf Undefined: the autonomous systems of addresses are not known.
 * @param feedsOf Entries of feeds that hold an address.
 */
export function createReplayJudge(
  plugins: Parameters<typeof preparePlugins>[0],
  handlers: EdgePlugins,
  asnOf: AsnLookup | undefined,
  feedsOf: FeedsOf,
): ReplayJudge {
  let unknown: PassedOver[] = [];
  const ours = forRecorded(handlers, asnOf !== undefined, (rule) => unknown.push(rule));
  const { deciders } = preparePlugins(plugins, ours, edgeKit, () => {});
  const position = pipelineStart();
  const counters = createTimedCounters();
  const banned = new Map<string, { readonly until: number; readonly judged: Judged }>();

  /** As the edge, which keeps a client out that a plugin banned, whatever it asks for. */
  return (request) => {
    const clientAddress = parseAddress(request.client_address);
    if (!clientAddress) return NOTHING;
    const now = request.at / 1000;
    const client = formatRange(clientNetworkOf(clientAddress));
    const ban = banned.get(client);
    if (ban && ban.until > now) return { said: ban.judged, unknown: [] };
    unknown = [];
    counters.setNow(now);
    const plain = createPlainContext(
      {
        method: request.method,
        scheme: request.scheme === 'http' ? 'http' : 'https',
        host: request.host,
        // Of one that is withheld, what nginx read.
        path: sentPathOf(request) ?? request.path.replaceAll('%', '%25'),
        query: request.query,
        headers: headersOf(request),
        clientAddress,
        country: request.country,
        asn: asnOf?.(request.client_address) ?? 0,
        crawler: '',
        now,
      },
      { feeds: feedsOf(request.client_address), counters },
    );
    const context = recordedContext(plain);
    let said: Judged | undefined;
    restartPipeline(position);
    const end = runPipeline(deciders, context, position, ({ name }, verdict) => {
      if (verdict.kind !== 'permit') said = { ...verdict, plugin: name };
    });
    if (end === undefined) return { said, unknown };
    const judged = { ...end.verdict, plugin: end.plugin.name };
    if (judged.kind === 'block' && judged.banSeconds !== undefined) {
      banned.set(client, { until: now + judged.banSeconds, judged });
      context.forgetCounts();
    }
    return { said: judged, unknown };
  };
}
