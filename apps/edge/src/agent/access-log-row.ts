import type { AccessLogRow } from '@cordon/contract/edge-config';
import { WITHHELD_PATH } from '@cordon/contract/sent-path';

/** One line as nginx writes it (log_format `cordon` in nginx.conf.template). */
interface RawLine {
  readonly t: number;
  readonly id: string;
  /** Route id, account id, version and, of a test attack, `test`, by spaces. */
  readonly r: string;
  readonly h: string;
  readonly m: string;
  readonly p: string;
  /** Left out by nginx of an earlier release. */
  readonly rp?: string;
  readonly q: string;
  readonly s: string;
  readonly v: string;
  /** Three digits; `000` where a stream of HTTP/2 ended before its head was read. */
  readonly c: string;
  readonly o: number;
  readonly i: number;
  readonly d: number;
  readonly a: string;
  readonly g: string;
  readonly ua: string;
  readonly rf: string;
  /** Upstream addresses, states and times: one for each try, by `, `. */
  readonly ut: string;
  readonly us: string;
  readonly ud: string;
  /** Plugin, action, reason and rule, by tabs. */
  readonly x: string;
  /** nginx's `$upstream_cache_status` (of all that is stale, `STALE`), why the request passed by the cache, and why its answer was not stored. */
  readonly cs?: string;
  readonly cb?: string;
  readonly cn?: string;
}

/** What nginx answers, were there anything to answer it to. */
const BAD_REQUEST = 400;
/** Where nginx answers requests without a path that it can read (nginx.conf.template). */
const UNREADABLE_PATH = '/../error';

const ACTIONS: ReadonlySet<string> = new Set(['block', 'challenge', 'redirect', 'log', 'allow']);

/** At most `max` UTF-16 units, no half of a pair at the end. */
function bound(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, max);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000);
}

function sumOfTries(text: string): number {
  return text.split(/[,:] /).reduce((sum, part) => sum + (Number(part) || 0), 0);
}

function lastOfTries(text: string): string {
  return text.split(', ').at(-1) ?? '';
}

/** By nginx's `$upstream_cache_status`. */
export const CACHE_OUTCOMES: ReadonlyMap<string, AccessLogRow['cache']> = new Map([
  ['HIT', 'hit'],
  ['STALE', 'stale'],
  ['UPDATING', 'stale'],
  ['REVALIDATED', 'revalidated'],
  ['MISS', 'miss'],
  ['EXPIRED', 'expired'],
]);

/** What the cache had to do with a request that nothing else ended. */
function cacheOf({ cs = '', cb = '', cn = '' }: RawLine): Pick<AccessLogRow, 'cache' | 'cache_reason'> {
  if (cb !== '') return { cache: 'bypass', cache_reason: bound(cb, 32) };
  // Without the cache, the reason is what an origin has written.
  return { cache: CACHE_OUTCOMES.get(cs) ?? '', cache_reason: cs === '' ? '' : bound(cn, 32) };
}

/** Row of a line of nginx's log; undefined when the line is not whole (a crash cut it off). */
export function toAccessLogRow(line: string): AccessLogRow | undefined {
  let raw: RawLine;
  try {
    raw = JSON.parse(line) as RawLine;
  } catch {
    return undefined;
  }
  const [routeId = '', accountId = '', version = '', test] = raw.r.split(' ');
  const [plugin = '', action = '', reason = '', rule = ''] = raw.x.split('\t');
  return {
    time: raw.t,
    request_id: raw.id,
    route_id: routeId,
    account_id: accountId,
    host: bound(raw.h, 255),
    method: bound(raw.m, 32),
    path: raw.p === UNREADABLE_PATH ? '' : bound(raw.p, 2048),
    // One that is cut off would be another path.
    raw_path: raw.rp === undefined ? '' : raw.rp.length > 2048 ? WITHHELD_PATH : raw.rp,
    query: bound(raw.q, 2048),
    scheme: raw.s,
    protocol: bound(raw.v, 16),
    status: Number(raw.c) || BAD_REQUEST,
    bytes_sent: raw.o,
    bytes_received: raw.i,
    duration_ms: milliseconds(raw.d),
    client_address: bound(raw.a, 45),
    country: bound(raw.g, 2),
    user_agent: bound(raw.ua, 512),
    referer: bound(raw.rf, 512),
    upstream_address: bound(lastOfTries(raw.ut), 255),
    // What ended the exchange was not the origin.
    upstream_status: reason === 'body_too_slow' ? 0 : Number(lastOfTries(raw.us)) || 0,
    upstream_ms: milliseconds(sumOfTries(raw.ud)),
    ...cacheOf(raw),
    plugin: bound(plugin, 64),
    action: ACTIONS.has(action) ? (action as AccessLogRow['action']) : '',
    reason: bound(reason, 64),
    rule: bound(rule, 128),
    version: Number(version) || 0,
    ...(test === 'test' && { is_test: true }),
  };
}
