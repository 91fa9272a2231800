import { keyedQuery } from '@cordon/plugin-kit/shared-cache';
import * as json from 'cjson.safe';
import { storeFeedsCursor, storeOwnBans, takeBans } from './bans.ts';
import { changesForgotten } from './cache-changes.ts';
import { applyClears, type Clear, clearsWidened, urlOf } from './cache-clears.ts';
import { lookInto } from './cache-look.ts';
import { connectionsEnded } from './connections.ts';
import { faultsSoFar } from './fault.ts';
import { feedBytesFree, freeEndedEntries, hasRoomForFeeds, storeFeedEntries, storeFeedPrefixes } from './feeds.ts';
import { beginGeneration, currentGeneration } from './generation.ts';
import { leaveOutRow, rowsOwed } from './logged-rows.ts';
import type {
  RunnerBansWritten,
  RunnerChange,
  RunnerChangeResult,
  RunnerClearResult,
  RunnerFeedLine,
  RunnerFeedResult,
  RunnerLook,
  RunnerStatus,
} from './payload.ts';
import { faultOfRoute } from './prepared-route.ts';
import { loadRoute } from './route-lookup.ts';
import { storeSettings } from './settings.ts';
import { type ClearLine, endClears, nameClears } from './shield-clears.ts';
import { shieldCounts } from './shield-counts.ts';
import { grantLease } from './shield-state.ts';
import { downTargets } from './upstream-health.ts';
import { workerSilences } from './worker-beat.ts';

/**
 * The agent's side door, on a unix socket only. Beside the keys of route-lookup.ts it keeps `v:<id>`, the newest
 * revision seen (also of removed routes), and `n:<id>`, the names that a route has taken.
 */
const routes = ngx.shared.cordon_routes as SharedDict;
const meta = ngx.shared.cordon_meta as SharedDict;

function store(key: string, value: string | number): string | undefined {
  const [stored, error] = routes.safe_set(key, value);
  return stored === true ? undefined : `${error ?? 'not stored'} (${key})`;
}

function dropNames(id: string, text: string, kept: readonly string[]): void {
  for (const name of text.split(' ')) {
    // Another route may have taken the name meanwhile.
    if (name !== '' && !kept.includes(name) && routes.get(`h:${name}`) === id) routes.delete(`h:${name}`);
  }
}

function removeRoute(id: string, knownNames: string): void {
  dropNames(id, knownNames, []);
  routes.delete(`r:${id}`);
  routes.delete(`s:${id}`);
  routes.delete(`n:${id}`);
}

/** Writes the route first and its names last: a name never leads to nothing. Answers why not when it cannot, and leaves it as it was. */
function writeRoute(id: string, text: string, names: readonly string[], knownNames: string): string | undefined {
  const former = routes.get(`r:${id}`) as string | undefined;
  let error = store(`r:${id}`, text) ?? store(`n:${id}`, names.join(' '));
  if (error !== undefined) {
    // nginx takes the value of a key away before it looks for room for the next.
    if (former !== undefined) store(`r:${id}`, former);
    return error;
  }
  error = store(`s:${id}`, meta.incr('serial', 1, 0) ?? 0);
  if (error !== undefined) return error;
  for (const name of names) {
    error = store(`h:${name}`, id);
    if (error !== undefined) return error;
  }
  dropNames(id, knownNames, names);
  return undefined;
}

function applyChange(change: RunnerChange, result: { applied: number; ignored: number }): string | undefined {
  const id = change.route_id;
  const known = routes.get(`v:${id}`) as number | undefined;
  if (known !== undefined && known > change.revision && change.force !== true) {
    result.ignored++;
    return undefined;
  }
  // What it serves of this route stays, until it can serve what is new.
  const fault = change.route === undefined ? undefined : faultOfRoute(change.route);
  if (fault !== undefined) return fault;
  const knownNames = (routes.get(`n:${id}`) ?? '') as string;
  const isKnown = routes.get(`s:${id}`) !== undefined;
  const error = store(`v:${id}`, change.revision);
  if (error !== undefined) return error;
  if (change.route === undefined) {
    removeRoute(id, knownNames);
    if (isKnown) meta.incr('routes', -1, 0);
  } else {
    const failure = writeRoute(id, change.route, change.names ?? [], knownNames);
    if (failure !== undefined) return failure;
    if (!isKnown) meta.incr('routes', 1, 0);
  }
  result.applied++;
  return undefined;
}

function readBody(): string {
  ngx.req.read_body();
  return ngx.req.get_body_data() ?? '';
}

function answer(status: number, value: object): void {
  ngx.status = status;
  ngx.header['Content-Type'] = 'application/json';
  ngx.print(json.encode(value));
}

function bootId(): string {
  return (meta.get('boot_id') ?? '') as string;
}

function postRoutes(): void {
  const counts = { applied: 0, ignored: 0 };
  const failed: { route_id: string; error: string }[] = [];
  for (const line of readBody().split('\n')) {
    if (line !== '') {
      const change = json.decode<RunnerChange>(line);
      const error = change === undefined ? 'no JSON' : applyChange(change, counts);
      if (error !== undefined) failed.push({ route_id: change === undefined ? '' : change.route_id, error });
    }
  }
  // Workers look again once everything is written.
  beginGeneration();
  const result: RunnerChangeResult = {
    boot_id: bootId(),
    applied: counts.applied,
    ignored: counts.ignored,
    // An empty table would be written as an object.
    ...(failed.length > 0 ? { failed } : {}),
  };
  answer(200, result);
}

