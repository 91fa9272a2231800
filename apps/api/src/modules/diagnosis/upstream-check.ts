import {
  type DiagnosisItem,
  type EdgeRoute,
  type RouteConfig,
  UPSTREAM_PORTS,
  type UpstreamTarget,
} from '@cordon/contract';
import { type Egress, EgressError, type EgressResponse } from '../../platform/egress.ts';
import { type Found, type NodeState, textOf } from '../health/service.ts';
import { toCertificate } from '../origins/service.ts';
import { offOf, type RouteRow, visitorTargets } from '../routes/service.ts';
import type { TraceService } from './trace-service.ts';

type Protocol = 'http' | 'https';

export interface UpstreamCheckInput {
  readonly accountId: string;
  readonly routeId: string;
  readonly config: RouteConfig;
  /** Why no visitor gets as far as an origin. */
  readonly off: EdgeRoute['off'];
  /** What origins are asked for. */
  readonly hostHeader: string;
  readonly nodes: readonly NodeState[];
}

/** Each costs one or two requests of the account's rate. */
const TARGETS_MAX = 10;
const TIMEOUT_MS = 4_000;
/** A TLS server's answer to plain HTTP on its port. */
const PLAIN_TO_TLS_STATUS = 400;

const isTlsPort = (protocol: Protocol, { status, body }: EgressResponse) =>
  protocol === 'http' && status === PLAIN_TO_TLS_STATUS && /https/i.test(body.toString('latin1'));

