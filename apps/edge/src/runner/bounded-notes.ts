import { options } from './runner-options.ts';

/**
 * What is noted of single URLs by requests of visitors, who can have as many noted as they like: a number for each, by groups. A group that
 * has too many, and of all groups the largest where there is no room, forgets them, and keeps the number of then as its floor:
 * each of its URLs may have been noted with any number up to it.
 *
 * `u:<group> <MD5 of the URL>` is a number, `n:<group>` how many the group has, `v:<group>` its floor.
 */
export interface BoundedNotes {
  readonly memory: SharedDict;
  /** For as long a number and a floor hold. */
  readonly seconds: number;
  /** Called for each group whose floor stands, before its numbers are gone. */
  readonly whenForgotten: (this: void) => void;
}

/** In place of a group: all of them. */
const EVERY = '*';

/** With the MD5 of a URL: LuaJIT and the dictionary hash it whole. */
export const urlKey = (group: string, hash: string): string => `u:${group} ${hash}`;
const countKey = (group: string): string => `n:${group}`;
const floorKey = (group: string): string => `v:${group}`;

const numberAt = (memory: SharedDict, key: string): number => (memory.get(key) ?? 0) as number;

/** The number of a URL, by its MD5; 0: it has none of its own. */
export const notedOf = ({ memory }: BoundedNotes, group: string, hash: string): number =>
  numberAt(memory, urlKey(group, hash));

/** 0: nothing of the group was forgotten. */
export const floorOf = ({ memory }: BoundedNotes, group: string): number =>
  Math.max(numberAt(memory, floorKey(group)), numberAt(memory, floorKey(EVERY)));

/** Whether some URL of it may have a number. */
export const hasNotes = ({ memory }: BoundedNotes, group: string): boolean => memory.get(countKey(group)) !== undefined;

/** In `init_by_lua`: the place of what holds for all is there, whatever comes. */
export function beginNotes({ memory }: BoundedNotes): void {
  memory.safe_add(floorKey(EVERY), 0);
}

/** Workers note at once: the one that comes last may have a lower number. */
const risen = (memory: SharedDict, key: string, number: number): number => Math.max(number, numberAt(memory, key));

/** Takes the numbers of these groups away, but what another worker has noted since. */
export function dropNumbers(memory: SharedDict, groups: LuaSet<string>, last: number): void {
  for (const key of memory.get_keys(0)) {
    const [, , group] = string.find(key, '^u:([^ ]+) ');
    if (group !== undefined && groups.has(group as string) && numberAt(memory, key) <= last) memory.delete(key);
  }
}

/** Their places are kept from the first URL of each group on: this never fails for want of room. */
function forget({ memory, seconds, whenForgotten }: BoundedNotes, groups: LuaSet<string>, number: number): void {
  for (const group of groups) {
    memory.set(floorKey(group), risen(memory, floorKey(group), number), seconds);
    whenForgotten();
  }
  for (const group of groups) memory.set(countKey(group), 0, seconds);
  dropNumbers(memory, groups, number);
}

/** What has ended is counted yet: a group is counted anew before it forgets, and forgets where little would be won. */
const FULL = 3 / 4;

/** With one that is about to be noted. */
function countAnew({ memory, seconds }: BoundedNotes, group: string): number {
  const prefix = urlKey(group, '');
  let count = 1;
  for (const key of memory.get_keys(0)) if (key.startsWith(prefix)) count += 1;
  memory.set(countKey(group), count, seconds);
  return count;
}

/** `first`: the group had none, or has forgotten what it had. */
type Outcome = 'noted' | 'first' | 'full';

function tryNote(notes: BoundedNotes, group: string, key: string, number: number, keptSeconds: number): Outcome {
  const { memory, seconds } = notes;
  let isFirst = false;
  for (const place of [floorKey(group), countKey(group)]) {
    const [isNew, error] = memory.safe_add(place, 0, seconds);
    if (isNew === true) isFirst = true;
    else if (error !== 'exists') return 'full';
    // They outlive each URL of the group, also one that is noted again and again.
    else memory.expire(place, seconds);
  }
  if (memory.get(key) !== undefined) {
    const left = memory.ttl(key) ?? 0;
    const [isKept] = memory.safe_set(key, risen(memory, key, number), Math.max(keptSeconds, left));
    if (isKept !== true) return 'full';
    return isFirst ? 'first' : 'noted';
  }
  const count = memory.incr(countKey(group), 1) ?? 0;
  if (count > options.limits.changes_per_domain && countAnew(notes, group) > options.limits.changes_per_domain * FULL) {
    const groups = new LuaSet<string>();
    groups.add(group);
    forget(notes, groups, number);
    return 'first';
  }
  if (memory.safe_set(key, number, keptSeconds)[0] !== true) {
    memory.incr(countKey(group), -1);
    return 'full';
  }
  return isFirst || count === 1 ? 'first' : 'noted';
}

/** How much of a memory a group takes. */
export interface GroupSize {
  readonly group: string;
  readonly size: number;
}

/** Those that take most, which together take so much. */
export function largestGroups(sizes: GroupSize[], together: number): LuaSet<string> {
  table.sort(sizes, (a, b) => a.size > b.size);
  const groups = new LuaSet<string>();
  let taken = 0;
  for (const { group, size } of sizes) {
    if (taken < together) groups.add(group);
    taken += size;
  }
  return groups;
}

/** So much of all URLs gives way at once: each time, all keys are looked at. */
export const ROOM = 1 / 8;

/** The groups that have most URLs give way. */
function makeRoom(notes: BoundedNotes, number: number): void {
  const { memory } = notes;
  const counts: GroupSize[] = [];
  let all = 0;
  for (const key of memory.get_keys(0)) {
    const size = string.sub(key, 1, 2) === 'n:' ? numberAt(memory, key) : 0;
    if (size > 0) counts.push({ group: string.sub(key, 3), size });
    all += size;
  }
  if (counts.length === 0) forgetAll(notes, number);
  else forget(notes, largestGroups(counts, all * ROOM), number);
}

function forgetAll({ memory, whenForgotten }: BoundedNotes, number: number): void {
  memory.set(floorKey(EVERY), risen(memory, floorKey(EVERY), number));
  whenForgotten();
}

/** True: whoever has read of the group has to look anew. Never fails. A shorter time is for this one only. */
export function noteNumber(
  notes: BoundedNotes,
  group: string,
  hash: string,
  number: number,
  keptSeconds: number,
): boolean {
  const key = urlKey(group, hash);
  let outcome = tryNote(notes, group, key, number, keptSeconds);
  // Of what has ended, nginx gives back by itself what was used longest ago only.
  if (outcome === 'full' && notes.memory.flush_expired(0) > 0)
    outcome = tryNote(notes, group, key, number, keptSeconds);
  if (outcome !== 'full') return outcome === 'first';
  makeRoom(notes, number);
  if (tryNote(notes, group, key, number, keptSeconds) === 'full') forgetAll(notes, number);
  return true;
}
