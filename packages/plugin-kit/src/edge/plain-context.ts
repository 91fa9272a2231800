import { type Address, formatAddress, formatRange } from '@cordon/contract/address';
import { matchAddressSet } from '@cordon/contract/address-set';
import { isWayEnough } from './challenge.ts';
import { clientNetworkOf } from './client-network.ts';
import type { ChallengeWay, FeedEntry, HeaderField, RunContext } from './context.ts';
import { decodeForm } from './form-encoding.ts';
import { hmacSha256Hex } from './hmac.ts';
import { indexArguments, indexCookies, type NamedIndex } from './named-values.ts';
import {
  isFieldName,
  type NamedValues,
  readArguments,
  readCookies,
  valuesOf,
  withFieldValue,
} from './request-fields.ts';
import { normalizePath, readingsOfPath } from './request-path.ts';
import { createRequestWork, matchesAnyWithin, matchesWithin, possibleWithin, spendOn } from './request-work.ts';
import {
  type Counters,
  countInWindow,
  createWindowMemory,
  forgetWindow,
  markKey,
  type WindowMemory,
} from './window-count.ts';

/** A request as plain data, for where no visitor waits: tests, request trace, replay of recorded requests. */
export interface PlainRequest {
  readonly method: string;
  readonly scheme: 'http' | 'https';
  readonly host: string;
  /** As the visitor sent it, without query. One that nginx refuses is taken for `/`. */
  readonly path: string;
  readonly query: string;
  /** Header fields as the visitor sent them, Host among them. */
  readonly headers: readonly HeaderField[];
  readonly clientAddress: Address;
  /** ISO 3166-1 alpha-2, or empty when unknown. */
  readonly country: string;
  /** 0 when unknown, and when left out. */
  readonly asn?: number;
  /** The crawler that the client is proved to be, or empty. */
  readonly crawler: string;
  /** It claims to be one, and DNS gave no answer; false when left out. */
  readonly isPossibleCrawler?: boolean;
  /** The client has proved itself in this way, and when, Unix seconds; it has not when left out. */
  readonly proof?: { readonly way: ChallengeWay; readonly at: number };
  /** Seconds since 1970. */
  readonly now: number;
}

/** What is known beyond one request, where no node keeps it. */
export interface PlainState {
  /** By feed, the entry that holds the client. */
  readonly feeds: Readonly<Record<string, FeedEntry | undefined>>;
  readonly counters: Counters;
  /** Left out, nothing is remembered. */
  readonly windows?: WindowMemory;
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
    forget: (key) => {
      counts[key] = undefined;
    },
  };
}

/** Nothing but the one request. */
export const createPlainState = (feeds: PlainState['feeds'] = {}): PlainState => ({
  feeds,
  counters: createPlainCounters(),
  windows: createWindowMemory(),
});

/** Takes the same time wherever they differ. */
function isEqualText(this: void, one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}

/** Value of the header fields of a name in lower case, as `EdgeContext.header` has it. */
function headerValue(this: void, plain: PlainRequest, name: string): string | undefined {
  let value: string | undefined;
  for (const field of plain.headers) {
    if (isFieldName(field.name) && field.name.toLowerCase() === name) value = withFieldValue(name, value, field.value);
  }
  return value;
}

function headerValues(this: void, plain: PlainRequest, name: string): string[] {
  if (name === 'cookie') {
    const cookies = headerValue(plain, name);
    return cookies === undefined ? [] : [cookies];
  }
  const values: string[] = [];
  for (const field of plain.headers) {
    if (isFieldName(field.name) && field.name.toLowerCase() === name)
      values.push(withFieldValue(name, undefined, field.value));
  }
  return values;
}

/**
 * The context of a request that is plain data. Runs in Node (the API's request trace and replay) and, emitted as Lua,
 * in the tests under LuaJIT.
 */
export function createPlainContext(plain: PlainRequest, state: PlainState): RunContext {
  const client = formatRange(clientNetworkOf(plain.clientAddress));
  const keyOf = (name: string, proof: number | undefined) => `${client} ${name} ${proof ?? ''} `;
  const windows = state.windows ?? createWindowMemory();
  const counted: { readonly key: string; readonly seconds: number }[] = [];
  const work = createRequestWork();
  const path = normalizePath(plain.path) ?? '/';
  let readings: readonly string[] | undefined;
  let query: string | undefined;
  let cookies: NamedValues | undefined;
  let queried: NamedValues | undefined;
  let possibleCookies: NamedIndex | undefined;
  let possibleArguments: NamedIndex | undefined;
  const forgetCounted = (only: string | undefined): void => {
    for (const { key, seconds } of counted)
      if (only === undefined || key === only) forgetWindow(state.counters, windows, key, plain.now, seconds);
  };
  const pathReadings = (): readonly string[] => {
    readings ??= readingsOfPath(path, plain.path);
    return readings;
  };
  return {
    request: {
      method: plain.method,
      scheme: plain.scheme,
      host: plain.host,
      path,
      rawPath: plain.path,
      query: plain.query,
      clientAddress: plain.clientAddress,
      clientAddressText: formatAddress(plain.clientAddress),
      country: plain.country,
      asn: plain.asn ?? 0,
    },
    now: plain.now,
    header: (name) => headerValue(plain, name),
    headerValues: (name) => headerValues(plain, name),
    pathReadings,
    decodedQuery: () => {
      query ??= decodeForm(plain.query);
      return query;
    },
    cookieValues: (name) => {
      cookies ??= readCookies(headerValue(plain, 'cookie') ?? '');
      return valuesOf(cookies, name);
    },
    argumentValues: (name) => {
      queried ??= readArguments(plain.query);
      return valuesOf(queried, name);
    },
    possibleCookieValues: (name) => {
      possibleCookies ??= indexCookies(headerValue(plain, 'cookie') ?? '');
      return possibleWithin(work, possibleCookies, name);
    },
    possibleArgumentValues: (name) => {
      possibleArguments ??= indexArguments(plain.query);
      return possibleWithin(work, possibleArguments, name);
    },
    matchAddress: (set) => matchAddressSet(set, plain.clientAddress),
    verifiedCrawler: () => (plain.crawler === '' ? undefined : plain.crawler),
    isPossibleCrawler: () => plain.isPossibleCrawler === true,
    matches: (pattern, text) => matchesWithin(work, pattern, text),
    matchesPath: (pattern) => matchesAnyWithin(work, pattern, pathReadings()),
    spendOn: (text, stepsOfText, stepsOfByte) => spendOn(work, text, stepsOfText, stepsOfByte),
    doubtCount: () => work.doubtCount,
    // It is the only request.
    isWithoutEffect: () => false,
    noteWithoutEffect: () => {},
    count: (name, seconds, proof) => {
      const key = keyOf(name, proof);
      counted.push({ key, seconds });
      return countInWindow(state.counters, windows, key, plain.now, seconds);
    },
    forgetCounts: () => forgetCounted(undefined),
    mark: (name, seconds, proof) => {
      const key = keyOf(name, proof);
      state.counters.add(markKey(key), seconds);
      forgetCounted(key);
    },
    isMarked: (name, proof) => state.counters.get(markKey(keyOf(name, proof))) > 0,
    provedAt: (way) => {
      const { proof } = plain;
      if (proof !== undefined && isWayEnough(proof.way, way)) return proof.at;
      return plain.crawler === '' ? undefined : plain.now;
    },
    isSignedBy: (secret, text, signature) => secret !== '' && isEqualText(hmacSha256Hex(secret, text), signature),
    feed: (name) => state.feeds[name],
  };
}
