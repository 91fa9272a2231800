import * as lrucache from 'resty.lrucache';
import { dropNumbers, type GroupSize, largestGroups, ROOM, urlKey } from './bounded-notes.ts';
import { beginChanges, changesKnown, changesOf, ENTRY_SECONDS, noteChange, numberOfChange } from './cache-changes.ts';
import { appendLines, beginJournal, readLines, writeMissing } from './cache-journal.ts';
import { beginGeneration } from './generation.ts';
import { recur, TICKS_PER_SECOND } from './recurring.ts';
import { options } from './runner-options.ts';
import { beginShieldChanges, changeOfShields, restoreChangeOfShields, shieldChangesKnown } from './shield-changes.ts';

/**
 * What was cleared of the cache. Nothing is looked for on the disk: each clear takes the next number of this node, and
 * - what clears all of a route, or one URL, is part of the keys of what is fetched from then on, so that what was stored before, or is
 *   under way, is found by nobody any more (`r:<route>`, `u:<route> <MD5 of the URL>`);
 * - what clears by prefix or tag, or softly, stands in a list of the route (`l:<route>`), by which an object is judged when it is asked
 *   for the first time after that (cache-lookup.ts): each says how many clears there had been when its fetch began. What is under way is judged
 *   when its answer comes, and once more when it is asked for.
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

/** As the agent sends it. */
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
  /** As `keptValue` has it. */
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
  /** What was stored before it, other than slices, may have been changed: it is validated before it serves. */
  readonly changed: number;
}

/** Beyond these, all that was stored of the route before is invalid: who clears so much, clears everything. */
export const LIST_MAX = 500;
/** Of a list's text, which is written anew with each turn of its route and read by all workers. */
const LIST_BYTES_MAX = 131_072;
const URLS_MAX = 20_000;

const TAB = '\t';

/** Values have any byte in them, and stand between tabs and line ends. Most bytes are as long as they were. */
const escaped = (value: string): string =>
  string.gsub(value, '[%%%c]', (byte: string) => string.format('%%%02x', string.byte(byte)))[0];
function unescaped(text: string): string {
  if (string.find(text, '%', 1, true)[0] === undefined) return text;
  return string.gsub(text, '%%(%x%x)', (digits: string) => string.char(tonumber(digits, 16) as number))[0];
}

/** Of a longer prefix it is the beginning that is cleared: lines of the journal are short. */
const PREFIX_BYTES_MAX = 1000;

/** Short, whatever is sent: of a URL its MD5. */
function keptValue({ kind, value }: Clear): string {
  if (kind === 'url') return ngx.md5(value);
  return kind === 'prefix' ? string.sub(value, 1, PREFIX_BYTES_MAX) : value;
}

/** How a URL is named in clears: as keys tell URLs apart, but for escapes, which may be written in several ways. */
export const urlOf = (host: string, path: string, query: string): string =>
  query === '' ? `${host}${path}` : `${host}${path}?${query}`;

const numberAt = (key: string): number => (clears.get(key) ?? 0) as number;

/** Number of the last clear. */
export const clearsSoFar = (): number => numberAt(NUMBER);

const nextNumber = (): number => clears.incr(NUMBER, 1, 0) ?? 0;

/** Of what was stored before it, nothing of a URL is valid; 0: it was never cleared. */
export function numberOfUrl(routeId: string, url: string, isFile: boolean): number {
  const hash = ngx.md5(url);
  return Math.max(
    (clears.get(urlKey(routeId, hash)) ?? 0) as number,
    numberOfChange(routeId, hash, isFile),
    isFile ? changesOf(routeId).filesFloor : 0,
  );
}

/** `<number> <1 where it is soft, else 0> <kind> <value>`, tabs between: what lists are written anew by is read as text. */
const listedText = ({ number, kind, soft, value }: ListedClear): string =>
  `${number}${TAB}${soft ? '1' : '0'}${TAB}${kind}${TAB}${escaped(value)}`;

const linesOfList = (routeId: string): string[] => {
  const text = (clears.get(`l:${routeId}`) ?? '') as string;
  return text === '' ? [] : text.split('\n');
};

/** Of a line of a list. */
const numberIn = (line: string): number => tonumber(string.match(line, '^%d+')[0]) ?? 0;

function readList(routeId: string): ListedClear[] {
  return linesOfList(routeId).map((line) => {
    const [number, soft, kind, value = ''] = line.split(TAB);
    return { number: tonumber(number) ?? 0, kind: kind as ClearKind, soft: soft === '1', value: unescaped(value) };
  });
}

