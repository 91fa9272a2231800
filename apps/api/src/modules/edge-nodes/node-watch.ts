import type { Log } from '../../platform/log.ts';
import { SILENT_SECONDS } from './liveness-repository.ts';

const POLL_MS = 1_000;
/** A look that comes so much later than planned says that this process was not listening either. */
const LATE_MS = 1_000;

export interface WatchedNodes {
  /** Answers the names of nodes that were not heard of for so long, and are out of DNS from now on. */
  markSilent(silentSeconds: number): Promise<readonly string[]>;
  ping(): Promise<void>;
}

export interface NodeWatch {
  start(): void;
  stop(): void;
}

/**
 * Takes nodes out of DNS whose heartbeats stay away. Silence counts only while this process has itself been listening:
 * after a start, a pause of the process or of the database every node gets the whole time once more, since otherwise
 * the first one to be heard again would have to carry all traffic.
 */
export function watchNodes(
  database: WatchedNodes,
  log: Log,
  now: () => number = () => performance.now(),
): NodeWatch & { look(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let listeningSince = now();
  let lookedAt = now();

  async function look(): Promise<void> {
    const at = now();
    if (at - lookedAt > POLL_MS + LATE_MS) listeningSince = at;
    lookedAt = at;
    try {
      // Also asked while no node is judged: the database may be away longer than that.
      if (at - listeningSince < SILENT_SECONDS * 1000) return await database.ping();
      for (const node of await database.markSilent(SILENT_SECONDS)) log.warn({ node }, 'a node is silent: out of DNS');
    } catch (err) {
      listeningSince = now();
      log.warn({ err }, 'nodes could not be watched');
    }
  }

  async function run(): Promise<void> {
    await look();
    if (timer !== undefined) timer = setTimeout(() => void run(), POLL_MS);
  }

  return {
    look,
    start() {
      listeningSince = lookedAt = now();
      timer = setTimeout(() => void run(), POLL_MS);
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
