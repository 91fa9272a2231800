import * as lrucache from 'resty.lrucache';
import { beginGeneration } from './generation.ts';
import { options } from './runner-options.ts';

/**
 * What was cleared of the cache. Nothing is looked for on the disk: each clear takes the next number of this node, and
 * - what clears all of a route, or one URL, is part of the keys of what is fetched from then on, so that what was stored before, or is
 *   under way, is found by nobody any more (`r:<route>`, `u:<route> <url>`);
 * - what clears by prefix or tag, or softly, stands in a list of the route (`l:<route>`), by which an object is judged when it is asked
 *   for the first time after that (cache-object.ts): each says how many clears there had been when its fetch began.
 *
 * All of it is written to a journal beside the objects: they outlive a restart, and so does what was cleared.
 */
const clears = ngx.shared.cordon_clears as SharedDict;
const meta = ngx.shared.cordon_meta as SharedDict;
const NUMBER = 'number';
const WIDENED = 'clears_widened';

export type ClearKind = 'all' | 'url' | 'prefix' | 'tag';

/** In place of a route: all of them. */
const EVERY_ROUTE = '*';

/** As the agent sends it, and as a line of the journal has it. */
export interface Clear {
  readonly route_id: string;
  readonly kind: ClearKind;
  /** Host and path with query of a `url` (`urlOf`), the path of a `prefix`, the text of a `tag`; empty for `all`. */
  readonly value: string;
  /** What is stored serves while it is validated, and while the origin fails. */
  readonly soft: boolean;
}

/** An entry of a route's list. */
export interface ListedClear {
  readonly kind: ClearKind;
  readonly value: string;
  readonly soft: boolean;
  readonly number: number;
}

/** What holds for a route now. */
export interface RouteClears {
  /** Of the last clear of all; 0: there was none. */
  readonly all: number;
  /** URLs of it were cleared by themselves. */
  readonly hasUrls: boolean;
  /** Newest number of the list; 0: it is empty. */
  readonly newest: number;
  readonly list: readonly ListedClear[];
  /** Everything that was stored before it is invalid: a list that had grown too long ends there. */
  readonly floor: number;
}

/** Beyond these, all that was stored of the route before is invalid: who clears so much, clears everything. */
export const LIST_MAX = 500;
const URLS_MAX = 20_000;

const TAB = '\t';

/** Values are paths with any byte in them: between tabs and line ends they stand escaped. */
const escaped = (value: string): string => ngx.escape_uri(value);
const unescaped = (text: string): string => ngx.unescape_uri(text);

/** How a URL is named in clears: as keys tell URLs apart, but for escapes, which may be written in several ways. */
export const urlOf = (host: string, path: string, query: string): string =>
  query === '' ? `${host}${path}` : `${host}${path}?${query}`;

/** Short, whatever visitors send: LuaJIT and the dictionary hash it whole. */
const urlKey = (routeId: string, url: string): string => `u:${routeId} ${ngx.md5(url)}`;

/** Number of the last clear. */
export const clearsSoFar = (): number => (clears.get(NUMBER) ?? 0) as number;

const nextNumber = (): number => clears.incr(NUMBER, 1, 0) ?? 0;

/** Of what was stored before it, nothing of a URL is valid; 0: it was never cleared. */
export const numberOfUrl = (routeId: string, url: string): number => (clears.get(urlKey(routeId, url)) ?? 0) as number;

function readListed(text: string): ListedClear | undefined {
  const [number, kind, soft, value = ''] = text.split(TAB);
  const read = tonumber(number);
  return read === undefined
    ? undefined
    : { number: read, kind: kind as ClearKind, soft: soft === '1', value: unescaped(value) };
}

function readList(text: string): ListedClear[] {
  const list: ListedClear[] = [];
  for (const line of text.split('\n')) {
    const listed = line === '' ? undefined : readListed(line);
    if (listed !== undefined) list.push(listed);
  }
  return list;
}

const textOfList = (list: readonly ListedClear[]): string =>
  list
    .map(({ number, kind, soft, value }) => `${number}${TAB}${kind}${TAB}${soft ? '1' : '0'}${TAB}${escaped(value)}`)
    .join('\n');