const label = (host: string, port: number) => `${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Nodes that have taken the target out for now. */
const nodesSeeingDown = (input: UpstreamCheckInput, host: string): string[] =>
  input.nodes
    .filter((node) =>
      node.down.some(
        ({ route_id, target }) => route_id === input.routeId && (target === host || target.startsWith(`${host}:`)),
      ),
    )
    .map((node) => node.name);

export function createUpstreamCheck(egress: Pick<Egress, 'request'>) {
  async function ask(input: UpstreamCheckInput, host: string, protocol: Protocol, port: number) {
    const { tls_verification, tls_ca } = input.config.upstreams;
    const response = await egress.request({
      account_id: input.accountId,
      protocol,
      host,
      port,
      method: 'GET',
      path: '/',
      hostHeader: input.hostHeader,
      ...(tls_verification === 'custom' && tls_ca !== null ? { trusted: tls_ca } : {}),
      timeoutMs: TIMEOUT_MS,
      bodyBytesMax: 4_096,
    });
    return { response, isWrong: isTlsPort(protocol, response) };
  }

  /** Whether the port answers the other protocol: then only the setting is wrong. */
  const answersOther = (input: UpstreamCheckInput, host: string, protocol: Protocol, port: number) =>
    ask(input, host, protocol === 'http' ? 'https' : 'http', port).then(
      ({ isWrong }) => !isWrong,
      () => false,
    );

  async function lookAt(input: UpstreamCheckInput, target: UpstreamTarget, protocol: Protocol): Promise<DiagnosisItem> {
    const port = target.port ?? UPSTREAM_PORTS[protocol];
    const base = { label: label(target.host, port), kind: protocol };
    try {
      const { response, isWrong } = await ask(input, target.host, protocol, port);
      const params = { status: response.status, ms: Math.round(response.ms), address: response.address };
      if (isWrong) return { ...base, state: 'error', finding: 'wrong_protocol', params: { other: 'https' } };
      const problem = toCertificate(response.certificate)?.problem ?? null;
      if (problem !== null && input.config.upstreams.tls_verification !== 'off')
        return { ...base, state: 'error', finding: 'certificate_refused', params: { ...params, problem } };
      if (response.status >= 500) return { ...base, state: 'warning', finding: 'server_error', params };
      const down = nodesSeeingDown(input, target.host);
      if (down.length > 0)
        return { ...base, state: 'warning', finding: 'seen_down', params: { ...params, nodes: textOf(down) } };
      return { ...base, state: 'ok', finding: 'answers', params };
    } catch (error) {
      if (!(error instanceof EgressError)) throw error;
      const { failure, isConnected } = error;
      if (failure === 'rate_limited') return { ...base, state: 'unknown', finding: 'rate_limited', params: {} };
      if (isConnected && (await answersOther(input, target.host, protocol, port)))
        return {
          ...base,
          state: 'error',
          finding: 'wrong_protocol',
          params: { other: protocol === 'http' ? 'https' : 'http' },
        };
      return { ...base, state: 'error', finding: failure, params: {} };
    }
  }

  /** Whether the origins answer, asked as the edge asks them, through the egress guard. */
  return async function checkUpstreams(input: UpstreamCheckInput): Promise<Found> {
    const { config } = input;
    if (config.traffic_action === 'redirect' && input.off !== undefined)
      return { state: 'ok', finding: 'unused', params: { why: input.off, kind: 'redirect' } };
    if (config.traffic_action === 'redirect')
      return { state: 'ok', finding: 'not_needed', params: { url: visitorTargets(config)[0]?.url ?? '' } };
    const { protocol, targets } = config.upstreams;
    if (targets.length === 0) return { state: 'error', finding: 'none', advice: 'change_upstreams' };
    const protocols: Protocol[] = protocol === 'http_https' ? ['http', 'https'] : [protocol];
    const asked = targets.slice(0, Math.max(1, Math.floor(TARGETS_MAX / protocols.length)));
    const items = await Promise.all(asked.flatMap((target) => protocols.map((one) => lookAt(input, target, one))));
    const judged = items.filter((item) => item.state !== 'unknown');
    const good = judged.filter((item) => item.state !== 'error');
    const problems = new Set(
      items.flatMap(({ finding, params }) => (finding === 'certificate_refused' ? String(params.problem) : [])),
    );
    const [problem = ''] = problems;
    const params = {
      good: judged.filter((item) => item.state === 'ok').length,
      asked: items.length,
      more: targets.length - asked.length,
      // Told in one sentence where it is the same of all.
      ...(problems.size === 1 ? { problem } : {}),
    };
    const advice = items.some((item) => item.finding === 'wrong_protocol')
      ? 'change_protocol'
      : items.some((item) => item.finding === 'certificate_refused')
        ? 'fix_origin_certificate'
        : items.some((item) => item.finding === 'forbidden' || item.finding === 'unresolved')
          ? 'change_upstreams'
          : 'check_origin';
    if (judged.length === 0) return { state: 'unknown', finding: 'not_asked', params, advice: 'retry', items };
    if (good.length === 0) return { state: 'error', finding: 'none_answers', params, advice, items };
    if (good.length < judged.length || good.some((item) => item.state === 'warning'))
      return { state: 'warning', finding: 'some_fail', params, advice, items };
    if (input.off !== undefined)
      return { state: 'ok', finding: 'unused', params: { ...params, why: input.off, kind: 'upstream' }, items };
    return { state: 'ok', finding: 'all_answer', params, items };
  };
}

/** The same of the live version by itself; what nodes leave out is known without a look. */
export function createLiveUpstreamCheck(
  egress: Pick<Egress, 'request'>,
  traces: Pick<TraceService, 'edgeRouteOf' | 'originHost'>,
) {
  const checkUpstreams = createUpstreamCheck(egress);
  return async (route: RouteRow): Promise<Found> => {
    const { live } = route;
    if (live === null) return { state: 'unknown', finding: 'none' };
    const edgeRoute = await traces.edgeRouteOf(route, live, false);
    return checkUpstreams({
      accountId: route.account_id,
      routeId: route.id,
      config: live,
      off: offOf(route),
      hostHeader: traces.originHost(edgeRoute, route.domain_name),
      nodes: [],
    });
  };
}
