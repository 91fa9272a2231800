/**
 * What fetches that are under way have noted: who leads, and of which URLs something is about to be stored. Nothing of it is ever pushed out
 * by what others note: where there is no room for a note, the answer is passed on and not stored. Each note is of a connection, or counts for
 * two seconds at most, so that no domain can fill it for long.
 */
const notes = ngx.shared.cordon_fetches as SharedDict;

/** Of those that have ended, nginx gives back the oldest of all only, and only if it has ended. */
const FLUSH_SECONDS = 1;
let flushedAt = 0;

/** Makes room of what has ended; each time all notes are looked at. False: that was just done. */
function flush(): boolean {
  const now = ngx.now();
  if (now - flushedAt < FLUSH_SECONDS) return false;
  flushedAt = now;
  notes.flush_expired(0);
  return true;
}

/** What became of a note: `known` stood there already. */
export type Noted = 'noted' | 'known' | 'full';

function tryAdd(key: string, value: number, seconds: number): Noted {
  const [isNew, error] = notes.safe_add(key, value, seconds);
  if (isNew === true) return 'noted';
  return error === 'exists' ? 'known' : 'full';
}

/** Notes it where it does not stand yet. */
export function addNote(key: string, value: number, seconds: number): Noted {
  const noted = tryAdd(key, value, seconds);
  return noted === 'full' && flush() ? tryAdd(key, value, seconds) : noted;
}

/** False: there is no room. */
export function setNote(key: string, value: number | string, seconds: number): boolean {
  if (notes.safe_set(key, value, seconds)[0] === true) return true;
  return flush() && notes.safe_set(key, value, seconds)[0] === true;
}

export const noteOf = (key: string): number | undefined => notes.get(key) as number | undefined;
export const textOf = (key: string): string | undefined => notes.get(key) as string | undefined;

/** Seconds since it was noted, for so many. */
export const ageOfNote = (key: string, seconds: number): number => seconds - (notes.ttl(key) ?? 0);

export function dropNote(key: string): void {
  notes.delete(key);
}

/** Longer than any fetch; of a worker that was killed, notes stay as long. */
const FETCH_SECONDS = 86_400;
const countKey = (routeId: string, url: string): string => `count ${routeId} ${ngx.md5(url)}`;

/** To be called before a fetch asks how many clears there were. False: there is no room, and what it brings must not be stored. */
export function noteFetch(routeId: string, url: string): boolean {
  const key = countKey(routeId, url);
  for (let attempt = 0; attempt < 2; attempt++) {
    if (notes.incr(key, 1) !== undefined) {
      notes.expire(key, FETCH_SECONDS);
      return true;
    }
    // Another one may be before it here.
    const noted = addNote(key, 1, FETCH_SECONDS);
    if (noted !== 'known') return noted === 'noted';
  }
  return false;
}

/** What a fetch has brought is in its place when nginx comes to it, which on a busy machine is not at once. */
const STORING_SECONDS = 1;
const storingKey = (routeId: string, url: string): string => `storing ${routeId} ${ngx.md5(url)}`;

/** To be called once for each that was noted. `isStored`: what it has brought is about to be in its place. */
export function forgetFetch(routeId: string, url: string, isStored: boolean): void {
  const key = countKey(routeId, url);
  if (isStored && !setNote(storingKey(routeId, url), 1, STORING_SECONDS) && (noteOf(key) ?? 0) <= 1) {
    // Its own note is there.
    notes.expire(key, STORING_SECONDS);
    return;
  }
  if ((notes.incr(key, -1) ?? 0) <= 0) notes.delete(key);
}

/** Whether something is about to be stored of a URL. */
export const isBeingFetched = (routeId: string, url: string): boolean =>
  noteOf(countKey(routeId, url)) !== undefined || noteOf(storingKey(routeId, url)) !== undefined;
