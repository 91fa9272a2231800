import { currentGeneration } from './generation.ts';
import { leaveUnlogged } from './logged-rows.ts';
import { hmacSha256Hex, isEqualSecret } from './native.ts';
import type { PreparedRoute } from './prepared-route.ts';
import { settingsAt } from './settings.ts';

/**
 * Visits of the node's own: its agent asks for a URL as a visitor would, to have it in the cache, or to see what becomes of it. No plugin
 * has a say about them, and no row or figure tells of them; from there on they are requests like any other. A mark is signed by the key that
 * the agent makes for nginx at each start, for one request to one route within seconds. What has a good mark never goes on as a
 * visitor's, also where it cannot be admitted; what has none is an ordinary visitor's.
 */

const MARK_BYTES_MAX = 200;
/** Marks that have been used, until they are late. */
const used = ngx.shared.cordon_visits as SharedDict;
/** Longer than any that the agent signs. */
const MARK_SECONDS_MAX = 60;

/**
 * Who origins are told has asked: nobody (RFC 5737). The address that has connected is this machine, by which many origins would take the
 * request for one of their own.
 */
const NOBODY = '192.0.2.1';

/** `refresh`: the origin is asked even where what is stored is fresh. */
export type OwnVisit = 'visit' | 'refresh';

/** `<route id>~<expiry in Unix seconds>~<id>~<1: refresh>~<signature in hex>` */
function readMark(text: string): { routeId: string; expiry: number; id: string; isRefresh: boolean } | undefined {
  const settings = settingsAt(currentGeneration());
  if (text.length > MARK_BYTES_MAX || settings === undefined) return undefined;
  const key = settings.test_key ?? '';
  const parts = text.split('~');
  if (key === '' || parts.length !== 5) return undefined;
  const [routeId, expiry, id, refresh, signature] = parts as [string, string, string, string, string];
  if (!isEqualSecret(signature, hmacSha256Hex(key, `visit ${routeId}~${expiry}~${id}~${refresh}`))) return undefined;
  return { routeId, expiry: tonumber(expiry) ?? 0, id, isRefresh: refresh === '1' };
}

/** Whether the mark is in time and has not been used; where there is no room to remember it, it does not hold. */
function isFirst(id: string, expiry: number): boolean {
  const seconds = expiry - ngx.now();
  if (seconds <= 0 || seconds > MARK_SECONDS_MAX) return false;
  const [isStored] = used.safe_add(id, 1, seconds + 1);
  return isStored === true;
}

/** Admits a request by its mark. `refused`: the mark is good, but for another route, late, or used. `visitor`: there is none that is good. */
export function admitVisit(route: PreparedRoute): OwnVisit | 'refused' | 'visitor' {
  const mark = readMark(ngx.var.http_cordon_visit ?? '');
  if (mark === undefined) return 'visitor';
  leaveUnlogged();
  if (mark.routeId !== route.id || !isFirst(mark.id, mark.expiry)) return 'refused';
  ngx.var.cordon_client = NOBODY;
  return mark.isRefresh ? 'refresh' : 'visit';
}
