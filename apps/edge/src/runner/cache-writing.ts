import * as ffi from 'ffi';
import { get_request } from 'resty.core.base';
import { giveUpLead, tellTooLarge } from './cache-collapse.ts';
import { keyOf, sliceKeyOf } from './cache-lookup.ts';
import { hasRoomForObjects } from './cache-space.ts';
import { CACHEABLE, hasBit, upstreamOf } from './native-request.ts';
import type { CacheZone } from './prepared-route.ts';
import { recur } from './recurring.ts';
import { passedRoute } from './request-state.ts';
import { options } from './runner-options.ts';

/**
 * Copies that nginx is writing of answers on their way to visitors. It knows no bound for one of unknown length, and breaks an answer off whose
 * copy it has no room for: here a copy is given up, in nginx's own structures, and the answer goes on to its visitor as one that is not
 * stored. What was written of it is gone when the answer has ended.
 */
interface Writing {
  readonly request: NativeRequest;
  /** To the fetching server: as long as it is the request's, the request is there. */
  readonly connection: NativeConnection;
  /** Which one was in that place of memory: soon another is, mostly, and of a request in the same place, too. */
  readonly number: number;
  readonly routeId: string;
  readonly zone: CacheZone;
  /** Of the key, as requests for it are collapsed by. */
  readonly name: string;
  isGivenUp: boolean;
}

/** Shorter answers, where their length is known, are whole before anybody looks. */
const WATCHED_BYTES_MIN = 1024 * 1024;

let writings: Writing[] = [];
let isUnknown = false;

const STORED_ALREADY: readonly string[] = ['HIT', 'STALE', 'UPDATING', 'REVALIDATED'];

/** To be called in the header filter of an answer that nginx's cache gives. */
export function noteWriting(cacheStatus: string, scheme: string): void {
  const variables = ngx.var;
  if (isUnknown || STORED_ALREADY.includes(cacheStatus)) return;
  if (variables.upstream_http_cordon_stored === undefined || variables.upstream_http_cordon_unstored !== undefined)
    return;
  const bytes = tonumber(variables.upstream_http_content_length);
  if (bytes !== undefined && bytes < WATCHED_BYTES_MIN) return;
  const route = passedRoute();
  const request = get_request();
  // A null pointer is undefined in comparisons only.
  const upstream = request === undefined ? undefined : upstreamOf(request);
  const connection = upstream === undefined ? undefined : upstream.connection;
  if (route === undefined || route.cache === undefined || request === undefined || connection === undefined) return;
  const key = keyOf(
    variables.cordon_cache_prefix ?? '',
    scheme,
    variables.host ?? '',
    variables.cordon_cache_target ?? '',
  );
  const name = ngx.md5(sliceKeyOf(key, variables.slice_range ?? ''));
  const { number } = connection;
  writings.push({ request, connection, number, routeId: route.id, zone: route.cache.zone, name, isGivenUp: false });
}

/** Of an exchange beside it: `accel` and `buffering` are set, `store` and `ssl` are not. */
const isOfProxy = (flags: number): boolean => flags >= 128 && flags % 2 === 0 && Math.floor(flags / 4) % 4 === 1;

const isStoring = (flags: number): boolean => hasBit(flags, CACHEABLE);

/** Undefined: it is over, or its answer is not stored. */
function exchangeOf({ request, connection, number, isGivenUp }: Writing): NativeUpstream | undefined {
  if (connection.number !== number || connection.data !== ffi.cast<object>('void *', request)) return undefined;
  const upstream = upstreamOf(request);
  if (upstream === undefined || upstream.connection !== connection) return undefined;
  return isGivenUp || isStoring(upstream.flags) ? upstream : undefined;
}

/** Whether nginx's structures are what they are taken for. */
function isKnown({ request, connection }: Writing, { flags, pipe }: NativeUpstream): boolean {
  if (pipe === undefined || !isOfProxy(flags)) return false;
  return pipe.upstream === connection && pipe.request === ffi.cast<object>('void *', request);
}

const bytesOf = ({ pipe }: NativeUpstream): number => (pipe === undefined ? 0 : (tonumber(pipe.bytes as never) ?? 0));

function giveUp(writing: Writing, upstream: NativeUpstream): void {
  const { pipe } = upstream;
  if (writing.isGivenUp || pipe === undefined || !isStoring(pipe.flags)) return;
  upstream.flags -= CACHEABLE;
  pipe.flags -= CACHEABLE;
  writing.isGivenUp = true;
  if (bytesOf(upstream) > options.cacheObjectBytes[writing.zone]) tellTooLarge(writing.name);
  else giveUpLead(writing.name);
}

interface Exchange {
  readonly writing: Writing;
  readonly upstream: NativeUpstream;
}

/** Those that are not over. */
function lookAround(): Exchange[] {
  const exchanges: Exchange[] = [];
  for (const writing of writings) {
    const upstream = exchangeOf(writing);
    if (upstream !== undefined) {
      if (!isKnown(writing, upstream)) {
        isUnknown = true;
        ngx.log(ngx.ERR, 'copies of answers of unknown length have no bound: nginx is not as known');
        return [];
      }
      exchanges.push({ writing, upstream });
    }
  }
  return exchanges;
}

/**
 * What is being written of a route, or was and is not read yet, may be as long as one object. So one with answers that do not end takes no more
 * of the disk than that for each worker, however many ask for them.
 */
function bound(this: void): void {
  if (writings.length === 0) return;
  const exchanges = lookAround();
  writings = exchanges.map(({ writing }) => writing);
  const bytes = new LuaTable<string, number>();
  for (const { writing, upstream } of exchanges)
    bytes.set(writing.routeId, (bytes.get(writing.routeId) ?? 0) + bytesOf(upstream));
  const hasRoom = hasRoomForObjects();
  for (const { writing, upstream } of exchanges) {
    const isTooMuch = bytes.get(writing.routeId) > options.cacheObjectBytes[writing.zone];
    if (isTooMuch || !hasRoom) giveUp(writing, upstream);
  }
}

/** `init_worker_by_lua`. */
export function boundWriting(): void {
  recur(1, bound);
}