/** In their order, without what a newer one says too. */
function withoutRepeated(lines: readonly string[]): string[] {
  const kept: string[] = [];
  const saidHard = new LuaSet<string>();
  const saidSoft = new LuaSet<string>();
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = lines[at] as string;
    const [tab = 0] = string.find(line, TAB, 1, true);
    const isSoft = string.sub(line, tab + 1, tab + 1) === '1';
    const what = string.sub(line, tab + 3);
    if (!saidHard.has(what) && !(isSoft && saidSoft.has(what))) kept.push(line);
    (isSoft ? saidSoft : saidHard).add(what);
  }
  return kept.reverse();
}

/** How many of the oldest are too many. */
function countSurplus(lines: readonly string[]): number {
  let bytes = 0;
  for (let at = lines.length - 1; at >= 0; at--) {
    bytes += (lines[at] as string).length + 1;
    if (lines.length - at > LIST_MAX || bytes > LIST_BYTES_MAX) return at + 1;
  }
  return 0;
}

/** One that was made room for is a clear of everything before it. Undefined: there is no room to say so. */
function shorten(routeId: string, lines: string[]): readonly string[] | undefined {
  const surplus = countSurplus(lines);
  if (surplus === 0) return lines;
  const dropped = lines.splice(0, surplus);
  const [isStored] = clears.safe_set(`f:${routeId}`, numberIn(dropped[dropped.length - 1] as string));
  return isStored === true ? lines : undefined;
}

/** Where there is no room, all of the route is cleared. False: not even that can be noted. */
function list(routeId: string, added: readonly ListedClear[]): boolean {
  if (!keepPlace(routeId)) return false;
  const all = numberAt(`r:${routeId}`);
  const lines = [...linesOfList(routeId), ...added.map(listedText)].filter((line) => numberIn(line) > all);
  const last = lines[lines.length - 1];
  if (last === undefined) return true;
  const kept = shorten(routeId, withoutRepeated(lines));
  const [isStored] = kept === undefined ? [false] : clears.safe_set(`l:${routeId}`, kept.join('\n'));
  if (isStored !== true) clearAll(routeId, numberIn(last));
  return true;
}

/** Keeps the place of what clears all of a route. */
function keepPlace(routeId: string): boolean {
  const [isKept, error] = clears.safe_add(`r:${routeId}`, 0);
  return isKept === true || error === 'exists';
}

/** Its place is kept from the first clear of the route on (`keepPlace`): this never fails for want of room. */
function clearAll(routeId: string, number: number): void {
  clears.set(`r:${routeId}`, Math.max(number, numberAt(`r:${routeId}`)));
  const newer = linesOfList(routeId).filter((line) => numberIn(line) > number);
  clears.delete(`l:${routeId}`);
  clears.delete(`f:${routeId}`);
  if (newer.length > 0) clears.safe_set(`l:${routeId}`, newer.join('\n'));
}

/** Clears all of these routes, so that what was cleared of them one by one takes no room any more. */
function giveUpDetails(routeIds: LuaSet<string>): void {
  const number = clearsSoFar();
  for (const routeId of routeIds) {
    clearAll(routeId, number);
    // Where it has none, there is nothing to count anew.
    clears.incr(`n:${routeId}`, -((clears.get(`n:${routeId}`) ?? 0) as number));
  }
  dropNumbers(clears, routeIds, number);
}

