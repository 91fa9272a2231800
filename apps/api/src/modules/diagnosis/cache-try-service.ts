import type { Actor, CacheFetch, CacheTry, CacheTryInput, CacheTryNode, EdgeRoute, Trace } from '@cordon/contract';
import { DEVELOPMENT_FEED, SWITCH_ADDRESS } from '@cordon/plugin-kit/feeds';
import type { RequestDirectives } from '@cordon/plugin-kit/shared-cache';
import { type CacheJudgement, judgeCache } from '@cordon/plugin-kit/trace';
import { handlers } from '@cordon/plugins/handlers';
import type { Db } from '../../platform/database.ts';
import { notFound } from '../../platform/errors.ts';
import { inTurn } from '../../platform/turns.ts';
import type { AccountService } from '../accounts/service.ts';
import type { EdgeLookService, FeedService, NodeLook } from '../edge-nodes/service.ts';
import { pauseOf } from '../publishing/service.ts';
import * as routes from '../routes/service.ts';
import { readCacheStatus } from './cache-status.ts';
import { requireServed } from './require-served.ts';
import type { TraceService } from './trace-service.ts';
import { readTriedRequest, type TriedRequest } from './tried-request.ts';

/** Tries a URL in the cache of a domain. Another account's domain is NOT_FOUND. */
export interface CacheTryService {
  /**
   * What the live version does with it, and what nodes have of it. Throws DOMAIN_NOT_DEPLOYED, DOMAIN_STATE_FORBIDS, and a code at `url`
   * for what is none, or of another name.
   * @param askedFrom Address of the customer who asks.
   */
  tryUrl(accountId: string, routeId: string, input: CacheTryInput, askedFrom: string): Promise<CacheTry>;
  /**
   * Has one node ask for it, of which there is a line in the audit log before. Throws the same, and GATEWAY_CONNECTION_ERROR where no node
   * answers.
   */
  fetch(actor: Actor, routeId: string, input: CacheTryInput & { refresh: boolean }): Promise<CacheFetch>;
}

/** What tries are made of: the trace, the nodes' own looks, and the feed of development mode. */
export interface CacheTryParts {
  readonly db: Db;
  readonly accounts: Pick<AccountService, 'findSuspension'>;
  readonly traces: Pick<TraceService, 'edgeRouteOf' | 'trace'>;
  readonly looks: EdgeLookService;
  readonly feeds: Pick<FeedService, 'find'>;
}

const AUDITED_CHARACTERS_MAX = 500;
/** Without its query, whose values may be secrets; what is long ends with `…`. */
function auditedUrl({ scheme, host, path, query }: TriedRequest): string {
  const url = `${scheme}://${host}${path}`;
  if (url.length > AUDITED_CHARACTERS_MAX) return `${url.slice(0, AUDITED_CHARACTERS_MAX)}…`;
  return query === '' ? url : `${url}?…`;
}

const now = () => Math.floor(Date.now() / 1000);

const toNode = ({ node, result }: NodeLook): CacheTryNode => ({
  name: node,
  state: result ? 'answered' : 'silent',
  objects: result?.objects ?? null,
  ...(result?.varies_by === undefined ? {} : { varies_by: result.varies_by }),
});

/** What keeps the request from the cache; of several steps the first. */
function beforeOf(steps: Trace['steps']): CacheTry['before'] {
  const end = steps.find(({ outcome }) => outcome === 'block' || outcome === 'challenge' || outcome === 'redirect');
  if (!end) return { outcome: 'pass', step: '', plugin: '', reason: '', status: null, location: '' };
  const { step, plugin, reason, status, location } = end;
  return { outcome: end.outcome as 'block', step, plugin, reason, status, location };
}

const keyOf = ({ query, leftOut, device, language, cache, isSliced }: CacheJudgement): CacheTry['key'] => ({
  query,
  left_out: [...leftOut],
  device: device ?? null,
  language: language ?? null,
  languages: [...cache.key.languages],
  is_sliced: isSliced,
});

const policyOf = ({ cache: { policy } }: CacheJudgement): CacheTry['policy'] => ({
  default_seconds: policy.defaultSeconds,
  default_statuses: [...policy.defaultStatuses],
  default_types: [...policy.defaultTypes],
  is_default_forced: policy.isDefaultForced,
  cache_control: policy.cacheControl,
  overrides_cache_control: policy.overridesCacheControl,
  stale_if_error_seconds: policy.staleIfErrorSeconds,
  stale_while_revalidate_seconds: policy.staleWhileRevalidateSeconds,
  obeys_requests: policy.obeysRequests,
});

