import { parseRange, rangesOverlap } from '@cordon/contract';

const IDS_MAX = 1000;
const NETWORKS_MAX = 1000;
const NOTE_CHARACTERS_MAX = 200;
/** Nothing shorter can be asked for. */
const SECONDS_MIN = 10;
/** More would take long, and use up what the account may call in a minute. */
const CALLS_MAX = 20;

/** What of a ban is needed to ban again. */
export interface LiftedBan {
  readonly network: string;
  readonly route_id: string | null;
  readonly ends_at: string | null;
}

export interface RestoreCall {
  readonly networks: string[];
  readonly route_id: string | null;
  readonly seconds: number | null;
  readonly note: string;
}

/** Lifts any number of bans; answers how many were there. */
export async function liftInParts(ids: readonly string[], lift: (ids: string[]) => Promise<number>): Promise<number> {
  let lifted = 0;
  for (let at = 0; at < ids.length; at += IDS_MAX) lifted += await lift(ids.slice(at, at + IDS_MAX));
  return lifted;
}

/** One list may not hold a network and a part of it: they go into calls of their own. */
function addTo(calls: RestoreCall[], network: string): boolean {
  const range = parseRange(network);
  const fitting = calls.find(
    ({ networks }) =>
      networks.length < NETWORKS_MAX &&
      !networks.some((other) => {
        const known = parseRange(other);
        return range !== undefined && known !== undefined && rangesOverlap(known, range);
      }),
  );
  fitting?.networks.push(network);
  return fitting !== undefined;
}

/**
 * The calls that bring lifted bans back for the time that they had left: as few as possible, the same end and note
 * together. Undefined where they would be too many. `noteOf` says why they are there, since they are now by hand.
 */
export function restoreCalls<Row extends LiftedBan>(
  bans: readonly Row[],
  noteOf: (ban: Row) => string,
  now = Date.now(),
): RestoreCall[] | undefined {
  const groups = new Map<string, RestoreCall[]>();
  for (const ban of bans) {
    const seconds = ban.ends_at === null ? null : Math.round((Date.parse(ban.ends_at) - now) / 1000);
    if (seconds !== null && seconds < SECONDS_MIN) continue;
    const note = noteOf(ban).slice(0, NOTE_CHARACTERS_MAX);
    const key = JSON.stringify([ban.route_id, seconds, note]);
    const calls = groups.get(key) ?? [];
    groups.set(key, calls);
    if (!addTo(calls, ban.network)) calls.push({ networks: [ban.network], route_id: ban.route_id, seconds, note });
  }
  const all = [...groups.values()].flat();
  return all.length > CALLS_MAX ? undefined : all;
}