/** One that was made room for is a clear of everything before it. Undefined: there is no room to say so. */
function shorten(routeId: string, list: ListedClear[]): readonly ListedClear[] | undefined {
  if (list.length <= LIST_MAX) return list;
  const dropped = list.splice(0, list.length - LIST_MAX);
  const { number } = dropped[dropped.length - 1] as ListedClear;
  const [isStored] = clears.safe_set(`f:${routeId}`, number);
  return isStored === true ? list : undefined;
}

/** Where there is no room, all of the route is cleared. */
function list(routeId: string, clear: ListedClear): void {
  const key = `l:${routeId}`;
  const known = readList((clears.get(key) ?? '') as string);
  // What an earlier one says, the newer one says too.
  const others = known.filter(
    ({ kind, value, soft }) => kind !== clear.kind || value !== clear.value || (soft !== clear.soft && clear.soft),
  );
  const entries = shorten(routeId, [...others, clear]);
  const [isStored] = entries === undefined ? [false] : clears.safe_set(key, textOfList(entries));
  if (isStored !== true) clearAll(routeId, clear.number);
}

/** Something has changed of which workers keep what they have read. */
let isUnseen = false;

/** Its place is kept from the first clear of the route on (`store`): this never fails for want of room. */
function clearAll(routeId: string, number: number): void {
  isUnseen = true;
  clears.set(`r:${routeId}`, number);
  clears.delete(`l:${routeId}`);
  clears.delete(`f:${routeId}`);
}

/** Clears all of these routes, so that what was cleared of them one by one takes no room any more. */
function giveUpDetails(routeIds: LuaSet<string>): void {
  const number = clearsSoFar();
  for (const routeId of routeIds) {
    clearAll(routeId, number);
    // Where it has none, there is nothing to count anew.
    clears.incr(`n:${routeId}`, -((clears.get(`n:${routeId}`) ?? 0) as number));
  }
  for (const key of clears.get_keys(0)) {
    const [, , routeId] = string.find(key, '^u:([^ ]+) ');
    if (routeId !== undefined && routeIds.has(routeId as string)) clears.delete(key);
  }
}

/** The first of a route lets the workers know that they have to ask (`hasUrls`). False: there is no room. */
function clearUrl(routeId: string, key: string, number: number): boolean {
  const isNew = clears.get(key) === undefined;
  // An initial value given to `incr` would evict what others have cleared.
  if (isNew) clears.safe_add(`n:${routeId}`, 0);
  const count = isNew ? clears.incr(`n:${routeId}`, 1) : 2;
  if (count === undefined) return false;
  if (count === 1) isUnseen = true;
  if (count > URLS_MAX) {
    const routes = new LuaSet<string>();
    routes.add(routeId);
    giveUpDetails(routes);
    return true;
  }
  const [isStored] = clears.safe_set(key, number, ENTRY_SECONDS);
  return isStored === true;
}

/** What an entry of a URL takes, about. */
const BYTES_PER_URL = 128;
/** So much room is made at once: each time, all keys are looked at. */
const roomBytes = clears.capacity() / 8;

/** Bytes that what was cleared one by one takes, by route. */
function detailsByRoute(): { routeId: string; bytes: number }[] {
  const details: { routeId: string; bytes: number }[] = [];
  for (const key of clears.get_keys(0)) {
    const kind = string.sub(key, 1, 2);
    if (kind === 'n:' || kind === 'l:') {
      const value = clears.get(key);
      const bytes = typeof value === 'number' ? value * BYTES_PER_URL : typeof value === 'string' ? value.length : 0;
      if (bytes > 0) details.push({ routeId: string.sub(key, 3), bytes });
    }
  }
  return details;
}

/** How often more was cleared than was asked for, for want of memory. */
export const clearsWidened = (): number => (meta.get(WIDENED) ?? 0) as number;

/** Gives up the details of the routes that have most of them; where none has any, all that is stored of all of them. */
function makeRoom(): void {
  const details = detailsByRoute();
  table.sort(details, (a, b) => a.bytes > b.bytes);
  const given = new LuaSet<string>();
  let freed = 0;
  for (const { routeId, bytes } of details) {
    if (freed < roomBytes) {
      given.add(routeId);
      freed += bytes;
    }
  }
  meta.incr(WIDENED, 1, 0);
  giveUpDetails(given);
  if (freed > 0) return;
  isUnseen = true;
  clears.set(`r:${EVERY_ROUTE}`, clearsSoFar());
}

