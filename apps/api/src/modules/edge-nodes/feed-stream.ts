import type { EdgeChange } from '@cordon/contract';
import type pg from 'pg';
import {
  type FeedChanges,
  type FeedPosition,
  feedPositionAt,
  readEnteredScopes,
  readEntriesOfScopes,
  readFeedChanges,
} from './feed-repository.ts';

const POLL_MS = 1_000;

type FeedsWritten = Pick<FeedChanges, 'isPartial' | 'isForgotten'>;
const NOTHING_NEW: FeedsWritten = { isPartial: false, isForgotten: false };

/** The feeds in the stream of a node: what has changed since `cursor`, and all of what enters its czones. */
export function createFeedStream(
  pool: pg.Pool,
  czones: readonly string[],
  cursor: number,
  write: (text: string) => Promise<void>,
) {
  let position: FeedPosition = feedPositionAt(cursor);
  let hasChanges = true;
  let readAt = 0;

  /** @param entries JSON of them. */
  const writeEntries = (entries: string) =>
    write(`event: feeds\ndata: {"cursor":"${position.cursor}","entries":${entries}}\n\n`);

  /** What has changed, a bounded part of it; nothing is asked for when nothing is known to have. */
  async function writeChanges(): Promise<FeedsWritten> {
    if (!hasChanges && Date.now() - readAt < POLL_MS) return NOTHING_NEW;
    hasChanges = false;
    readAt = Date.now();
    const read = await readFeedChanges(pool, czones, position);
    if (read.isForgotten) return read;
    position = read.next;
    if (read.entries !== null) await writeEntries(read.entries);
    hasChanges ||= read.isPartial;
    return read;
  }

  return {
    noteChange(): void {
      hasChanges = true;
    },
    writeChanges,

    /**
     * All of the routes that enter and of their accounts, for the time before the routes: the node serves none of them to
     * clients that are banned. False when the node must start anew, as after `isForgotten`.
     */
    async writeEntered(changes: readonly EdgeChange[], since: number): Promise<boolean> {
      const served = changes.flatMap(({ route_id, route }) => (route === null ? [] : [route_id]));
      if (served.length === 0) return true;
      const scopes = await readEnteredScopes(pool, czones, served, since);
      for await (const entries of readEntriesOfScopes(pool, scopes, since)) {
        await writeEntries(JSON.stringify(entries));
        // Other routes' bans do not wait for all of it. Before the next part is read, which may hold newer states.
        if ((await writeChanges()).isForgotten) return false;
      }
      return true;
    },
  };
}
