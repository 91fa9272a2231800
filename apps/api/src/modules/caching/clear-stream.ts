import type pg from 'pg';
import type { NotificationHub } from '../../platform/stream.ts';
import type { ClearStream } from '../edge-nodes/service.ts';
import { clearPositionAt, readClears } from './clear-repository.ts';

/**
 * The clears in the stream of a node, written as soon as they are committed, whatever else the stream is at: no order binds them to
 * routes and feeds.
 * @param cursor As the node has it. What is no number, like 0, is of a node that knows of none.
 */
export function createClearStream(
  { pool, hub }: { readonly pool: pg.Pool; readonly hub: NotificationHub },
  czones: readonly string[],
  cursor: string,
  write: (text: string) => Promise<void>,
): ClearStream {
  let position = clearPositionAt(/^\d{1,15}$/.test(cursor) ? Number(cursor) : 0);
  let isDue = false;
  let isClosed = false;
  let isRunning = false;
  let failure: unknown;

  async function writeChanges(): Promise<void> {
    while (isDue && !isClosed) {
      isDue = false;
      const read = await readClears(pool, czones, position);
      position = read.next;
      if (read.isForgotten) await write(`event: clears\ndata: {"cursor":"${position.cursor}","all":true}\n\n`);
      else if (read.clears !== null)
        await write(`event: clears\ndata: {"cursor":"${position.cursor}","clears":${read.clears}}\n\n`);
      isDue ||= read.isPartial;
    }
  }

  function run(): void {
    isDue = true;
    if (isRunning) return;
    isRunning = true;
    void writeChanges()
      .catch((error) => {
        failure ??= error;
      })
      .finally(() => {
        isRunning = false;
        if (isDue && !isClosed && failure === undefined) run();
      });
  }

  const unsubscribe = hub.subscribe('cache_clears', run);
  run();
  return {
    look() {
      if (failure !== undefined) throw failure;
      run();
    },
    close() {
      isClosed = true;
      unsubscribe();
    },
  };
}