const askedOf = (directives: RequestDirectives): CacheTry['asked'] => ({
  no_store: directives.hasNoStore,
  no_cache: directives.hasNoCache,
  no_transform: directives.hasNoTransform,
  only_if_cached: directives.hasOnlyIfCached,
  max_age: directives.maxAgeSeconds ?? null,
  max_stale: directives.maxStaleSeconds ?? null,
  min_fresh: directives.minFreshSeconds ?? null,
  stale_if_error: directives.staleIfErrorSeconds ?? null,
});

/** Judges by the code that nodes have, on the route that they have. */
export function createCacheTryService({ db, accounts, traces, looks, feeds }: CacheTryParts): CacheTryService {
  async function find(accountId: string, routeId: string, input: CacheTryInput) {
    const route = await routes.findRoute(db, accountId, routeId);
    if (!route) throw notFound();
    const { live, version } = await requireServed(route, accounts);
    const edgeRoute = await traces.edgeRouteOf(route, live, true);
    return { route, version, edgeRoute, request: readTriedRequest(input, route.domain_name, edgeRoute) };
  }

  const lookOf = (route: routes.RouteRow, { scheme, host, sentPath, path, query, headers }: TriedRequest) => ({
    ...{ route_id: route.id, scheme, host, path, headers },
    target: query === '' ? sentPath : `${sentPath}?${query}`,
  });

  const lookAtAll = async (route: routes.RouteRow, request: TriedRequest) =>
    (await looks.lookAtAll(route.czone, lookOf(route, request))).map(toNode);

  const judge = (
    route: EdgeRoute,
    { scheme, host, sentPath, query, headers }: TriedRequest,
    address: string,
    isInDevelopment: boolean,
  ) =>
    inTurn(() =>
      judgeCache(
        route,
        {
          ...{ method: 'GET', scheme, host, path: sentPath, query, headers },
          ...{ clientAddress: address, country: '', asn: 0, crawler: '', isPreview: false },
        },
        { handlers, cdnLoopId: '', now: Date.now() / 1000 },
        isInDevelopment,
      ),
    );

  return {
    async tryUrl(accountId, routeId, input, askedFrom) {
      const { route, version, edgeRoute, request } = await find(accountId, routeId, input);
      const { scheme, host, sentPath, path, query, headers } = request;
      const url = `${scheme}://${host}${sentPath}${query === '' ? '' : `?${query}`}`;
      const held = await feeds.find(db, [routeId], SWITCH_ADDRESS);
      const [traced, judged, nodes] = await Promise.all([
        traces.trace(
          accountId,
          routeId,
          { version: 'live', method: 'GET', url, headers, crawler: '', preview: false },
          askedFrom,
        ),
        judge(edgeRoute, request, askedFrom, held[DEVELOPMENT_FEED] !== undefined),
        lookAtAll(route, request),
      ]);
      return {
        version,
        is_paused: pauseOf(route) !== null,
        request: { scheme, host, path, query },
        before: beforeOf(traced.steps),
        plugin: judged?.plugin ?? null,
        bypass: judged?.bypass ?? null,
        key: judged ? keyOf(judged) : null,
        policy: judged ? policyOf(judged) : null,
        asked: judged?.asked ? askedOf(judged.asked) : null,
        nodes,
        at: now(),
      };
    },

    async fetch(actor, routeId, { refresh, ...input }) {
      const { route, request } = await find(actor.accountId, routeId, input);
      const node = await looks.findLive(route.czone);
      await routes.auditRoute(db, actor, 'route.cache_fetch', route, {
        url: auditedUrl(request),
        node: node.name,
        refresh,
      });
      const { visit } = await looks.fetchBy(node, lookOf(route, request), { refresh });
      const age = /^\d{1,10}$/.test(visit.age) ? Number(visit.age) : null;
      const { cache_control, vary, content_type, content_encoding, sets_cookie, bytes, milliseconds } = visit;
      return {
        node: node.name,
        status: visit.status === 0 ? null : visit.status,
        cache: readCacheStatus(visit.cache_status),
        ...{ cache_control, vary, age, content_type, content_encoding, sets_cookie, bytes, milliseconds },
        nodes: await lookAtAll(route, request),
        at: now(),
      };
    },
  };
}
