import { formatRange, parseRange } from '@cordon/contract/address';
import { CLIENT_PREFIX_6 } from '@cordon/plugin-kit/client-network';
import type { Address, FeedEntry } from '@cordon/plugin-kit/edge';
import * as lrucache from 'resty.lrucache';
import { beginGeneration } from './generation.ts';
import { keyTag, networkKey, tagIn } from './network-key.ts';
import type { RunnerFeedEntries, RunnerFeedPrefixes } from './payload.ts';
import type { PreparedRoute } from './prepared-route.ts';

/**
 * Feeds: addresses and ranges that the control plane keeps up to date apart from routes. `cordon_feeds` holds, by
 * network and scope (a route or an account), `<until> <network>`, and for each scope of a feed that has any, which
 * prefix lengths occur, narrowest first: `32,24;64`. Nothing is evicted: what does not fit is reported.
 */
const feeds = ngx.shared.cordon_feeds as SharedDict;
const meta = ngx.shared.cordon_meta as SharedDict;

/** Share of the memory that is kept free for bans of this node, and for switches for all visitors: others' entries must not take these away. */
const RESERVED_SHARE = 0.1;
const reservedBytes = feeds.capacity() * RESERVED_SHARE;

/** Whether there is room for more entries of the control plane. */
export const hasRoomForFeeds = (): boolean => feeds.free_space() >= reservedBytes;

interface Prefixes {
  readonly four: readonly number[];
  readonly six: readonly number[];
}

/** There are few different ones. */
const PREFIXES_MAX = 1000;
const parsedPrefixes = lrucache.new<Prefixes>(PREFIXES_MAX);

function readNumbers(text: string): number[] {
  const numbers: number[] = [];
  for (const part of text.split(',')) {
    const number = tonumber(part);
    if (number !== undefined) numbers.push(number);
  }
  return numbers;
}

function prefixesOf(text: string): Prefixes {
  let prefixes = parsedPrefixes.get(text);
  if (prefixes === undefined) {
    const [four = '', six = ''] = text.split(';');
    prefixes = { four: readNumbers(four), six: readNumbers(six) };
    parsedPrefixes.set(text, prefixes);
  }
  return prefixes;
}

function readEntry(text: string): FeedEntry {
  const [until = '0', network = ''] = text.split(' ');
  return { network, until: tonumber(until) ?? 0 };
}

/** The narrowest entry that holds the address. */
export function findInFeed(tag: string, address: Address): FeedEntry | undefined {
  const text = feeds.get(tag) as string | undefined;
  if (text === undefined) return undefined;
  const { four, six } = prefixesOf(text);
  for (const prefix of address.family === 4 ? four : six) {
    const found = feeds.get(networkKey(address, prefix, tag)) as string | undefined;
    if (found !== undefined) return readEntry(found);
  }
  return undefined;
}

const textOf = (until: number, network: string): string => `${until} ${network}`;

/** @param seconds Until it ends; 0: it does not. */
function storeFeedEntry(tag: string, network: string, until: number, seconds: number): string | undefined {
  const range = parseRange(network);
  if (range === undefined) return `${network} is no network`;
  const key = networkKey({ family: range.family, words: range.first }, range.prefix, tag);
  if (seconds < 0) {
    feeds.delete(key);
    return undefined;
  }
  // A switch for all visitors is at most two entries of a route or an account.
  const isForAll = range.prefix === 0;
  if (!isForAll && !hasRoomForFeeds() && feeds.get(key) === undefined) return 'what is left is for bans of this node';
  const [stored, error] = feeds.safe_set(key, textOf(until, formatRange(range)), seconds);
  return stored === true ? undefined : (error ?? 'not stored');
}