/** The first of a route lets the workers know that they have to ask (`hasUrls`). False: there is no room. */
function clearUrl(routeId: string, key: string, number: number): boolean {
  const isNew = clears.get(key) === undefined;
  // An initial value given to `incr` would evict what others have cleared.
  if (isNew) clears.safe_add(`n:${routeId}`, 0);
  const count = isNew ? clears.incr(`n:${routeId}`, 1) : 2;
  if (count === undefined) return false;
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
const roomBytes = clears.capacity() * ROOM;

/** Bytes that what was cleared one by one takes, by route. */
function detailsByRoute(): GroupSize[] {
  const details: GroupSize[] = [];
  for (const key of clears.get_keys(0)) {
    const kind = string.sub(key, 1, 2);
    if (kind === 'n:' || kind === 'l:') {
      const value = clears.get(key);
      const size = typeof value === 'number' ? value * BYTES_PER_URL : typeof value === 'string' ? value.length : 0;
      if (size > 0) details.push({ group: string.sub(key, 3), size });
    }
  }
  return details;
}

/** How often more was cleared than was asked for, for want of memory. */
export const clearsWidened = (): number => (meta.get(WIDENED) ?? 0) as number;

/** Gives up the details of the routes that have most of them; where none has any, all that is stored of all of them. */
function makeRoom(): void {
  meta.incr(WIDENED, 1, 0);
  const details = detailsByRoute();
  if (details.length === 0) clears.set(`r:${EVERY_ROUTE}`, clearsSoFar());
  else giveUpDetails(largestGroups(details, roomBytes));
}

/** Never fails: where there is no room, more is cleared than was asked for. */
function withRoom(store: (this: void) => boolean): void {
  if (store()) return;
  makeRoom();
  if (!store()) clears.set(`r:${EVERY_ROUTE}`, clearsSoFar());
}

/** What clears a route's objects by their keys. */
function storeKeyed(routeId: string, hash: string | undefined, number: number): void {
  withRoom(() => {
    if (!keepPlace(routeId)) return false;
    if (hash !== undefined) return clearUrl(routeId, urlKey(routeId, hash), number);
    clearAll(routeId, number);
    return true;
  });
}

const isKeyed = (kind: ClearKind, soft: boolean): boolean => (kind === 'all' || kind === 'url') && !soft;

/** Kinds of lines besides those of clears: a URL was changed, or is of a large file that was, or shields have an older one. */
const CHANGE = 'change';
const FILE_CHANGE = 'file-change';
const SHIELD_CHANGE = 'shield-change';

const lineOf = (number: number, routeId: string, kind: string, soft: boolean, value: string): string =>
  `${number}${TAB}${Math.floor(ngx.time())}${TAB}${routeId}${TAB}${kind}${TAB}${soft ? '1' : '0'}${TAB}${escaped(value)}\n`;

/** A line of what a memory has, as it is: key, value and when it ends (Unix seconds; 0: it does not). */
const MEMORY = 'memory';
const MEMORY_OF_CHANGES = 'changes';
const MEMORY_OF_SHIELDS = 'shields';

/** False: not all of them were taken. */
function writeEntries(file: LuaFile, name: string, memory: SharedDict): boolean {
  const now = Math.floor(ngx.time());
  for (const key of memory.get_keys(0)) {
    const value = memory.get(key);
    const seconds = memory.ttl(key) ?? 0;
    const end = seconds === 0 ? 0 : now + Math.ceil(seconds);
    const kind = typeof value === 'number' ? 'number' : 'text';
    const line = `${name}${TAB}${key}${TAB}${kind}${TAB}${escaped(`${value}`)}${TAB}${end}\n`;
    if (value !== undefined && file.write(line)[0] === undefined) return false;
  }
  return true;
}

function writeMemory(this: void, file: LuaFile): boolean {
  return (
    writeEntries(file, MEMORY, clears) &&
    writeEntries(file, MEMORY_OF_CHANGES, changesKnown()) &&
    writeEntries(file, MEMORY_OF_SHIELDS, shieldChangesKnown())
  );
}

/** What a line that begins with this name is of; undefined: it is no entry of a memory. */
function memoryOf(name: string): SharedDict | undefined {
  if (name === MEMORY) return clears;
  if (name === MEMORY_OF_CHANGES) return changesKnown();
  return name === MEMORY_OF_SHIELDS ? shieldChangesKnown() : undefined;
}

function restoreEntry(memory: SharedDict, line: string, now: number): void {
  const [, key = '', kind, text = '', end] = line.split(TAB);
  const until = tonumber(end) ?? 0;
  if (until > 0 && until <= now) return;
  const value = kind === 'number' ? (tonumber(text) ?? 0) : unescaped(text);
  memory.safe_set(key, value, until === 0 ? 0 : until - now);
}

/**
 * Clears, in their order, as long as `mayGoOn`, which is asked between routes: how many of them. What stands together of a route is written into
 * its list at once. Workers learn of it with the next generation.
 */
export function applyClears(given: readonly Clear[], mayGoOn: (this: void) => boolean): number {
  const lines: string[] = [];
  let taken = 0;
  while (taken < given.length && (taken === 0 || mayGoOn())) {
    const routeId = (given[taken] as Clear).route_id;
    const listed: ListedClear[] = [];
    for (; taken < given.length && (given[taken] as Clear).route_id === routeId; taken++) {
      const clear = given[taken] as Clear;
      const { kind, soft } = clear;
      const value = keptValue(clear);
      const number = nextNumber();
      if (isKeyed(kind, soft)) storeKeyed(routeId, kind === 'url' ? value : undefined, number);
      else listed.push({ kind, value, soft, number });
      lines.push(lineOf(number, routeId, kind, soft, value));
    }
    if (listed.length > 0) withRoom(() => list(routeId, listed));
  }
  appendLines(lines, writeMemory);
  return taken;
}

/**
 * Has nobody find any more what is stored of a URL, because of an answer to a request that changes it (RFC 9111 4.4), or because slices of a
 * large file (`isFile`) do not belong together. Visitors can have that done as often as they like, so that workers have to look again at the
 * first of a route only.
 */
export function invalidateUrl(routeId: string, url: string, isFile: boolean): void {
  const number = nextNumber();
  const hash = ngx.md5(url);
  if (noteChange(routeId, hash, isFile, number)) beginGeneration();
  appendLines([lineOf(number, routeId, isFile ? FILE_CHANGE : CHANGE, false, hash)], writeMemory);
}

/**
 * Has this node have nothing of a URL of shields any more that was made before now, for so long: an answer to a request that passed it has
 * changed it, of which they know nothing, whatever is stored here.
 */
export function invalidateAtShields(
  routeId: string,
  czone: string,
  url: string,
  seconds: number = ENTRY_SECONDS,
): void {
  const hash = ngx.md5(url);
  const second = changeOfShields(routeId, czone, hash, seconds);
  if (second === undefined) return;
  appendLines([lineOf(clearsSoFar(), routeId, SHIELD_CHANGE, false, `${hash} ${second} ${seconds}`)], writeMemory);
}

/** What holds for a route. */
export function clearsOf(routeId: string): RouteClears {
  const list = readList(routeId);
  const last = list[list.length - 1];
  const { hasUrls, floor, filesFloor } = changesOf(routeId);
  return {
    all: Math.max((clears.get(`r:${routeId}`) ?? 0) as number, (clears.get(`r:${EVERY_ROUTE}`) ?? 0) as number),
    hasUrls: clears.get(`n:${routeId}`) !== undefined || hasUrls || filesFloor > 0,
    newest: last === undefined ? 0 : last.number,
    list,
    floor: (clears.get(`f:${routeId}`) ?? 0) as number,
    changed: floor,
  };
}

/** @param listed Takes what goes into lists, by route. */
function restoreLine(line: string, now: number, listed: LuaTable<string, ListedClear[]>): void {
  const memory = memoryOf(string.match(line, '^[^\t]*')[0] ?? '');
  if (memory !== undefined) {
    restoreEntry(memory, line, now);
    return;
  }
  const [read, at, routeId, kind, soft, text = ''] = line.split(TAB);
  const number = tonumber(read);
  if (number === undefined || routeId === undefined || kind === undefined) return;
  if (number > clearsSoFar()) clears.set(NUMBER, number);
  if (now - (tonumber(at) ?? 0) > ENTRY_SECONDS) return;
  const value = unescaped(text);
  if (kind === SHIELD_CHANGE) {
    const [hash = '', second, seconds] = value.split(' ');
    const left = (tonumber(at) ?? 0) + (tonumber(seconds) ?? 0) - now;
    if (left > 0) restoreChangeOfShields(routeId, hash, tonumber(second) ?? 0, left);
  } else if (kind === CHANGE || kind === FILE_CHANGE) {
    noteChange(routeId, value, kind === FILE_CHANGE, number);
  } else if (isKeyed(kind as ClearKind, soft === '1')) {
    storeKeyed(routeId, kind === 'url' ? value : undefined, number);
  } else {
    if (!listed.has(routeId)) listed.set(routeId, []);
    listed.get(routeId).push({ kind: kind as ClearKind, value, soft: soft === '1', number });
  }
}

/** In `init_by_lua`: takes in the journal where the shared memory is new, and has it begin anew. */
export function restoreClears(): void {
  if (options.cacheJournal === '' || clears.get(NUMBER) !== undefined) return;
  // Their places are there, whatever comes.
  clears.set(`r:${EVERY_ROUTE}`, 0);
  clears.set(NUMBER, 0);
  beginChanges();
  beginShieldChanges();
  const now = ngx.time();
  const listed = new LuaTable<string, ListedClear[]>();
  readLines((line) => restoreLine(line, now, listed));
  for (const [routeId, added] of listed) withRoom(() => list(routeId, added));
  beginJournal(writeMemory);
}

/** `init_worker_by_lua`. */
export function keepJournal(): void {
  recur(TICKS_PER_SECOND, () => writeMissing(writeMemory));
}

/** What workers have found valid, by key: the number of the newest clear that it was judged by. */
const KEYS_PER_WORKER = 20_000;
const judged = lrucache.new<number>(KEYS_PER_WORKER);

export const isJudged = (key: string, newest: number): boolean => (judged.get(key) ?? 0) >= newest;
export const noteJudged = (key: string, newest: number): void => judged.set(key, newest);
