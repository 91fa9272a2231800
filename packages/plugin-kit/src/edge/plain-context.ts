import { type Address, formatAddress } from '@cordon/contract/address';
import { matchAddressSet } from '@cordon/contract/address-set';
import type { EdgeContext } from './context.ts';

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
export function createPlainContext(plain: PlainRequest): EdgeContext {
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
  };
}
