import { formatRange, parseAddress } from '@cordon/contract';
import { clientNetworkOf } from '@cordon/plugin-kit/client-network';
import type { Verdict } from '@cordon/plugin-kit/edge';
import { edgeKit } from '@cordon/plugin-kit/edge-kit';
import {
  type EdgePlugins,
  pipelineStart,
  preparePlugins,
  restartPipeline,
  runPipeline,
} from '@cordon/plugin-kit/pipeline';
import { createPlainContext, type PlainState } from '@cordon/plugin-kit/plain-context';
import { recordedContext } from '@cordon/plugin-kit/recorded-context';
import type { AsnLookup } from '../../platform/address-database.ts';
import type { RecordedRequest } from '../traffic/service.ts';
import { createTimedCounters } from './timed-counters.ts';

/** A verdict that says something, and whose it is. */
export type Judged = Exclude<Verdict, undefined | { readonly kind: 'permit' }> & { readonly plugin: string };

/** What plugins say of a recorded request; of several, the one that ends the pipeline. To be asked in the order of their time. */
export type ReplayJudge = (request: RecordedRequest) => Judged | undefined;

export type FeedsOf = (address: string) => PlainState['feeds'];

const headersOf = ({ host, user_agent, referer }: RecordedRequest) =>
  [
    { name: 'Host', value: host },
    { name: 'User-Agent', value: user_agent },
    { name: 'Referer', value: referer },
  ].filter(({ value }) => value !== '');

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
  const { deciders } = preparePlugins(plugins, handlers, edgeKit, () => {});
  const position = pipelineStart();
  const counters = createTimedCounters();
  const banned = new Map<string, { readonly until: number; readonly judged: Judged }>();

  /** As the edge, which keeps a client out that a plugin banned, whatever it asks for. */
  return (request) => {
    const clientAddress = parseAddress(request.client_address);
    if (!clientAddress) return undefined;
    const now = request.at / 1000;
    const client = formatRange(clientNetworkOf(clientAddress));
    const ban = banned.get(client);
    if (ban && ban.until > now) return ban.judged;
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
      { feeds: feedsOf(request.client_address), counters },
    );
    const context = recordedContext(plain);
    let said: Judged | undefined;
    restartPipeline(position);
    const end = runPipeline(deciders, context, position, ({ name }, verdict) => {
      if (verdict !== undefined && verdict.kind !== 'permit') said = { ...verdict, plugin: name };
    });
    if (end === undefined) return said;
    const judged = { ...end.verdict, plugin: end.plugin.name };
    if (judged.kind === 'block' && judged.banSeconds !== undefined) {
      banned.set(client, { until: now + judged.banSeconds, judged });
      context.forgetCounts();
    }
    return judged;
  };
}
