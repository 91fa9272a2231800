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

/** All that is known, for the journal. */
export const shieldChangesKnown = (): SharedDict => changes.memory;

/** What was made within the same second may be from before it. */
const secondAfter = (now: number): number => Math.floor(now) + 1;

/** Notes that a URL was changed, and answers when; undefined where the czone has no shields. */
export function changeOfShields(routeId: string, czone: string, hash: string, keptSeconds: number): number | undefined {
  if (settingsAt(currentGeneration())?.shields?.[czone] === undefined) return undefined;
  const second = secondAfter(ngx.now());
  noteNumber(changes, routeId, hash, second, keptSeconds);
  return second;
}

/** The same, once nginx was started anew. */
export function restoreChangeOfShields(routeId: string, hash: string, second: number, keptSeconds: number): void {
  noteNumber(changes, routeId, hash, second, keptSeconds);
}

/** Of what was made before, nothing of the URL may be had of a shield; 0: it was not changed. */
export const changedAt = (routeId: string, url: string): number =>
  Math.max(notedOf(changes, routeId, ngx.md5(url)), floorOf(changes, routeId));
