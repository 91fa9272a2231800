import { type EdgeRoute, isWildcardName, type RouteConfig, type Trace as TraceAnswer } from '@cordon/contract';
import { answersFor, candidateNames } from '@cordon/contract/host-name';
import {
  originHostOf,
  type Trace,
  type TracedRequest,
  type TracedTarget,
  type TraceParts,
  traceRequest,
  visitedHostOf,
} from '@cordon/plugin-kit/trace';
import { explanations } from '@cordon/plugins/explanations';
import { handlers } from '@cordon/plugins/handlers';
import type { AsnDatabase, CountryDatabase } from '../../platform/address-database.ts';
import type { Db } from '../../platform/database.ts';
import { type Egress, EgressError } from '../../platform/egress.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { inTurn } from '../../platform/turns.ts';
import type { FeedService } from '../edge-nodes/service.ts';
import { findVersion, type Publication, pauseOf, type ResolvePlugins } from '../publishing/service.ts';
import * as routes from '../routes/service.ts';
import { findFetched } from './fetched.ts';
import { readRequest, type TraceInput } from './read-request.ts';
import { servedNames } from './trace-repository.ts';

export interface TraceService {
  /** The route with a configuration as nodes would get it. Of a version that is not live, its number is given. */
  edgeRouteOf(route: routes.RouteRow, config: RouteConfig, isLive: boolean, version?: number): Promise<EdgeRoute>;
  /**
   * An ordinary visit of the front page, with the name taken as proved, in a turn of the event loop of its own.
   * @param visitor Without a country: that of the address.
   */
  visit(route: EdgeRoute, visitor: { host: string; address: string; country?: string }): Promise<Trace>;
  originHost(route: EdgeRoute, host: string): string;
  /**
   * What the edge would do with a request. Throws NOT_FOUND for a version that is not there, DOMAIN_NOT_DEPLOYED for
   * the live one of a domain without any.
   * @param askedFrom Address of the customer who asks.
   */
  trace(accountId: string, routeId: string, input: TraceInput, askedFrom: string): Promise<TraceAnswer>;
}

const RESOLVED_TARGETS_MAX = 10;
const RESOLVE_MS = 2_000;

/** A name to visit where the domain is a wildcard. */
export const visitedHost = (domainName: string): string =>
  isWildcardName(domainName) ? `www.${domainName.slice(2)}` : domainName;

const traceParts = (cdnLoopId: string): TraceParts => ({ handlers, cdnLoopId, now: Date.now() / 1000 });

type AnsweredTarget = NonNullable<TraceAnswer['upstream']>['targets'][number];

export interface TraceServiceParts {
  readonly db: Db;
  readonly egress: Egress;
  readonly resolvePlugins: ResolvePlugins;
  readonly publication: Publication;
  readonly cdnLoopId: () => Promise<string>;
  readonly feeds: FeedService;
  readonly asns: AsnDatabase;
  readonly countries: CountryDatabase;
}

