import { parseAddress } from '@cordon/contract/address';
import type { EdgeRoute, EdgeTarget } from '@cordon/contract/edge-config';
import { candidateNames, isHostName } from '@cordon/contract/host-name';
import type { EdgeContext, FeedEntry, HeaderField, Verdict } from '../edge/context.ts';
import { edgeKit } from '../edge/kit.ts';
import {
  type EdgePlugins,
  type PreparedPlugin,
  type PreparedPlugins,
  pipelineStart,
  preparePlugins,
  runPipeline,
} from '../edge/pipeline.ts';
import { createPlainContext, createPlainState } from '../edge/plain-context.ts';
import { withoutNulls } from '../without-nulls.ts';
import { type DroppedField, type OriginField, originFields } from './origin-fields.ts';
import { isReadablePath, readHost } from './request-target.ts';

export type { HeaderField } from '../edge/context.ts';
export { type DroppedField, type OriginField, REQUEST_ID_PLACEHOLDER } from './origin-fields.ts';
export { type RequestTarget, readTarget } from './request-target.ts';

/** A made-up or a logged request. */
export interface TracedRequest {
  readonly method: string;
  readonly scheme: 'http' | 'https';
  /** Value of the Host header field. */
  readonly host: string;
  /** As the visitor sends it, without query; begins with `/`. */
  readonly path: string;
  readonly query: string;
  /** Without Host. */
  readonly headers: readonly HeaderField[];
  readonly clientAddress: string;
  /** ISO 3166-1 alpha-2, or empty when unknown. */
  readonly country: string;
  /** The search engine that the client is taken to be proved as, or empty. */
  readonly crawler: string;
  /** Carries a valid preview token: a name need not be proved. */
  readonly isPreview: boolean;
}

/** `pass`: nothing to say. `changes`: something about the request to the origin. `not_reached`: an earlier step answered. */
export type TraceOutcome = 'pass' | 'changes' | 'allow' | 'skipped' | 'block' | 'redirect' | 'not_reached';

/** One step of the pipeline, in the order of the edge (runner/access.ts). */
export interface TraceStep {
  readonly step: 'request' | 'host' | 'ownership' | 'loop' | 'plugin' | 'upstream' | 'origin_limit' | 'origin_tls';
  /** Of a plugin's step; empty otherwise. */
  readonly plugin: string;
  readonly outcome: TraceOutcome;
  /** HTTP status, where the step answers the visitor. */
  readonly status: number | null;
  /**
   * Of the plugin, or one of EDGE_REASONS; of `changes`, what it changes: `host`, `origin_fields`,
   * `response_fields`, `error_pages`.
   */
  readonly reason: string;
  readonly rule: string;
  readonly location: string;
  /**
   * What else there is to tell: the name that matched, the Host or the names of the header fields that a plugin sets, how
   * many requests may be open at the origin (empty: any number), how its certificate is verified (empty: it is spoken to
   * without TLS).
   */
  readonly detail: string;
}

export interface TracedTarget {
  readonly host: string;
  readonly port: number;
  /** Of the requests while all targets are healthy; 0 for a backup. */
  readonly share: number;
  readonly backup: boolean;
}

export interface TracedUpstream {
  readonly protocol: 'http' | 'https';
  /** Sent as Host, and over TLS as the server name. */
  readonly hostHeader: string;
  readonly tries: number;
  readonly targets: readonly TracedTarget[];
}

export interface Trace {
  readonly steps: readonly TraceStep[];
  /** What the visitor gets: the origin's answer, or one of the edge's own. */
  readonly answer: { readonly kind: 'origin' | 'block' | 'redirect'; readonly status: number | null };
  /** Null when the request does not get that far. */
  readonly upstream: TracedUpstream | null;
  readonly sent: readonly OriginField[];
  readonly dropped: readonly DroppedField[];
}

/** What the trace needs to know besides the route. */
export interface TraceParts {
  readonly handlers: EdgePlugins;
  /** Our identifier in CDN-Loop. */
  readonly cdnLoopId: string;
  /** Unix seconds. */
  readonly now: number;
  /** Entries of the route's feeds, by feed, that hold the client; none when left out. */
  readonly feeds?: Readonly<Record<string, FeedEntry | undefined>>;
}

const HEADERS_MAX = 200;
const LOOP_STATUS = 508;
const UNKNOWN_HOST_STATUS = 421;

const step = (
  name: TraceStep['step'],
  outcome: TraceOutcome,
  rest: Partial<Omit<TraceStep, 'step' | 'outcome'>> = {},
): TraceStep => ({
  step: name,
  outcome,
  plugin: '',
  status: null,
  reason: '',
  rule: '',
  location: '',
  detail: '',
  ...rest,
});

