import { type BoundedNotes, beginNotes, floorOf, notedOf, noteNumber } from './bounded-notes.ts';
import { ENTRY_SECONDS } from './cache-changes.ts';
import { currentGeneration } from './generation.ts';
import { settingsAt } from './settings.ts';

/**
 * When requests that passed this node have changed what is behind URLs, of which shields know nothing: seconds of the clock, by route. What a
 * shield has stored of such a URL serves only where it was made later.
 */
const changes: BoundedNotes = {
  memory: ngx.shared.cordon_shield_changes as SharedDict,
  seconds: ENTRY_SECONDS,
  whenForgotten: () => {},
};

/** In `init_by_lua`. */
export const beginShieldChanges = (): void => beginNotes(changes);

/** What was made within the same second may be from before it. */
const secondAfter = (now: number): number => Math.floor(now) + 1;

/**
 * To be called at a change, of whatever is stored here. True: there are shields, and this was noted in memory only: of what has to be known after
 * a start of nginx, what is stored here is invalidated, too, also where that is nothing (`isClearedBeforeStart` of shield-clears.ts).
 */
export function noteChanged(routeId: string, czone: string, url: string, seconds: number = ENTRY_SECONDS): boolean {
  if (settingsAt(currentGeneration())?.shields?.[czone] === undefined) return false;
  noteNumber(changes, routeId, ngx.md5(url), secondAfter(ngx.now()), seconds);
  return true;
}

/** Of what was made before, nothing of the URL may be had of a shield; 0: it was not changed. */
export const changedAt = (routeId: string, url: string): number =>
  Math.max(notedOf(changes, routeId, ngx.md5(url)), floorOf(changes, routeId));
