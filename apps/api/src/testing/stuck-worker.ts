import { createLog } from '../platform/log.ts';
import { startQueue } from '../platform/queue.ts';

/** A process whose job never ends, to be killed by a test. */
await startQueue({
  databaseUrl: process.env.DATABASE_URL ?? '',
  log: createLog('silent'),
  recurring: [],
  jobs: { note: () => new Promise(() => undefined) },
});