/** `inactive` of nginx.conf.template and an hour: what nobody asked for since is gone from the disk, and its keys may come again. */
const ENTRY_SECONDS = 7 * 86_400 + 3600;

function storeIn(clear: Clear, number: number): boolean {
  const { kind, value, soft } = clear;
  const id = clear.route_id;
  const [isKept, error] = clears.safe_add(`r:${id}`, 0);
  if (isKept !== true && error !== 'exists') return false;
  if (kind === 'url' && !soft) return clearUrl(id, urlKey(id, value), number);
  if (kind === 'all' && !soft) clearAll(id, number);
  else list(id, { kind, value, soft, number });
  return true;
}

/** Never fails: where there is no room, more is cleared than was asked for. */
function store(clear: Clear, number: number): void {
  if (storeIn(clear, number)) return;
  makeRoom();
  if (storeIn(clear, number)) return;
  isUnseen = true;
  clears.set(`r:${EVERY_ROUTE}`, number);
}

/** Fetches under way, by route, URL and request: what they bring is not known yet. */
const fetches = ngx.shared.cordon_fetches as SharedDict;
const FETCH_SECONDS = 3600;

const countKey = (routeId: string, url: string): string => `count ${routeId} ${ngx.md5(url)}`;

/** To be called before a fetch asks how many clears there were. */
export function noteFetch(routeId: string, url: string, requestId: string): void {
  fetches.set(`${routeId} ${ngx.md5(url)} ${requestId}`, 1, FETCH_SECONDS);
  fetches.incr(countKey(routeId, url), 1, 0, FETCH_SECONDS);
}

export function forgetFetch(routeId: string, url: string, requestId: string): void {
  fetches.delete(`${routeId} ${ngx.md5(url)} ${requestId}`);
  if ((fetches.incr(countKey(routeId, url), -1) ?? 0) <= 0) fetches.delete(countKey(routeId, url));
}

export const isBeingFetched = (routeId: string, url: string): boolean =>
  fetches.get(countKey(routeId, url)) !== undefined;

/** What is under way of a route may be old already, and its tags are not known: whatever it brings, nobody finds it. */
function clearFetches(routeId: string, number: number): void {
  const prefix = `${routeId} `;
  for (const key of fetches.get_keys(0)) {
    if (string.sub(key, 1, prefix.length) === prefix) {
      const [hash] = string.sub(key, prefix.length + 1).split(' ');
      if (!clearUrl(routeId, `u:${routeId} ${hash}`, number)) clearAll(routeId, number);
    }
  }
}

const lineOf = ({ route_id, kind, value, soft }: Clear, number: number): string =>
  `${number}${TAB}${Math.floor(ngx.time())}${TAB}${route_id}${TAB}${kind}${TAB}${soft ? '1' : '0'}${TAB}${escaped(value)}\n`;

function writeJournal(line: string): void {
  const [file] = io.open(options.cacheJournal, 'a');
  if (file === undefined) {
    ngx.log(ngx.ERR, 'what was cleared of the cache cannot be written down');
    return;
  }
  file.write(line);
  const [bytes = 0] = file.seek('end');
  file.close();
  if (bytes > options.limits.journal_bytes) shortenJournal(bytes);
}

/** A line of what the memory has, as it is: key and value. */
const MEMORY = 'memory';
const memoryLine = (key: string, value: string | number): string =>
  `${MEMORY}${TAB}${escaped(key)}${TAB}${typeof value === 'number' ? 'number' : 'text'}${TAB}${escaped(`${value}`)}\n`;

/** Writes what the memory has in the journal's place. What other workers have written since it was `bytes` long, is added. */
function shortenJournal(bytes: number): void {
  const [isFirst] = clears.add('shortening', 1, 10);
  if (isFirst !== true) return;
  const [former] = io.open(options.cacheJournal, 'r');
  const [next] = io.open(`${options.cacheJournal}.new`, 'w');
  if (former === undefined || next === undefined) return;
  for (const key of clears.get_keys(0)) {
    const value = clears.get(key);
    if (value !== undefined && key !== 'shortening') next.write(memoryLine(key, value));
  }
  next.close();
  os.rename(`${options.cacheJournal}.new`, options.cacheJournal);
  former.seek('set', bytes);
  const rest = former.read('*a') ?? '';
  former.close();
  const [file] = io.open(options.cacheJournal, 'a');
  if (file === undefined) return;
  file.write(rest);
  // Ever more would be written where the memory alone is as long.
  const [now = 0] = file.seek('end');
  file.close();
  if (now > options.limits.journal_bytes / 2) ngx.log(ngx.ERR, 'what was cleared of the cache takes ', now, ' bytes');
  clears.delete('shortening');
}

