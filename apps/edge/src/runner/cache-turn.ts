import { judgeReuse, requestDirectives } from '@cordon/plugin-kit/shared-cache';
import { refreshedFacts, refreshNumber, type Turn, takeRefresh, takeTurn, type Waiter } from './cache-collapse.ts';
import { NEWER, newestOf, REFRESH } from './cache-lookup.ts';
import { factsText, isStored, readObject, type StoredObject } from './cache-object.ts';
import { variedForm } from './cache-vary.ts';
import type { PreparedCache } from './prepared-route.ts';
import { readHeaderValues } from './request-headers.ts';

/** Which requests the fetching server makes wait for which others (cache-collapse.ts), and what is stored meanwhile. */

/** For how long what is stored serves while the origin fails: what a request says of that is before the rest, where it is obeyed. */
function staleIfErrorSeconds({ policy }: PreparedCache, stored: StoredObject, now: number): number {
  if (!policy.obeysRequests) return stored.staleIfErrorSeconds;
  return judgeReuse(requestDirectives(readHeaderValues('cache-control'), []), stored, now).staleIfErrorSeconds;
}

/** Who serves what is stored where the origin fails: nginx, as the object says, or the fetching server, as the request does; undefined: nobody. */
export function staleServerOf(
  cache: PreparedCache,
  stored: StoredObject | undefined,
  now: number,
): 'nginx' | 'fetching' | undefined {
  if (stored === undefined) return undefined;
  const seconds = staleIfErrorSeconds(cache, stored, now);
  if (now >= stored.freshUntil + seconds) return undefined;
  return now < stored.freshUntil + stored.staleIfErrorSeconds ? 'nginx' : 'fetching';
}

/** Of requests that get the same of a URL, as far as it is known by which fields its answers vary. */
function nameOf(routeId: string, key: string): string {
  const form = variedForm(routeId);
  return form === '' ? key : ngx.md5(`${key} ${form}`);
}

interface Asked extends Waiter {
  readonly cache: PreparedCache;
  readonly routeId: string;
  /** Of the object, as `keyOf` and `sliceKeyOf` have it. */
  readonly objectKey: string;
  /** nginx has something stale for it. */
  readonly isStale: boolean;
}

/** What is stored may turn out to be for requests with other fields than this one's: they have other names by then. */
function isArrived({ cache, routeId, objectKey, name, key }: Asked, facts: string): boolean {
  const stored = readObject(cache.zone, objectKey);
  if (stored !== undefined) return factsText(stored) === facts;
  return isStored(cache.zone, objectKey) && (name === key || name !== nameOf(routeId, key));
}

const mayServe = ({ cache, objectKey, isStale }: Asked): boolean =>
  isStale && staleServerOf(cache, readObject(cache.zone, objectKey), ngx.now()) !== undefined;

/** What a request is to do, and under which name and number others wait for it if it leads. */
export interface TakenTurn {
  readonly turn: Turn;
  readonly name: string;
  readonly number: number;
  readonly isOfRefresh: boolean;
}

/** `refresh`: `$cordon_cache_refresh`. */
export function turnOf(
  cache: PreparedCache,
  routeId: string,
  objectKey: string,
  key: string,
  refresh: string | undefined,
  isStale: boolean,
): TakenTurn {
  if (refresh !== undefined && refresh !== NEWER) return refreshTurnOf(cache, objectKey, key, refresh);
  const number = newestOf(cache);
  const name = nameOf(routeId, key);
  const stored = isStale || refresh === NEWER ? readObject(cache.zone, objectKey) : undefined;
  // Another one has just been put in the place of what nginx has found.
  if (isStale && stored !== undefined && stored.freshUntil > ngx.now())
    return { turn: 'again', name, number, isOfRefresh: false };
  const known = stored === undefined ? '' : factsText(stored);
  const waiter = { name, key, number, known, cameAt: ngx.now(), cache, routeId, objectKey, isStale };
  const turn = takeTurn(waiter, isArrived, mayServe);
  return { turn, name, number, isOfRefresh: false };
}

/** Under which others wait for a validation; undefined: they do not, because nothing of it is kept, or nothing is stored. */
function refreshNameOf(cache: PreparedCache, objectKey: string): string | undefined {
  if (requestDirectives(readHeaderValues('cache-control'), []).hasNoStore) return undefined;
  // Each variant is validated by itself.
  const stored = readObject(cache.zone, objectKey);
  return stored === undefined ? undefined : ngx.md5(`refresh ${stored.path}`);
}

function refreshTurnOf(cache: PreparedCache, objectKey: string, key: string, refresh: string): TakenTurn {
  const name = refresh === REFRESH ? refreshNameOf(cache, objectKey) : undefined;
  if (name === undefined) return { turn: 'each', name: key, number: 0, isOfRefresh: true };
  const number = refreshNumber();
  const turn = takeRefresh({ name, key: name, number, known: '', cameAt: ngx.now() });
  const isLost = turn === 'again' && !isInPlace(cache, objectKey, refreshedFacts(name));
  return { turn: isLost ? 'each' : turn, name, number, isOfRefresh: true };
}

/** Whether what another request has brought is where nginx finds it; waits for that. */
function isInPlace(cache: PreparedCache, objectKey: string, facts: string): boolean {
  for (let look = 0; look < PLACE_LOOKS; look++) {
    const stored = readObject(cache.zone, objectKey);
    if (stored !== undefined && factsText(stored) === facts) return true;
    ngx.sleep(LOOK_SECONDS);
  }
  return false;
}
const PLACE_LOOKS = 20;
const LOOK_SECONDS = 0.005;