export function createTraceService(parts: TraceServiceParts): TraceService {
  const { db, egress, resolvePlugins, publication, cdnLoopId, feeds, asns, countries } = parts;

  /** What is not live is judged with its protections, also while those of the domain are paused. */
  const edgeRouteOf: TraceService['edgeRouteOf'] = async (route, config, isLive, version) => {
    const isPaused = isLive && pauseOf(route) !== null;
    const number = version ?? route.version_live ?? 1;
    const payload = await publication.payloadOf(db, route, '', { config, version: number, isPaused });
    const { resolved } = await findFetched(db, route, config, [number, route.version_live]);
    const plugins = payload.plugins.map((plugin) =>
      resolved[plugin.name] === undefined ? plugin : { ...plugin, resolved: resolved[plugin.name] },
    );
    return { ...payload, plugins } as EdgeRoute;
  };

  async function findConfig(route: routes.RouteRow, version: TraceInput['version']) {
    if (version === 'draft') return { config: route.draft, version: null };
    if (version === 'live') {
      if (route.live === null) throw new AppError('DOMAIN_NOT_DEPLOYED');
      return { config: route.live, version: route.version_live };
    }
    const found = await findVersion(db, route.account_id, route.id, version);
    if (!found) throw notFound();
    return { config: found.config, version };
  }

  /** What the edge finds by the address, where it is not given. */
  async function locate(address: string, given: { country?: string; asn?: number }) {
    const { country, asn } = given;
    return {
      country: country ?? (await countries.open())?.(address) ?? '',
      asn: asn ?? (await asns.open())?.(address) ?? 0,
    };
  }

  /** Whether the edge finds another route by the host before this one: its name, where it is the account's own. */
  async function foundBefore(route: routes.RouteRow, edgeRoute: EdgeRoute, host: string) {
    const names = candidateNames(host);
    const mine = new Set(edgeRoute.hosts.map(({ name }) => name));
    const own = names.findIndex((name) => mine.has(name) && answersFor(name, host, edgeRoute.wildcard_levels));
    const served = (await servedNames(db, own < 0 ? names : names.slice(0, own))).filter((one) =>
      answersFor(one.name, host, one.wildcard_levels ?? 'one'),
    );
    const nearest = names.flatMap(
      (name) => served.find((one) => one.name === name && one.route_id !== route.id) ?? [],
    )[0];
    if (!nearest) return undefined;
    return { name: nearest.account_id === route.account_id ? nearest.name : '' };
  }

  /**
   * Has the plugins of a draft fetch what a deploy of it would, where nothing is kept. What cannot be fetched is left out: nothing could
   * be deployed with it either.
   */
  async function fetchForDraft(route: routes.RouteRow): Promise<void> {
    const { missing } = await findFetched(db, route, route.draft, [route.version_live]);
    try {
      await resolvePlugins(route.account_id, missing);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'TOO_MANY_REQUESTS')) throw error;
    }
  }

  /** Draft and versions are judged as if they were live; what is being deleted answers for no name. */
  async function run(route: routes.RouteRow, edgeRoute: EdgeRoute, isLive: boolean, request: TracedRequest) {
    const isOnEdge = route.status === 'running' || route.status === 'deactivated';
    const off = routes.offOf(route);
    const held = await feeds.find(db, [route.id, route.account_id], request.clientAddress);
    const parts = { ...traceParts(await cdnLoopId()), feeds: held, explanations };
    const known: EdgeRoute = isOnEdge ? { ...edgeRoute, ...(off && { off }) } : { ...edgeRoute, hosts: [] };
    const first = await inTurn(() => traceRequest(isLive ? known : edgeRoute, request, parts));
    const host = first.steps.find(({ step }) => step === 'host');
    if (host === undefined || host.outcome === 'not_reached') return first;
    const other = await foundBefore(route, edgeRoute, visitedHostOf(request));
    if (!other) return first;
    const elsewhere = await inTurn(() => traceRequest({ ...edgeRoute, hosts: [] }, request, parts));
    if (other.name === '') return elsewhere;
    const steps = elsewhere.steps.map((step) =>
      step.step === 'host' ? { ...step, reason: 'other_domain', detail: other.name } : step,
    );
    return { ...elsewhere, steps };
  }

  async function resolveTarget(accountId: string, target: TracedTarget): Promise<AnsweredTarget> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new EgressError('unresolved')), RESOLVE_MS);
    });
    try {
      const addresses = await Promise.race([egress.resolve(accountId, target.host, target.port), late]);
      return { ...target, addresses: addresses.slice(0, 20), refusal: null };
    } catch (error) {
      if (!(error instanceof EgressError)) throw error;
      const { failure } = error;
      return { ...target, addresses: [], refusal: failure === 'unreachable' ? 'unresolved' : failure };
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    edgeRouteOf,
    async visit(route, { host, address, country }) {
      const located = await locate(address, { country });
      return inTurn(() =>
        traceRequest(
          route,
          {
            method: 'GET',
            scheme: 'https',
            host,
            path: '/',
            query: '',
            headers: [{ name: 'User-Agent', value: 'Mozilla/5.0' }],
            clientAddress: address,
            ...located,
            crawler: '',
            isPreview: true,
          },
          traceParts(''),
        ),
      );
    },
    originHost: (route, domainName) => originHostOf(route, visitedHost(domainName), traceParts('')),
    async trace(accountId, routeId, input, askedFrom) {
      const route = await routes.findRoute(db, accountId, routeId);
      if (!route) throw notFound();
      const read = readRequest(input, visitedHost(route.domain_name), askedFrom);
      const request = { ...read, ...(await locate(read.clientAddress, input)) };
      const { config, version } = await findConfig(route, input.version);
      if (version === null) await fetchForDraft(route);
      const isLive = input.version === 'live';
      const edgeRoute = await edgeRouteOf(route, config, isLive, version ?? undefined);
      const traced = await run(route, edgeRoute, isLive, request);
      const { upstream } = traced;
      const targets = await Promise.all(
        (upstream?.targets ?? []).map((target, index) =>
          index < RESOLVED_TARGETS_MAX ? resolveTarget(accountId, target) : { ...target, addresses: [], refusal: null },
        ),
      );
      return {
        version,
        request: {
          method: request.method,
          scheme: request.scheme,
          host: request.host,
          path: request.path,
          query: request.query,
          client_address: request.clientAddress,
          country: request.country,
          asn: request.asn,
        },
        steps: traced.steps.map(({ fields, matched, isSignatureTaken, ...step }) => ({
          ...step,
          ...(isSignatureTaken && { signature_taken: true }),
          ...(fields && { fields: [...fields] }),
          ...(matched && { matched: [...matched] }),
        })),
        answer: traced.answer,
        upstream: upstream && {
          protocol: upstream.protocol,
          host_header: upstream.hostHeader,
          tries: upstream.tries,
          targets,
        },
        sent: [...traced.sent],
        dropped: [...traced.dropped],
      };
    },
  };
}
