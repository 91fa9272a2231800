import { EventEmitter } from 'node:events';
import {
  Logger,
  makeWorkerUtils,
  parseCronItems,
  type Runner,
  run,
  runMigrations,
  type Task,
  type WorkerEvents,
} from 'graphile-worker';
import { sql } from 'kysely';
import pg from 'pg';
import type { Executor } from './database.ts';
import type { Log } from './log.ts';

/** A job of a module: gets the payload that it was added with; throws to be tried again with back-off. */
export type JobHandler<Payload = never> = (payload: Payload) => Promise<void>;
export interface RecurringJob {
  readonly name: string;
  /** Cron expression in UTC. */
  readonly pattern: string;
}

export interface JobOptions {
  readonly runAt?: Date;
  /** A second job with the same key replaces the first while that waits. */
  readonly key?: string;
  readonly maxAttempts?: number;
  /** Jobs of one line run one after the other, so that one account does not take all workers. */
  readonly line?: string;
}

/** Adds a job in the caller's transaction: it exists exactly when what caused it does. */
export async function addJob(db: Executor, name: string, payload: object, options: JobOptions = {}): Promise<void> {
  await sql`SELECT graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json,
    run_at => ${options.runAt?.toISOString() ?? null}::timestamptz, job_key => ${options.key ?? null},
    max_attempts => ${options.maxAttempts ?? 25}::int, queue_name => ${options.line ?? null})`.execute(db);
}

/** Creates or upgrades the queue's own tables. */
export const migrateQueue = (databaseUrl: string): Promise<void> => runMigrations({ connectionString: databaseUrl });

export interface QueueOptions {
  readonly databaseUrl: string;
  readonly log: Log;
  readonly jobs: Readonly<Record<string, JobHandler>>;
  readonly recurring: readonly RecurringJob[];
  readonly concurrency?: number;
}

export interface Queue {
  isRunning(): boolean;
  stop(): Promise<void>;
}

const SWEEP_MS = 1_000;
/** Workers are written down right after they start; this is plenty. */
const UNREGISTERED_SECONDS_MAX = 5;
const POOL_LOCK_SPACE = 0x71756575;

/**
 * Runs jobs. A worker that is killed leaves its jobs locked for four hours; so each process holds an advisory lock for
 * its pool of workers, and a process that finds a pool without its lock unlocks that pool's jobs.
 */
export async function startQueue(options: QueueOptions): Promise<Queue> {
  const { databaseUrl, log } = options;
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: (options.concurrency ?? 4) + 2,
    application_name: 'cordon-queue',
  });
  pool.on('error', (err) => log.warn({ err }, 'a connection of the queue was lost'));
  pool.on('connect', (client) => client.on('error', () => undefined));
  const logger = new Logger(
    () => (level, message) => log[level === 'warning' ? 'warn' : level === 'error' ? 'error' : 'debug'](message),
  );
  const poolId = Math.floor(Math.random() * 0x7fffffff);
  const workerIds: string[] = [];
  const events: WorkerEvents = new EventEmitter() as WorkerEvents;
  events.on('worker:create', ({ worker }) => workerIds.push(worker.workerId));
  events.on('job:error', ({ job, error }) =>
    log.error({ err: error, job: job.task_identifier, attempt: job.attempts }, 'a job failed'),
  );
  const utils = await makeWorkerUtils({ pgPool: pool, logger });
  const taskList: Record<string, Task> = {};
  for (const [name, handler] of Object.entries(options.jobs)) taskList[name] = (payload) => handler(payload as never);

  let runner: Runner;
  runner = await run({
    pgPool: pool,
    logger,
    concurrency: options.concurrency ?? 4,
    pollInterval: 1_000,
    noHandleSignals: true,
    events,
    taskList,
    parsedCronItems: parseCronItems(
      options.recurring.map((job) => ({ task: job.name, match: job.pattern, identifier: job.name })),
    ),
  });

  let lockClient: pg.Client | undefined;
  async function holdLock(): Promise<pg.Client> {
    if (lockClient) return lockClient;
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'cordon-queue-lock',
      keepAlive: true,
    });
    client.on('error', () => {
      if (lockClient === client) lockClient = undefined;
    });
    await client.connect();
    await client.query('SELECT pg_advisory_lock($1, $2)', [POOL_LOCK_SPACE, poolId]);
    await client.query(
      'INSERT INTO queue_pools (id, worker_ids) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET worker_ids = excluded.worker_ids',
      [poolId, workerIds],
    );
    lockClient = client;
    return client;
  }
  async function sweep(): Promise<void> {
    const client = await holdLock();
    const { rows } = await client.query<{ id: string; worker_ids: string[] }>(
      'SELECT id, worker_ids FROM queue_pools WHERE id <> $1',
      [poolId],
    );
    for (const dead of rows) {
      const id = Number(dead.id);
      const { rows: locked } = await client.query<{ ok: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS ok', [
        POOL_LOCK_SPACE,
        id,
      ]);
      if (!locked[0]?.ok) continue;
      if (dead.worker_ids.length > 0) await utils.forceUnlockWorkers(dead.worker_ids);
      await client.query('DELETE FROM queue_pools WHERE id = $1', [id]);
      await client.query('SELECT pg_advisory_unlock($1, $2)', [POOL_LOCK_SPACE, id]);
      log.warn({ pool: id }, 'unlocked the jobs of a process that ended without stopping');
    }
    // A process that died before it had written down its workers.
    const { rows: orphans } = await client.query<{ worker_ids: string[] | null }>(
      `SELECT array_agg(DISTINCT locked_by) AS worker_ids FROM graphile_worker.jobs
       WHERE locked_at < now() - make_interval(secs => $1)
         AND NOT EXISTS (SELECT 1 FROM queue_pools WHERE locked_by = ANY(worker_ids))`,
      [UNREGISTERED_SECONDS_MAX],
    );
    const orphaned = orphans[0]?.worker_ids;
    if (orphaned) await utils.forceUnlockWorkers(orphaned);
  }
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const keepSweeping = async () => {
    try {
      await sweep();
    } catch (err) {
      log.warn({ err }, 'the sweep of dead workers failed');
    }
    if (!isStopped) timer = setTimeout(() => void keepSweeping(), SWEEP_MS);
  };
  await keepSweeping();

  // The runner ends when it loses the database for long; then start it anew with the process.
  let isRunning = true;
  runner.promise.then(
    () => {
      isRunning = false;
    },
    (err) => {
      isRunning = false;
      if (!isStopped) log.error({ err }, 'the queue ended');
    },
  );
  return {
    isRunning: () => isRunning,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      if (isRunning) await runner.stop();
      await lockClient?.query('DELETE FROM queue_pools WHERE id = $1', [poolId]).catch(() => undefined);
      await lockClient?.end().catch(() => undefined);
      await utils.release();
      await pool.end();
    },
  };
}