function restoreMemory(line: string): void {
  const [, key = '', kind, text = ''] = line.split(TAB);
  const value = kind === 'number' ? (tonumber(text) ?? 0) : unescaped(text);
  const seconds = string.sub(key, 1, 1) === 'u' ? ENTRY_SECONDS : 0;
  clears.safe_set(unescaped(key), value, seconds);
}

/** Clears. Workers learn of it with the next generation. */
export function applyClear(clear: Clear): void {
  const number = nextNumber();
  store(clear, number);
  // What is cleared at once by its key is fetched under another one from now on.
  const isKeyed = (clear.kind === 'all' || clear.kind === 'url') && !clear.soft;
  if (!isKeyed) clearFetches(clear.route_id, number);
  writeJournal(lineOf(clear, number));
}

/**
 * Clears a URL because of an answer to a request that changes it (RFC 9111 4.4). Visitors can have that done as often as they like, so
 * that workers have to look again at the first of a route only.
 */
export function invalidateUrl(routeId: string, url: string): void {
  isUnseen = false;
  applyClear({ route_id: routeId, kind: 'url', value: url, soft: false });
  if (isUnseen) beginGeneration();
}

/** What holds for a route. */
export function clearsOf(routeId: string): RouteClears {
  const list = readList((clears.get(`l:${routeId}`) ?? '') as string);
  const last = list[list.length - 1];
  return {
    all: Math.max((clears.get(`r:${routeId}`) ?? 0) as number, (clears.get(`r:${EVERY_ROUTE}`) ?? 0) as number),
    hasUrls: clears.get(`n:${routeId}`) !== undefined,
    newest: last === undefined ? 0 : last.number,
    list,
    floor: (clears.get(`f:${routeId}`) ?? 0) as number,
  };
}

const SECONDS_KEPT = ENTRY_SECONDS;

function restoreLine(line: string, now: number): string | undefined {
  if (line.startsWith(`${MEMORY}${TAB}`)) {
    restoreMemory(line);
    return line;
  }
  const [number, at, routeId, kind, soft, value = ''] = line.split(TAB);
  const read = tonumber(number);
  if (read === undefined || routeId === undefined || kind === undefined) return undefined;
  if (read > clearsSoFar()) clears.set(NUMBER, read);
  if (now - (tonumber(at) ?? 0) > SECONDS_KEPT) return undefined;
  store({ route_id: routeId, kind: kind as ClearKind, value: unescaped(value), soft: soft === '1' }, read);
  return line;
}

/**
 * In `init_by_lua`: takes in the journal where the shared memory is new, and writes it anew without what has no effect any more. The
 * last number stays, whatever is left out.
 */
export function restoreClears(): void {
  if (options.cacheJournal === '' || clears.get(NUMBER) !== undefined) return;
  // Its place is there, whatever comes.
  clears.set(`r:${EVERY_ROUTE}`, 0);
  const [file] = io.open(options.cacheJournal, 'r');
  if (file === undefined) {
    clears.set(NUMBER, 0);
    return;
  }
  const text = file.read('*a') ?? '';
  file.close();
  const now = ngx.time();
  const kept: string[] = [];
  for (const line of text.split('\n')) {
    const restored = line === '' ? undefined : restoreLine(line, now);
    if (restored !== undefined) kept.push(restored);
  }
  kept.push(`${clearsSoFar()}${TAB}0${TAB}-${TAB}all${TAB}0${TAB}`);
  const [next] = io.open(`${options.cacheJournal}.new`, 'w');
  if (next === undefined) return;
  next.write(`${kept.join('\n')}\n`);
  next.close();
  os.rename(`${options.cacheJournal}.new`, options.cacheJournal);
}

/** What workers have found valid, by key: the number of the newest clear that it was judged by. */
const KEYS_PER_WORKER = 20_000;
const judged = lrucache.new<number>(KEYS_PER_WORKER);

export const isJudged = (key: string, newest: number): boolean => (judged.get(key) ?? 0) >= newest;
export const noteJudged = (key: string, newest: number): void => judged.set(key, newest);
