import { beginGeneration } from './generation.ts';
import { options } from './runner-options.ts';

/**
 * URLs that requests of visitors have changed (RFC 9111 4.4), and large files whose slices are of two versions. They share the numbers of what
 * was cleared (cache-clears.ts), and are kept apart from it, because visitors can have as many noted as they like:
 * - each is part of the keys of what is fetched from then on (`u:<group> <MD5 of the URL>`);
 * - a group that has too many forgets them, and notes up to which number it has (`v:<group>`): what was stored before is not served any more
 *   without having been validated, whether it was changed or not.
 *
 * A group is all that is stored of a route but for its large files, whose slices are found by keys alone, or these.
 */
const changes = ngx.shared.cordon_changes as SharedDict;

const groupOf = (routeId: string, isFile: boolean): string => (isFile ? `${routeId}/files` : routeId);
/** In place of a group: all of them. */
const EVERY = '*';

/** With the MD5 of a URL. */
const urlKey = (group: string, hash: string): string => `u:${group} ${hash}`;
const countKey = (group: string): string => `n:${group}`;
const floorKey = (group: string): string => `v:${group}`;

const numberAt = (key: string): number => (changes.get(key) ?? 0) as number;

/** `inactive` of nginx.conf.template and an hour: what nobody asked for since is gone from the disk, and its keys may come again. */
export const ENTRY_SECONDS = 7 * 86_400 + 3600;

/** What holds for a route now. */
export interface RouteChanges {
  /** Some URL of it may be noted. */
  readonly hasUrls: boolean;
  /** What was stored before, other than slices, is validated before it serves; 0: nothing need be. */
  readonly floor: number;
  /** Slices from before it are found by nobody. */
  readonly filesFloor: number;
}

export function changesOf(routeId: string): RouteChanges {
  const files = groupOf(routeId, true);
  return {
    hasUrls: changes.get(countKey(routeId)) !== undefined || changes.get(countKey(files)) !== undefined,
    floor: Math.max(numberAt(floorKey(routeId)), numberAt(floorKey(EVERY))),
    filesFloor: Math.max(numberAt(floorKey(files)), numberAt(floorKey(EVERY))),
  };
}

/** Of what was stored before it, nothing of a URL is found; 0: it was never changed, as far as it is known. */
export const numberOfChange = (routeId: string, hash: string, isFile: boolean): number =>
  numberAt(urlKey(groupOf(routeId, isFile), hash));

const meta = ngx.shared.cordon_meta as SharedDict;
const noteForgotten = (): number | undefined => meta.incr('changes_forgotten', 1, 0);

/** How often all URLs of a group, or of all groups, were forgotten since nginx started. */
export const changesForgotten = (): number => (meta.get('changes_forgotten') ?? 0) as number;

/** Their places are kept from the first URL of each group on: this never fails for want of room. */
function forget(groups: LuaSet<string>, number: number): void {
  for (const group of groups) {
    changes.set(floorKey(group), number, ENTRY_SECONDS);
    noteForgotten();
  }
  // Before the keys of what was changed are forgotten: workers must know of this first.
  beginGeneration();
  for (const group of groups) changes.set(countKey(group), 0, ENTRY_SECONDS);
  for (const key of changes.get_keys(0)) {
    const [, , group] = string.find(key, '^u:([^ ]+) ');
    if (group !== undefined && groups.has(group as string)) changes.delete(key);
  }
}

/** What had become of a URL that was to be noted; `first`: workers have to look at the group anew. */
type Outcome = 'noted' | 'first' | 'full';

function note(group: string, key: string, number: number): Outcome {
  if (changes.get(key) !== undefined)
    return changes.safe_set(key, number, ENTRY_SECONDS)[0] === true ? 'noted' : 'full';
  for (const place of [floorKey(group), countKey(group)]) {
    const [isNew, error] = changes.safe_add(place, 0, ENTRY_SECONDS);
    if (isNew !== true && error !== 'exists') return 'full';
    // They outlive each URL of the group.
    if (isNew !== true) changes.expire(place, ENTRY_SECONDS);
  }
  const count = changes.incr(countKey(group), 1) ?? 0;
  if (count > options.limits.changes_per_domain) {
    const groups = new LuaSet<string>();
    groups.add(group);
    forget(groups, number);
    return 'first';
  }
  if (changes.safe_set(key, number, ENTRY_SECONDS)[0] !== true) return 'full';
  return count === 1 ? 'first' : 'noted';
}

/** So much of all URLs gives way at once: each time, all keys are looked at. */
const ROOM = 1 / 8;

/** The groups that have most URLs give way. */
function makeRoom(number: number): void {
  const counts: { group: string; count: number }[] = [];
  let all = 0;
  for (const key of changes.get_keys(0)) {
    const count = string.sub(key, 1, 2) === 'n:' ? numberAt(key) : 0;
    if (count > 0) counts.push({ group: string.sub(key, 3), count });
    all += count;
  }
  if (counts.length === 0) {
    forgetAll(number);
    return;
  }
  table.sort(counts, (a, b) => a.count > b.count);
  const groups = new LuaSet<string>();
  let freed = 0;
  for (const { group, count } of counts) {
    if (freed < all * ROOM) groups.add(group);
    freed += count;
  }
  forget(groups, number);
}

function forgetAll(number: number): void {
  changes.set(floorKey(EVERY), number);
  noteForgotten();
}

/** Notes that a URL was changed; true: workers have to look at the route anew. Never fails: where there is no room, more is validated. */
export function noteChange(routeId: string, hash: string, isFile: boolean, number: number): boolean {
  const group = groupOf(routeId, isFile);
  const key = urlKey(group, hash);
  const outcome = note(group, key, number);
  if (outcome !== 'full') return outcome === 'first';
  makeRoom(number);
  if (note(group, key, number) === 'full') forgetAll(number);
  return true;
}

/** In `init_by_lua`: the place of what holds for all is there, whatever comes. */
export function beginChanges(): void {
  changes.safe_add(floorKey(EVERY), 0);
}

/** All that is known, for the journal. */
export const changesKnown = (): SharedDict => changes;
