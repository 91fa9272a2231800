import { formatRange } from '@cordon/contract/address';
import { clientNetworkOf } from '@cordon/plugin-kit/client-network';
import type { BlockVerdict } from '@cordon/plugin-kit/edge';
import { BANS_FEED } from '@cordon/plugin-kit/feeds';
import * as json from 'cjson.safe';
import { addressOf } from './client-address.ts';
import { addToFeed } from './feeds.ts';
import { tagIn } from './network-key.ts';
import type { RunnerBan } from './payload.ts';
import type { PreparedRoute } from './prepared-route.ts';

/** Bans that the agent has not taken yet, as JSON: it asks several times a second. */
const waiting = ngx.shared.cordon_bans as SharedDict;
const LIST = 'waiting';
const WAITING_MAX = 5000;

/** A ban that found no room is told again after so long at the earliest: the client's next request is judged anew. */
const FAILURE_SECONDS = 60;

/** A client that is not kept out here may be on other nodes, and its ban is listed. */
function isFirstFailure(client: string, seconds: number): boolean {
  const [added] = waiting.safe_add(`failed ${client}`, 1, Math.min(seconds, FAILURE_SECONDS));
  if (added !== true) return false;
  ngx.log(ngx.ERR, 'a ban is not kept on this node: no memory');
  return true;
}

/**
 * Bans the client from the route: at once on this node, and by the agent and the control plane on all. False when it is
 * banned already, or nothing more fits.
 */
export function banClient(route: PreparedRoute, plugin: string, verdict: BlockVerdict, seconds: number): boolean {
  const client = ngx.var.cordon_client ?? '';
  const address = addressOf(client);
  const network = formatRange(clientNetworkOf(address));
  const tag = tagIn(route.routeTags, BANS_FEED, route.id);
  const failure = addToFeed(tag, address, network, seconds);
  if (failure === 'exists') return false;
  if (failure !== undefined && !isFirstFailure(tag + network, seconds)) return false;
  const [count] = waiting.llen(LIST);
  if (count !== undefined && count >= WAITING_MAX) {
    ngx.log(ngx.ERR, 'a ban stays on this node: too many wait for the agent');
    return failure === undefined;
  }
  const ban: RunnerBan = {
    route_id: route.id,
    network,
    at: ngx.now(),
    seconds,
    plugin,
    reason: verdict.reason,
    request_id: ngx.var.cordon_request_id ?? '',
  };
  const [length] = waiting.rpush(LIST, json.encode(ban));
  if (length === undefined) ngx.log(ngx.ERR, 'a ban stays on this node: no memory to tell the agent');
  return failure === undefined;
}

/** The oldest that wait, which the agent takes with it. */
export function takeBans(max: number): string[] {
  const taken: string[] = [];
  waiting.flush_expired(max);
  while (taken.length < max) {
    const [ban] = waiting.lpop(LIST);
    if (ban === undefined) break;
    taken.push(ban as string);
  }
  return taken;
}