function storeFeedLine(line: string): { failed: number; error: string } {
  const read = json.decode<RunnerFeedLine>(line);
  if (read === undefined) return { failed: 1, error: 'no JSON' };
  if ('networks' in read) return storeFeedEntries(read);
  let error: string | undefined;
  if ('account' in read) error = storeOwnBans(read);
  else if ('cursor' in read) error = storeFeedsCursor(read);
  else error = storeFeedPrefixes(read);
  return error === undefined ? { failed: 0, error: '' } : { failed: 1, error };
}

function postFeeds(): void {
  let failed = 0;
  let error = '';
  freeEndedEntries();
  for (const line of readBody().split('\n')) {
    if (line !== '') {
      const stored = storeFeedLine(line);
      failed += stored.failed;
      if (stored.failed > 0) error = stored.error;
    }
  }
  const result: RunnerFeedResult = { boot_id: bootId(), failed, error };
  answer(200, result);
}

/** A URL as keys of its route tell it from others: a part of the query may not count. */
function asKeyed(clear: Clear): Clear {
  const cache = clear.kind === 'url' ? loadRoute(clear.route_id)?.cache : undefined;
  const [at] = string.find(clear.value, '?', 1, true);
  if (cache === undefined || !cache.hasQueryRules || at === undefined) return clear;
  const query = keyedQuery(cache.key, string.sub(clear.value, at + 1));
  return { ...clear, value: urlOf('', string.sub(clear.value, 1, at - 1), query) };
}

/** A call holds its worker up for about so long: what it has not come to by then, it has to be sent once more. */
const CLEARING_SECONDS = 0.005;

/** What is taken is cleared before workers look again, all at once. */
function postClears(): void {
  const given: (Clear & ClearLine)[] = [];
  let error = '';
  for (const line of readBody().split('\n')) {
    const clear = line === '' ? undefined : json.decode<Clear & ClearLine>(line);
    if (clear !== undefined) given.push(clear);
    else if (line !== '') error = 'no JSON';
  }
  const ending = nameClears(given);
  const end = os.clock() + CLEARING_SECONDS;
  const taken = applyClears(given.map(asKeyed), () => os.clock() < end);
  beginGeneration();
  endClears(ending.filter(({ place }) => place < taken));
  const result: RunnerClearResult = { boot_id: bootId(), taken, error };
  answer(200, result);
}

function postLook(): void {
  const look = json.decode<RunnerLook>(readBody());
  if (look === undefined) answer(400, { error: 'no JSON' });
  else answer(200, lookInto(look));
}

const BANS_TAKEN_MAX = 500;

function postTakeBans(): void {
  const body = json.decode<RunnerBansWritten>(readBody());
  answer(200, takeBans(BANS_TAKEN_MAX, body?.written));
}

function getRouteIds(): void {
  const ids: string[] = [];
  for (const key of routes.get_keys(0)) {
    if (string.sub(key, 1, 2) === 'n:') ids.push(string.sub(key, 3));
  }
  // An empty table would be written as an object.
  answer(200, ids.length > 0 ? { ids } : {});
}

function dictionaries(): RunnerStatus['dictionaries'] {
  const all: Record<string, { bytes: number; bytes_free: number }> = {};
  for (const name in ngx.shared) {
    const dictionary = ngx.shared[name] as SharedDict;
    all[name] = { bytes: dictionary.capacity(), bytes_free: dictionary.free_space() };
  }
  return all;
}

function getStatus(): void {
  const down = downTargets(1000);
  const faults = faultsSoFar();
  const status: RunnerStatus = {
    boot_id: bootId(),
    generation: currentGeneration(),
    routes: (meta.get('routes') ?? 0) as number,
    has_settings: meta.get('settings') !== undefined,
    routes_bytes: routes.capacity(),
    routes_bytes_free: routes.free_space(),
    feeds_bytes_free: feedBytesFree(),
    has_room_for_feeds: hasRoomForFeeds(),
    faults: faults.count,
    last_fault: faults.last,
    workers: workerSilences(),
    rows_owed: rowsOwed(),
    connections_ended: connectionsEnded(),
    clears_widened: clearsWidened(),
    changes_forgotten: changesForgotten(),
    ...shieldCounts(),
    dictionaries: dictionaries(),
    ...(down.length > 0 ? { targets_down: down } : {}),
  };
  answer(200, status);
}

/** Content of the admin server. */
export function administrate(this: void): void {
  leaveOutRow();
  const call = `${ngx.req.get_method()} ${ngx.var.uri}`;
  if (call === 'POST /routes') {
    postRoutes();
  } else if (call === 'GET /routes') {
    getRouteIds();
  } else if (call === 'PUT /settings') {
    const error = storeSettings(readBody());
    if (error === undefined) answer(200, { boot_id: bootId() });
    else answer(507, { error });
  } else if (call === 'POST /feeds') {
    postFeeds();
  } else if (call === 'POST /clears') {
    postClears();
  } else if (call === 'PUT /shield-lease') {
    grantLease(tonumber(readBody()) ?? 0);
    answer(200, { boot_id: bootId() });
  } else if (call === 'POST /look') {
    postLook();
  } else if (call === 'POST /bans/take') {
    postTakeBans();
  } else if (call === 'GET /status') {
    getStatus();
  } else {
    answer(404, { error: 'not found' });
  }
}