/** The host that a request is for, as nginx reads it. */
export const visitedHostOf = (request: Pick<TracedRequest, 'host'>): string => readHost(request.host);

/** The name of the route that a host is found by, most exact first; undefined when the route has none for it. */
export function matchingName(route: Pick<EdgeRoute, 'hosts'>, host: string): string | undefined {
  const names = new Set(route.hosts.map(({ name }) => name));
  return isHostName(host) ? candidateNames(host).find((name) => names.has(name)) : undefined;
}

const prepareAll = (route: EdgeRoute, { handlers }: TraceParts): PreparedPlugins =>
  preparePlugins(withoutNulls(route.plugins) as EdgeRoute['plugins'], handlers, edgeKit, () => {});

/** What the origins of the route are asked for by a visitor of `host`. */
export const originHostOf = (route: EdgeRoute, host: string, parts: TraceParts): string =>
  prepareAll(route, parts).originHost ?? host;

function contextOf(request: TracedRequest, host: string, parts: TraceParts): EdgeContext | undefined {
  const clientAddress = parseAddress(request.clientAddress);
  if (!clientAddress) return undefined;
  return createPlainContext(
    {
      method: request.method,
      scheme: request.scheme,
      host,
      path: request.path,
      query: request.query,
      headers: [{ name: 'Host', value: request.host }, ...request.headers],
      clientAddress,
      country: request.country,
      crawler: request.crawler,
      now: parts.now,
    },
    createPlainState(parts.feeds),
  );
}

function verdictStep(plugin: string, verdict: Verdict): TraceStep {
  if (verdict === undefined || verdict.kind === 'permit') return step('plugin', 'pass', { plugin });
  const { kind, reason, rule } = verdict;
  return step('plugin', kind, {
    plugin,
    reason,
    rule,
    status: kind === 'allow' ? null : verdict.status,
    location: kind === 'redirect' ? verdict.location : '',
  });
}

const namesOf = (fields: readonly HeaderField[]) => fields.map(({ name }) => name).join(', ');

/** The step of a plugin that has no say about the request. */
function changesStep(plugin: PreparedPlugin): TraceStep {
  const { name, originHost, originFields: sent, responseFields: answered, errorPages } = plugin;
  if (originHost !== undefined) return step('plugin', 'changes', { plugin: name, reason: 'host', detail: originHost });
  if (sent.length > 0)
    return step('plugin', 'changes', { plugin: name, reason: 'origin_fields', detail: namesOf(sent) });
  if (answered.length > 0)
    return step('plugin', 'changes', { plugin: name, reason: 'response_fields', detail: namesOf(answered) });
  if (errorPages.length > 0) {
    const statuses = errorPages.map(({ status }) => status).join(', ');
    return step('plugin', 'changes', { plugin: name, reason: 'error_pages', detail: statuses });
  }
  return step('plugin', 'pass', { plugin: name });
}

/** Runs the plugins as the edge does; a refusal that waited for the end of its phase is the step of its own plugin. */
function runPlugins({ all, deciders }: PreparedPlugins, context: EdgeContext): TraceStep[] {
  const turns = new Map<string, TraceStep>();
  const end = runPipeline(deciders, context, pipelineStart(), ({ name }, verdict, isSkipped) => {
    const waits = verdict?.kind === 'block' && verdict.isUnmet === true;
    turns.set(
      name,
      isSkipped ? step('plugin', 'skipped', { plugin: name }) : verdictStep(name, waits ? undefined : verdict),
    );
  });
  if (end) turns.set(end.plugin.name, verdictStep(end.plugin.name, end.verdict));
  return all.map((plugin) => {
    if (plugin.access === undefined)
      return end ? step('plugin', 'not_reached', { plugin: plugin.name }) : changesStep(plugin);
    return turns.get(plugin.name) ?? step('plugin', 'not_reached', { plugin: plugin.name });
  });
}

function portOf(target: EdgeTarget, protocol: 'http' | 'https'): number {
  return target.port ?? (protocol === 'https' ? 443 : 80);
}

function upstreamOf(route: EdgeRoute, scheme: 'http' | 'https', hostHeader: string): TracedUpstream | null {
  const { upstream } = route;
  if (!upstream || upstream.targets.length === 0) return null;
  const protocol = upstream.protocol === 'http_https' ? scheme : upstream.protocol;
  const total = upstream.targets.reduce((sum, target) => sum + (target.backup ? 0 : target.weight), 0);
  return {
    protocol,
    hostHeader,
    tries: upstream.tries,
    targets: upstream.targets.map((target) => ({
      host: target.host,
      port: portOf(target, protocol),
      share: target.backup || total === 0 ? 0 : target.weight / total,
      backup: target.backup,
    })),
  };
}

