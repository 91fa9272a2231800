import type { EdgeRoute } from '@cordon/contract/edge-config';
import type { EdgeContext } from '../edge/context.ts';
import { edgeKit } from '../edge/kit.ts';
import { preparePlugins } from '../edge/pipeline.ts';
import {
  allowsSlices,
  type CacheBypass,
  type Device,
  deviceOf,
  isSlicedFile,
  keyedQuery,
  languageOf,
  METHOD_OVERRIDE_FIELDS,
  ORIGIN_CONDITION_FIELDS,
  type RequestDirectives,
  type RouteCache,
  requestDirectives,
} from '../edge/shared-cache/index.ts';
import { withoutNulls } from '../without-nulls.ts';
import { visitedHostOf } from './edge-checks.ts';
import type { TracedRequest, TraceParts } from './trace.ts';
import { contextOf } from './traced-context.ts';

/** What the cache of a route makes of a request that nothing has stopped. */
export interface CacheJudgement {
  /** Whose settings hold. */
  readonly plugin: string;
  readonly cache: RouteCache;
  /** Why the request passes by the cache; undefined: it is looked for. */
  readonly bypass: CacheBypass | undefined;
  /** The part of the query that makes another object, and the arguments that do not. */
  readonly query: string;
  readonly leftOut: readonly string[];
  /** Undefined: it does not count. */
  readonly device: Device | undefined;
  readonly language: string | undefined;
  /** The file is fetched and stored slice by slice. */
  readonly isSliced: boolean;
  /** What the request's own directives ask of the cache; undefined where they are not obeyed, or it has none. */
  readonly asked: RequestDirectives | undefined;
}

const ORIGIN_JUDGED_FIELDS: readonly string[] = [...ORIGIN_CONDITION_FIELDS, ...METHOD_OVERRIDE_FIELDS];

function askedBy(context: EdgeContext, { policy }: RouteCache): RequestDirectives | undefined {
  const cacheControl = context.headerValues('cache-control');
  const pragma = context.headerValues('pragma');
  if (!policy.obeysRequests || cacheControl.length + pragma.length === 0) return undefined;
  return requestDirectives(cacheControl, pragma);
}

/**
 * Asks the handler of the plugin that keeps answers, as the edge does (cache-lookup.ts of the runner), and the rules of its key. Undefined:
 * nothing of the route is kept. Throws a RangeError for a client address that is none.
 */
export function judgeCache(
  route: EdgeRoute,
  request: TracedRequest,
  parts: TraceParts,
  isInDevelopment: boolean,
): CacheJudgement | undefined {
  const entries = withoutNulls(route.plugins) as EdgeRoute['plugins'];
  const plugin = preparePlugins(entries, parts.handlers, edgeKit, () => {}).cachePlugin;
  if (plugin?.cache === undefined) return undefined;
  const context = contextOf(request, visitedHostOf(request), parts);
  if (!context) throw new RangeError(`${request.clientAddress} is no address`);
  const { key } = plugin.cache;
  const isOfOrigin = request.headers.some(({ name }) => ORIGIN_JUDGED_FIELDS.includes(name.toLowerCase()));
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const bypassOfRequest = !isRead ? 'method' : isOfOrigin ? 'request' : undefined;
  const query = keyedQuery(key, request.query);
  const kept = query.split('&');
  return {
    plugin: plugin.name,
    cache: plugin.cache,
    // In the edge's order (access.ts of the runner).
    bypass: bypassOfRequest ?? (isInDevelopment ? 'development' : plugin.bypassesCache?.(context, plugin.prepared)),
    query,
    leftOut: request.query.split('&').filter((argument) => argument !== '' && !kept.includes(argument)),
    device: key.byDevice ? deviceOf(context.headerValues('user-agent')[0] ?? '') : undefined,
    language: key.languages.length > 0 ? languageOf(context.header('accept-language') ?? '', key.languages) : undefined,
    isSliced: isSlicedFile(context.request.path) && allowsSlices(plugin.cache.policy),
    asked: askedBy(context, plugin.cache),
  };
}
