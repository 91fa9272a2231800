import { type Address, formatAddress, formatRange } from '@cordon/contract/address';
import { matchAddressSet } from '@cordon/contract/address-set';
import { clientNetworkOf } from './client-network.ts';
import type { EdgeContext, FeedEntry } from './context.ts';
import { isFound } from './pattern.ts';
import { type Counters, countInWindow } from './window-count.ts';

/** A request as plain data, for where no visitor waits: tests, request trace, replay of recorded requests. */
export interface PlainRequest {
  readonly method: string;
  readonly scheme: 'http' | 'https';
  readonly host: string;
  /** As the visitor sent it. */
  readonly path: string;
  readonly query: string;
  /** Header fields by name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly clientAddress: Address;
  /** ISO 3166-1 alpha-2, or empty when unknown. */
  readonly country: string;
  /** The crawler that the client is proved to be, or empty. */
  readonly crawler: string;
  /** Seconds since 1970. */
  readonly now: number;
}

/** What is known beyond one request, where no node keeps it. */
export interface PlainState {
  /** By feed, the entry that holds the client. */
  readonly feeds: Readonly<Record<string, FeedEntry | undefined>>;
  readonly counters: Counters;
}

/** Counters that are kept in memory and never end. */
export function createPlainCounters(): Counters {
  const counts: { [key: string]: number | undefined } = {};
  return {
    add: (key) => {
      const count = (counts[key] ?? 0) + 1;
      counts[key] = count;
      return count;
    },
    get: (key) => counts[key] ?? 0,
  };
}

/** Nothing but the one request. */
export const createPlainState = (feeds: PlainState['feeds'] = {}): PlainState => ({
  feeds,
  counters: createPlainCounters(),
});

/** Value of a cookie in the value of a Cookie header field (RFC 6265 4.2.1); undefined when it is not there. */
function cookieValue(cookies: string, name: string): string | undefined {
  const wanted = `${name}=`;
  let start = 0;
  while (start < cookies.length) {
    while (start < cookies.length && cookies.charCodeAt(start) === 32) start++;
    let end = start;
    while (end < cookies.length && cookies.charCodeAt(end) !== 59) end++;
    const pair = cookies.substring(start, end);
    if (pair.startsWith(wanted)) return pair.substring(wanted.length);
    start = end + 1;
  }
  return undefined;
}

/**
 * The context of a request that is plain data. Runs in Node (the API's request trace and replay) and, emitted as Lua,
 * in the tests under LuaJIT.
 */
export function createPlainContext(plain: PlainRequest, state: PlainState): EdgeContext {
  const client = formatRange(clientNetworkOf(plain.clientAddress));
  return {
    request: {
      method: plain.method,
      scheme: plain.scheme,
      host: plain.host,
      path: plain.path,
      rawPath: plain.path,
      query: plain.query,
      clientAddress: plain.clientAddress,
      clientAddressText: formatAddress(plain.clientAddress),
      country: plain.country,
    },
    now: plain.now,
    header: (name) => plain.headers[name],
    cookie: (name) => {
      const cookies = plain.headers.cookie;
      return cookies === undefined ? undefined : cookieValue(cookies, name);
    },
    matchAddress: (set) => matchAddressSet(set, plain.clientAddress),
    verifiedCrawler: () => (plain.crawler === '' ? undefined : plain.crawler),
    matches: (pattern, text) => isFound(pattern, text),
    count: (name, seconds) => countInWindow(state.counters, `${client} ${name} `, plain.now, seconds),
    feed: (name) => state.feeds[name],
  };
}