/** Checks of the edge itself, before any plugin: the first that refuses is the last of the list. */
function ownChecks(route: EdgeRoute, request: TracedRequest, parts: TraceParts): { steps: TraceStep[]; host: string } {
  const host = readHost(request.host);
  const isReadable = isReadablePath(request.path) && request.headers.length <= HEADERS_MAX && isHostName(host);
  if (!isReadable) return { host, steps: [step('request', 'block', { status: 400, reason: 'bad_request' })] };
  const steps = [step('request', 'pass')];
  const name = matchingName(route, host);
  if (name === undefined)
    return {
      host,
      steps: [...steps, step('host', 'block', { status: UNKNOWN_HOST_STATUS, reason: 'unknown_host', detail: host })],
    };
  steps.push(step('host', 'pass', { detail: name }));
  const isVerified = route.hosts.some((entry) => entry.name === name && entry.verified);
  if (!isVerified && !request.isPreview) {
    const refusal = { status: UNKNOWN_HOST_STATUS, reason: 'not_verified', detail: name };
    return { host, steps: [...steps, step('ownership', 'block', refusal)] };
  }
  steps.push(step('ownership', 'pass', { detail: isVerified ? '' : 'preview' }));
  const loops = request.headers.filter((field) => field.name.toLowerCase() === 'cdn-loop');
  const isLoop = loops
    .flatMap(({ value }) => value.split(','))
    .some((entry) => entry.split(';')[0]?.trim().toLowerCase() === parts.cdnLoopId.toLowerCase());
  if (isLoop) return { host, steps: [...steps, step('loop', 'block', { status: LOOP_STATUS, reason: 'loop' })] };
  return { host, steps: [...steps, step('loop', 'pass')] };
}

/** What the connection to the origin is subject to, in the order of runner/hand-over.ts. */
function originSteps({ upstream }: EdgeRoute, protocol: 'http' | 'https'): TraceStep[] {
  // As the runner takes what an older control plane has left out.
  const { connection_limit: limit = 0, tls_verification: verification = 'off' } = upstream ?? {};
  return [
    step('origin_limit', 'pass', { detail: limit === 0 ? '' : String(limit) }),
    step('origin_tls', 'pass', { detail: protocol === 'https' ? verification : '' }),
  ];
}

const OWN_STEPS = ['request', 'host', 'ownership', 'loop'] as const;
const ORIGIN_STEPS = ['origin_limit', 'origin_tls'] as const;

/**
 * What each step of the edge's pipeline would do with a request: the plugins' own handlers on the very payload that a
 * node gets. Knows nothing that only the edge has: counts of earlier requests, health of targets, the origin's answer.
 * Throws a RangeError for a client address that is none.
 */
export function traceRequest(route: EdgeRoute, request: TracedRequest, parts: TraceParts): Trace {
  const own = ownChecks(route, request, parts);
  const plugins = prepareAll(route, parts);
  const { originHost } = plugins;
  const context = contextOf(request, own.host, parts);
  if (!context) throw new RangeError(`${request.clientAddress} is no address`);
  const isRefused = own.steps.at(-1)?.outcome === 'block';
  const missing = OWN_STEPS.slice(own.steps.length).map((name) => step(name, 'not_reached'));
  const pluginSteps = isRefused
    ? plugins.all.map(({ name }) => step('plugin', 'not_reached', { plugin: name }))
    : runPlugins(plugins, context);
  const before = [...own.steps, ...missing, ...pluginSteps];
  const ending = before.find(({ outcome }) => outcome === 'block' || outcome === 'redirect');
  if (ending)
    return {
      steps: [...before, step('upstream', 'not_reached'), ...ORIGIN_STEPS.map((name) => step(name, 'not_reached'))],
      answer: { kind: ending.outcome === 'redirect' ? 'redirect' : 'block', status: ending.status },
      upstream: null,
      sent: [],
      dropped: [],
    };
  const hostHeader = originHost ?? own.host;
  const upstream = upstreamOf(route, request.scheme, hostHeader);
  if (!upstream)
    return {
      steps: [
        ...before,
        step('upstream', 'block', { status: 502, reason: 'no_upstream' }),
        ...ORIGIN_STEPS.map((name) => step(name, 'not_reached')),
      ],
      answer: { kind: 'block', status: 502 },
      upstream: null,
      sent: [],
      dropped: [],
    };
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
  return {
    steps: [...before, step('upstream', 'pass'), ...originSteps(route, upstream.protocol)],
    answer: { kind: 'origin', status: null },
    upstream,
    sent,
    dropped,
  };
}
