import { formatRange } from '@cordon/contract/address';
import { clientNetworkOf } from '@cordon/plugin-kit/client-network';
import type { BlockVerdict } from '@cordon/plugin-kit/edge';
import { BANS_FEED, NODE_BANS_MAX } from '@cordon/plugin-kit/feeds';
import * as json from 'cjson.safe';
import { addressOf } from './client-address.ts';
import { addToFeed, removeFromFeed } from './feeds.ts';
import { keyTag, TAG_BYTES, tagIn } from './network-key.ts';
import type { RunnerBan, RunnerBans, RunnerFeedsCursor, RunnerOwnBans } from './payload.ts';
import type { PreparedRoute } from './prepared-route.ts';

/** Bans that the agent does not have on disk yet, as the account's tag and JSON: it asks several times a second. */
const waiting = ngx.shared.cordon_bans as SharedDict;
const LIST = 'waiting';
/** Those that it was given last. Also one that is killed with them has left them here for the next. */
const TAKEN = 'taken';
const meta = ngx.shared.cordon_meta as SharedDict;
/** Number of the batch that was given last, which distinguishes it from those before it. */
const BATCH = 'bans_batch';
const FEEDS_CURSOR = 'feeds_cursor';
const WAITING_MAX = 5000;
/** Of one account: while the agent takes none, the others' must find room. */
const WAITING_OF_ACCOUNT_MAX = 1000;

/** A ban that found no room is reported once in this time, although each request of the client is judged anew. */
const FAILURE_SECONDS = 60;

/**
 * Counts of bans of this node, of which an account may have `NODE_BANS_MAX`. Bans in the feed of the control plane do
 * not count: it bounds them itself. `held` are those that the agent has taken, `untaken` those that it has not.
 */
const OWN_BANS = 'own bans';
/** The agent sends its counts again each minute. A count that an agent without its state no longer corrects ends. */
const COUNT_SECONDS = 600;
const heldKey = (accountTag: string): string => `held ${accountTag}`;
const untakenKey = (accountTag: string): string => `untaken ${accountTag}`;

/** How much has been heard of the feeds, for bans that are given from now on. Answers why not when it cannot be kept. */
export function storeFeedsCursor({ cursor }: RunnerFeedsCursor): string | undefined {
  const [stored, error] = meta.safe_set(FEEDS_CURSOR, cursor);
  return stored === true ? undefined : (error ?? 'not stored');
}

/** How many bans of this node the agent has taken and not yet given back. Answers why not when it cannot be kept. */
export function storeOwnBans({ account, own_bans }: RunnerOwnBans): string | undefined {
  const key = heldKey(keyTag(`${OWN_BANS} ${account}`));
  if (own_bans === 0) {
    waiting.delete(key);
    return undefined;
  }
  const [stored, error] = waiting.safe_set(key, own_bans, COUNT_SECONDS);
  return stored === true ? undefined : (error ?? 'not stored');
}

function hasRoom(accountTag: string, isFree: boolean): boolean {
  const held = (waiting.get(heldKey(accountTag)) ?? 0) as number;
  const untaken = (waiting.get(untakenKey(accountTag)) ?? 0) as number;
  return untaken < WAITING_OF_ACCOUNT_MAX && held + untaken < (isFree ? NODE_BANS_MAX.free : NODE_BANS_MAX.vip);
}

function countUntaken(accountTag: string): void {
  // An initial value given to `incr` would evict what was used longest ago, which may be the list.
  waiting.safe_add(untakenKey(accountTag), 0, COUNT_SECONDS);
  waiting.incr(untakenKey(accountTag), 1);
}

/** It counts among those of the agent at once, which says its own count a little later. */
function countTaken(accountTag: string): void {
  waiting.safe_add(heldKey(accountTag), 0, COUNT_SECONDS);
  waiting.incr(heldKey(accountTag), 1);
  const left = waiting.incr(untakenKey(accountTag), -1);
  if (left !== undefined && left <= 0) waiting.delete(untakenKey(accountTag));
}

