import type { EdgeRoute } from '@cordon/contract/edge-config';
import { prefersJson } from '../edge/accept.ts';
import type { EdgeKit } from '../edge/context.ts';
import { edgeKit } from '../edge/kit.ts';
import { type PreparedPlugins, preparePlugins } from '../edge/pipeline.ts';
import { withoutNulls } from '../without-nulls.ts';
import { edgeChecks, matchingName } from './edge-checks.ts';
import { explainTurns } from './explain.ts';
import { httpsStep } from './https-step.ts';
import { originFields } from './origin-fields.ts';
import { originSteps, upstreamOf } from './origin-steps.ts';
import { pluginSteps, runPlugins, statusOf, type TracedAnswer } from './plugin-steps.ts';
import { rememberingKit } from './remembering-kit.ts';
import { type Trace, type TracedRequest, type TraceParts, type TraceStep, traceStep } from './trace.ts';
import { contextOf } from './traced-context.ts';

export type { HeaderField } from '../edge/context.ts';
export { matchingName, visitedHostOf } from './edge-checks.ts';
export type { AnyExplain, Explain } from './explain.ts';
export { type CacheJudgement, judgeCache } from './judge-cache.ts';
export { type DroppedField, isSecretField, type OriginField, REQUEST_ID_PLACEHOLDER } from './origin-fields.ts';
export { type RequestTarget, readTarget } from './request-target.ts';
export type {
  Trace,
  TracedRequest,
  TracedTarget,
  TracedUpstream,
  TraceOutcome,
  TraceParts,
  TraceStep,
} from './trace.ts';

const entriesOf = (route: EdgeRoute) => withoutNulls(route.plugins) as EdgeRoute['plugins'];

const prepareAll = (entries: EdgeRoute['plugins'], { handlers }: TraceParts, kit: EdgeKit): PreparedPlugins =>
  preparePlugins(entries, handlers, kit, () => {});

/** What the origins of the route are asked for by a visitor of `host`. */
export const originHostOf = (route: EdgeRoute, host: string, parts: TraceParts): string =>
  prepareAll(entriesOf(route), parts, edgeKit).originHost ?? host;

const OWN_STEPS = ['request', 'host', 'ownership', 'loop'] as const;
const ORIGIN_STEPS = ['origin_limit', 'origin_tls'] as const;
const NO_UPSTREAM_STATUS = 502;

type OwnKind = 'block' | 'redirect' | 'challenge';

/** The edge's own answer to a request that did not pass. */
const ownAnswer = (kind: OwnKind, status: number | null): TracedAnswer => ({
  source: kind === 'redirect' ? 'redirect' : 'edge',
  status,
  isPassed: false,
});

/** The trace of a request that the edge itself answers. */
const ended = (
  kind: OwnKind,
  status: number | null,
  before: readonly TraceStep[],
  upstreamStep = traceStep('upstream', 'not_reached'),
): Trace => ({
  steps: [...before, upstreamStep, ...ORIGIN_STEPS.map((name) => traceStep(name, 'not_reached'))],
  answer: { kind, status },
  upstream: null,
  sent: [],
  dropped: [],
});

/** A route's plugins as the request meets them: who asks for JSON gets none of its pages. */
function pluginsFor({ headers }: TracedRequest, plugins: PreparedPlugins): PreparedPlugins {
  const accept = headers.find(({ name }) => name.toLowerCase() === 'accept');
  return prefersJson(accept?.value) ? { ...plugins, errorPages: [] } : plugins;
}

/**
 * What each step of the edge's pipeline would do with a request: the plugins' own handlers on the very payload that a
 * node gets. Knows nothing that only the edge has: counts of earlier requests, health of targets, the origin's answer.
 * Throws a RangeError for a client address that is none.
 */
export function traceRequest(route: EdgeRoute, request: TracedRequest, parts: TraceParts): Trace {
  const own = edgeChecks(route, request, parts);
  const [entries, kit] = [entriesOf(route), rememberingKit()];
  const plugins = pluginsFor(request, prepareAll(entries, parts, kit));
  const run = { isSignatureTaken: false };
  const context = contextOf(request, own.host, parts, () => {
    run.isSignatureTaken = true;
  });
  if (!context) throw new RangeError(`${request.clientAddress} is no address`);
  const refusal = own.steps.find(({ outcome }) => outcome === 'block');
  if (refusal) {
    const missing = OWN_STEPS.slice(own.steps.length).map((name) => traceStep(name, 'not_reached'));
    const isOfRoute = matchingName(route, own.host) !== undefined;
    const answer = isOfRoute ? ownAnswer('block', refusal.status) : undefined;
    return ended('block', refusal.status, [...own.steps, ...missing, ...pluginSteps(plugins, new Map(), answer)]);
  }
  const secure = httpsStep(route, request, own.host, context.request.path);
  if (secure?.outcome === 'redirect')
    return ended('redirect', secure.status, [...own.steps, secure, ...pluginSteps(plugins, new Map(), undefined)]);
  if (secure) own.steps.push(secure);
  const { turns: decided, end } = runPlugins(plugins, context, run);
  const makeContext = () => contextOf(request, own.host, parts) ?? context;
  const turns = explainTurns(decided, entries, parts.explanations ?? {}, makeContext, kit);
  if (end) {
    const { kind } = end.verdict;
    const status = statusOf(end.verdict);
    return ended(kind, status, [...own.steps, ...pluginSteps(plugins, turns, ownAnswer(kind, status))]);
  }
  const hostHeader = plugins.originHost ?? own.host;
  const upstream = upstreamOf(route, request.scheme, hostHeader);
  if (!upstream) {
    const answer = { source: 'edge', status: NO_UPSTREAM_STATUS, isPassed: true } as const;
    const steps = [...own.steps, ...pluginSteps(plugins, turns, answer)];
    const upstreamStep = traceStep('upstream', 'block', { status: NO_UPSTREAM_STATUS, reason: 'no_upstream' });
    return ended('block', NO_UPSTREAM_STATUS, steps, upstreamStep);
  }
  const { sent, dropped } = originFields({
    fields: request.headers,
    scheme: request.scheme,
    host: own.host,
    originHost: hostHeader,
    clientAddressText: context.request.clientAddressText,
    country: request.country,
    cdnLoopId: parts.cdnLoopId,
    hasOriginKey: route.origin_key_seed !== undefined,
    pluginFields: plugins.originFields,
  });
  const answer = { source: 'origin', status: null, isPassed: true } as const;
  return {
    steps: [
      ...own.steps,
      ...pluginSteps(plugins, turns, answer),
      traceStep('upstream', 'pass'),
      ...originSteps(route, upstream.protocol),
    ],
    answer: { kind: 'origin', status: null },
    upstream,
    sent,
    dropped,
  };
}
