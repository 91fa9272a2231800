import { type BoundedNotes, beginNotes, floorOf, hasNotes, notedOf, noteNumber } from './bounded-notes.ts';
import { beginGeneration } from './generation.ts';

/**
 * URLs that requests of visitors have changed (RFC 9111 4.4), and large files whose slices are of two versions. They share the numbers of what
 * was cleared (cache-clears.ts), and are kept apart from it, because visitors can have as many noted as they like:
 * - each is part of the keys of what is fetched from then on;
 * - a group that has too many forgets them, and notes up to which number it has: what was stored before is not served any more
 *   without having been validated, whether it was changed or not.
 *
 * A group is all that is stored of a route but for its large files, whose slices are found by keys alone, or these.
 */
const groupOf = (routeId: string, isFile: boolean): string => (isFile ? `${routeId}/files` : routeId);

/** `inactive` of nginx.conf.template and an hour: what nobody asked for since is gone from the disk, and its keys may come again. */
export const ENTRY_SECONDS = 7 * 86_400 + 3600;

const meta = ngx.shared.cordon_meta as SharedDict;

/** How often all URLs of a group, or of all groups, were forgotten since nginx started. */
export const changesForgotten = (): number => (meta.get('changes_forgotten') ?? 0) as number;

const changes: BoundedNotes = {
  memory: ngx.shared.cordon_changes as SharedDict,
  seconds: ENTRY_SECONDS,
  whenForgotten: () => {
    meta.incr('changes_forgotten', 1, 0);
    // Before the keys of what was changed are forgotten: workers must know of this first.
    beginGeneration();
  },
};

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
    hasUrls: hasNotes(changes, routeId) || hasNotes(changes, files),
    floor: floorOf(changes, routeId),
    filesFloor: floorOf(changes, files),
  };
}

/** Of what was stored before it, nothing of a URL is found; 0: it was never changed, as far as it is known. */
export const numberOfChange = (routeId: string, hash: string, isFile: boolean): number =>
  notedOf(changes, groupOf(routeId, isFile), hash);

/** Notes that a URL was changed; true: workers have to look at the route anew. Never fails: where there is no room, more is validated. */
export const noteChange = (routeId: string, hash: string, isFile: boolean, number: number): boolean =>
  noteNumber(changes, groupOf(routeId, isFile), hash, number, ENTRY_SECONDS);

/** In `init_by_lua`. */
export const beginChanges = (): void => beginNotes(changes);

/** All that is known, for the journal. */
export const changesKnown = (): SharedDict => changes.memory;