/** A client that is not kept out here may be on other nodes, and its ban is listed. */
function isFirstFailure(client: string, seconds: number): boolean {
  const [added] = waiting.safe_add(`failed ${client}`, 1, Math.min(seconds, FAILURE_SECONDS));
  if (added !== true) return false;
  ngx.log(ngx.ERR, 'a ban is not kept on this node: no memory');
  return true;
}

/** Whether the agent will get it. */
function queueForAgent(accountTag: string, ban: RunnerBan): boolean {
  const [length] = waiting.rpush(LIST, accountTag + json.encode(ban));
  if (length === undefined) {
    ngx.log(ngx.ERR, 'a client is not banned: no memory to queue the ban for the agent');
    return false;
  }
  countUntaken(accountTag);
  return true;
}

/**
 * Bans the client from the route: at once on this node, and by the agent and the control plane on all. False when it is
 * banned already, when its account has too many bans of this node, or when nothing more fits.
 */
export function banClient(route: PreparedRoute, plugin: string, verdict: BlockVerdict, seconds: number): boolean {
  const accountTag = tagIn(route.accountTags, OWN_BANS, route.accountId);
  if (!hasRoom(accountTag, route.isFree)) return false;
  const [untaken] = waiting.llen(LIST);
  const [taken] = waiting.llen(TAKEN);
  if ((untaken ?? 0) + (taken ?? 0) >= WAITING_MAX) {
    ngx.log(ngx.ERR, 'a client is not banned: too many bans wait for the agent');
    return false;
  }
  const address = addressOf(ngx.var.cordon_client ?? '');
  const network = formatRange(clientNetworkOf(address));
  const tag = tagIn(route.routeTags, BANS_FEED, route.id);
  // Before the ban: a lift that another worker hears of meanwhile may have been of this one.
  const cursor = meta.get(FEEDS_CURSOR) as string | undefined;
  const failure = addToFeed(tag, address, network, seconds);
  if (failure === 'exists') return false;
  if (failure !== undefined && !isFirstFailure(tag + network, seconds)) return false;
  const isQueued = queueForAgent(accountTag, {
    route_id: route.id,
    network,
    at: ngx.now(),
    seconds,
    plugin,
    reason: verdict.reason,
    request_id: ngx.var.cordon_request_id ?? '',
    feeds_cursor: cursor,
  });
  // The agent gives bans back, and what it does not know stays for a month.
  if (!isQueued) removeFromFeed(tag, address);
  return isQueued && failure === undefined;
}

/** Gives bans of the list to the agent, the oldest first, and keeps them at the end of `TAKEN`. */
function giveBans(list: string, max: number): string[] {
  const given: string[] = [];
  while (given.length < max) {
    const [ban] = waiting.lpop(list);
    if (ban === undefined) break;
    const text = ban as string;
    if (list === LIST) countTaken(string.sub(text, 1, TAG_BYTES));
    // Where another worker takes the room that `lpop` has made, only the agent has it.
    waiting.rpush(TAKEN, text);
    given.push(string.sub(text, TAG_BYTES + 1));
  }
  return given;
}

/**
 * The oldest bans that the agent does not have on disk. It is given the same again until it names their batch as `written`,
 * and then the next ones.
 */
export function takeBans(max: number, written: number | undefined): RunnerBans {
  waiting.flush_expired(max);
  if (written !== undefined && written === meta.get(BATCH)) waiting.delete(TAKEN);
  const [taken] = waiting.llen(TAKEN);
  let bans = giveBans(TAKEN, taken ?? 0);
  if (bans.length === 0) {
    bans = giveBans(LIST, max);
    if (bans.length > 0) meta.incr(BATCH, 1, 0);
  }
  // An empty table would be written as an object.
  return bans.length > 0 ? { batch: meta.get(BATCH) as number, bans } : {};
}