/** Stores, changes or (when they have ended) removes entries. Answers how many it cannot, and why not the last of them. */
export function storeFeedEntries({ feed, scope, networks, until }: RunnerFeedEntries): {
  failed: number;
  error: string;
} {
  const tag = keyTag(`${feed} ${scope}`);
  const left = until === undefined ? 0 : until - ngx.now();
  // To the shared memory, 0 is no end.
  const seconds = until !== undefined && left <= 0 ? -1 : left;
  const result = { failed: 0, error: '' };
  for (const network of networks) {
    const failure = storeFeedEntry(tag, network, until ?? 0, seconds);
    if (failure !== undefined) {
      result.failed++;
      result.error = failure;
    }
  }
  return result;
}

/** Which prefix lengths occur in a feed of a scope; undefined: it has no entry. */
export function storeFeedPrefixes({ feed, scope, prefixes }: RunnerFeedPrefixes): string | undefined {
  const tag = keyTag(`${feed} ${scope}`);
  const isKnown = feeds.get(tag) !== undefined;
  let failure: string | undefined;
  if (prefixes === undefined) {
    feeds.delete(tag);
  } else {
    const [stored, error] = feeds.safe_set(tag, prefixes);
    if (stored !== true) failure = error ?? 'not stored';
  }
  // After the change: a worker that looks again must not see what was before.
  if (isKnown === (prefixes === undefined)) beginGeneration();
  return failure;
}

/** The agent says the same shortly after, with all other lengths that occur. */
function addPrefix(tag: string, family: 4 | 6, prefix: number): string | undefined {
  const text = feeds.get(tag) as string | undefined;
  const { four, six } = prefixesOf(text ?? ';');
  const known = family === 4 ? four : six;
  if (known.includes(prefix)) return undefined;
  const lengths = [...known, prefix].sort((left, right) => right - left).join(',');
  const listed = family === 4 ? `${lengths};${six.join(',')}` : `${four.join(',')};${lengths}`;
  const [stored, error] = feeds.safe_set(tag, listed);
  if (stored !== true) return error ?? 'not stored';
  if (text === undefined) beginGeneration();
  return undefined;
}

/** Puts a client's network into a feed on this node. Answers why not when it cannot: `exists`, `no memory`. */
export function addToFeed(tag: string, address: Address, network: string, seconds: number): string | undefined {
  const prefix = address.family === 4 ? 32 : CLIENT_PREFIX_6;
  const until = Math.ceil(ngx.now() + seconds);
  const [added, error] = feeds.safe_add(networkKey(address, prefix, tag), textOf(until, network), seconds);
  if (added !== true) return error ?? 'not stored';
  return addPrefix(tag, address.family, prefix);
}

/** Takes it out again. */
export function removeFromFeed(tag: string, address: Address): void {
  feeds.delete(networkKey(address, address.family === 4 ? 32 : CLIENT_PREFIX_6, tag));
}

/**
 * Whether a feed that plugins of the route ask has an entry, for the route or its account. Looked up once for a
 * generation: most routes have none, and pay nothing.
 */
export function hasFeedEntries(route: PreparedRoute, generation: number): boolean {
  if (route.feedGeneration !== generation) {
    let hasEntries = false;
    for (const feed of route.feeds) {
      if (feeds.get(tagIn(route.routeTags, feed, route.id)) !== undefined) hasEntries = true;
      if (feeds.get(tagIn(route.accountTags, feed, route.accountId)) !== undefined) hasEntries = true;
    }
    route.hasFeedEntries = hasEntries;
    route.feedGeneration = generation;
  }
  return route.hasFeedEntries;
}

const FREED_AT_ONCE = 10_000;
const FREED_EVERY_SECONDS = 10;

/** Frees what has ended; entries that end are otherwise only passed over. Now and then only: it looks at all entries. */
export function freeEndedEntries(): void {
  const [isDue] = meta.safe_add('feeds_freed', 1, FREED_EVERY_SECONDS);
  if (isDue === true) feeds.flush_expired(FREED_AT_ONCE);
}

export const feedBytesFree = (): number => feeds.free_space();
