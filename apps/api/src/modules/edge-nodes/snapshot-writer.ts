import { once } from 'node:events';
import type { Writable } from 'node:stream';
import pLimit from 'p-limit';
import type pg from 'pg';
import type { NodePrincipal } from './node-principal.ts';
import { readSnapshot } from './repository.ts';

/** Each holds a connection to the database for as long as its node reads. */
const AT_ONCE = 4;
/** A node that waits for its turn hears as often that its connection stands (apps/edge/README.md, "Edge control protocol"). */
const WAITING_MS = 5_000;
/** A node has to have read so much in so long a time. */
const SLICE_BYTES = 64 * 1024;
const SLICE_MS = 15_000;
const WHOLE_MS = 5 * 60_000;

export interface SnapshotWriter {
  /**
   * Writes the snapshot of a node's czones, in its turn; one that it has asked for before is broken off. Throws where the node reads
   * too slowly, or has gone.
   * @param signal Aborted when `out` is closed.
   */
  write(node: Pick<NodePrincipal, 'id' | 'czones'>, epoch: string, out: Writable, signal: AbortSignal): Promise<void>;
}

/** Nodes that read slowly, or not at all, must not take the connections to the database that all else needs. */
export function createSnapshotWriter(
  pool: pg.Pool,
  { sliceMs = SLICE_MS, waitingMs = WAITING_MS }: { readonly sliceMs?: number; readonly waitingMs?: number } = {},
): SnapshotWriter {
  const limit = pLimit(AT_ONCE);
  const byNode = new Map<string, Writable>();

  async function writeNow(czones: readonly string[], epoch: string, out: Writable, closed: AbortSignal) {
    const isOver = AbortSignal.any([closed, AbortSignal.timeout(WHOLE_MS)]);
    const write = async (text: string) => {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
        isOver.throwIfAborted();
        if (!out.write(bytes.subarray(at, at + SLICE_BYTES)))
          await once(out, 'drain', { signal: AbortSignal.any([isOver, AbortSignal.timeout(sliceMs)]) });
      }
    };
    let count = 0;
    await readSnapshot(
      pool,
      czones,
      (cursor) => write(`${JSON.stringify({ cursor: String(cursor), epoch })}\n`),
      async (lines, rows) => {
        count += rows;
        await write(lines);
      },
    );
    await write(`${JSON.stringify({ end: true, count })}\n`);
  }

  return {
    async write({ id, czones }, epoch, out, signal) {
      byNode.get(id)?.destroy();
      byNode.set(id, out);
      const waiting = setInterval(() => out.write('\n'), waitingMs);
      try {
        await limit(async () => {
          clearInterval(waiting);
          signal.throwIfAborted();
          await writeNow(czones, epoch, out, signal);
        });
      } finally {
        clearInterval(waiting);
        if (byNode.get(id) === out) byNode.delete(id);
      }
    },
  };
}
