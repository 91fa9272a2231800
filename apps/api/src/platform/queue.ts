import { makeWorkerUtils, runMigrations } from 'graphile-worker';
import { sql } from 'kysely';
import pg from 'pg';
import type { Executor } from './database.ts';
import type { Log } from './log.ts';
import {
  IN_FLIGHT_SECONDS_MAX,
  type JobHandler,
  queueLogger,
  type RecurringJob,
  startWorkerPool,
  type WorkerPool,
} from './queue-pool.ts';

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
const RESTART_MS_MAX = 30_000;
/** Workers that ran this long ended for a new reason. */
const WELL_AFTER_MS = 60_000;
const POOL_LOCK_SPACE = 0x71756575;

/**
 * Runs jobs. A worker that is killed leaves its jobs locked for four hours; so each process holds an advisory lock for
 * its workers, and a process that finds workers without their lock unlocks their jobs. Workers that end by themselves
 * are started anew.
 */
export async function startQueue(options: QueueOptions): Promise<Queue> {
  const { databaseUrl, log, jobs, recurring, concurrency = 4 } = options;
  const connections = new pg.Pool({
    connectionString: databaseUrl,
    max: concurrency + 2,
    application_name: 'cordon-queue',
  });
  connections.on('error', (err) => log.warn({ err }, 'a connection of the queue was lost'));
  connections.on('connect', (client) => client.on('error', () => undefined));
  const utils = await makeWorkerUtils({ pgPool: connections, logger: queueLogger(log) });
  const workers = new Workers(log, () => startWorkerPool({ connections, log, jobs, recurring, concurrency }));
  const register = new WorkerRegister(databaseUrl, log, (ids) => utils.forceUnlockWorkers(ids));
  await workers.start();
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> | undefined;
  const sweep = async () => {
    try {
      await register.note(workers.ids);
      await workers.restartEnded();
      await register.note(workers.ids);
      await register.unlockDead();
      await workers.replaceThoseWithLostJobs(await register.takenBy(workers.currentId));
    } catch (err) {
      log.warn({ err }, 'the sweep of dead workers failed');
    }
  };
  const keepSweeping = async () => {
    sweeping = sweep();
    await sweeping;
    if (!isStopped) timer = setTimeout(() => void keepSweeping(), SWEEP_MS);
  };
  await keepSweeping();
  return {
    isRunning: () => workers.currentId !== undefined,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await sweeping;
      await workers.stop();
      await register.close();
      await utils.release();
      await connections.end();
    },
  };
}

/** The workers that take jobs, and those before them that are still at their last ones. */
class Workers {
  readonly #log: Log;
  readonly #startPool: () => Promise<WorkerPool>;
  readonly #pools = new Map<string, WorkerPool>();
  #current: WorkerPool | undefined;
  #startedAt = 0;
  #restarts = 0;
  #restartAt = 0;
  #isStopping = false;

  constructor(log: Log, startPool: () => Promise<WorkerPool>) {
    this.#log = log;
    this.#startPool = startPool;
  }

  get currentId(): string | undefined {
    return this.#current?.id;
  }

  get ids(): string[] {
    return [...this.#pools.keys()];
  }

  async start(): Promise<void> {
    const pool = await this.#startPool();
    this.#current = pool;
    this.#startedAt = performance.now();
    this.#pools.set(pool.id, pool);
    void pool.ended.then(() => {
      this.#pools.delete(pool.id);
      if (this.#current !== pool) return;
      this.#current = undefined;
      if (performance.now() - this.#startedAt > WELL_AFTER_MS) this.#restarts = 0;
      const waitMs = Math.min(RESTART_MS_MAX, SWEEP_MS * 2 ** this.#restarts++);
      this.#restartAt = performance.now() + waitMs;
      if (!this.#isStopping) this.#log.error({ restartMs: waitMs }, 'the workers of the queue ended');
    });
  }

  async restartEnded(): Promise<void> {
    if (this.#current === undefined && performance.now() >= this.#restartAt) await this.start();
  }

  /**
   * A connection that breaks takes along the end of a job, or a job on its way to its worker: nobody is at it, and it
   * stays locked by workers that live. They are replaced; what they leave is unlocked when their last job is done.
   */
  async replaceThoseWithLostJobs(taken: readonly string[]): Promise<void> {
    const former = this.#current;
    const lost = taken.filter((jobId) => former?.isAt(jobId) === false);
    if (former === undefined || lost.length === 0) return;
    this.#log.warn({ jobs: lost }, 'jobs were lost with their connection; they are tried again');
    await this.start();
    void former.end();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all([...this.#pools.values()].map((pool) => pool.end()));
  }
}

/** In the database, which workers live: those whose process holds the lock. */
class WorkerRegister {
  readonly #databaseUrl: string;
  readonly #log: Log;
  readonly #unlock: (ids: string[]) => Promise<void>;
  readonly #id = Math.floor(Math.random() * 0x7fffffff);
  #client: pg.Client | undefined;
  #noted = '';

  constructor(databaseUrl: string, log: Log, unlock: (ids: string[]) => Promise<void>) {
    this.#databaseUrl = databaseUrl;
    this.#log = log;
    this.#unlock = unlock;
  }

  async #holdLock(): Promise<pg.Client> {
    if (this.#client) return this.#client;
    const client = new pg.Client({
      connectionString: this.#databaseUrl,
      application_name: 'cordon-queue-lock',
      keepAlive: true,
    });
    client.on('error', () => {
      if (this.#client === client) this.#client = undefined;
    });
    await client.connect();
    await client.query('SELECT pg_advisory_lock($1, $2)', [POOL_LOCK_SPACE, this.#id]);
    this.#client = client;
    // Without the lock another process may have taken these workers for dead.
    this.#noted = '';
    return client;
  }

  async note(workerIds: readonly string[]): Promise<void> {
    const client = await this.#holdLock();
    if (this.#noted === workerIds.join()) return;
    await client.query(
      'INSERT INTO queue_pools (id, worker_ids) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET worker_ids = excluded.worker_ids',
      [this.#id, workerIds],
    );
    this.#noted = workerIds.join();
  }

  async unlockDead(): Promise<void> {
    const client = await this.#holdLock();
    const { rows } = await client.query<{ id: string; worker_ids: string[] }>(
      'SELECT id, worker_ids FROM queue_pools WHERE id <> $1',
      [this.#id],
    );
    for (const dead of rows) {
      const id = Number(dead.id);
      const { rows: locked } = await client.query<{ ok: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS ok', [
        POOL_LOCK_SPACE,
        id,
      ]);
      if (!locked[0]?.ok) continue;
      if (dead.worker_ids.length > 0) await this.#unlock(dead.worker_ids);
      await client.query('DELETE FROM queue_pools WHERE id = $1', [id]);
      await client.query('SELECT pg_advisory_unlock($1, $2)', [POOL_LOCK_SPACE, id]);
      this.#log.warn({ pool: id }, 'unlocked the jobs of a process that ended without stopping');
    }
    // Of a process that died before it had noted its workers, and of workers that were replaced.
    const { rows: orphans } = await client.query<{ worker_ids: string[] | null }>(
      `SELECT array_agg(DISTINCT locked_by) AS worker_ids FROM graphile_worker.jobs
       WHERE locked_at < now() - make_interval(secs => $1)
         AND NOT EXISTS (SELECT 1 FROM queue_pools WHERE locked_by = ANY(worker_ids))`,
      [IN_FLIGHT_SECONDS_MAX],
    );
    const orphaned = orphans[0]?.worker_ids;
    if (orphaned) await this.#unlock(orphaned);
  }

  /** Jobs that these workers took a while ago and that have not ended. */
  async takenBy(workerId: string | undefined): Promise<string[]> {
    const client = await this.#holdLock();
    const { rows } = await client.query<{ id: string }>(
      `SELECT id FROM graphile_worker.jobs WHERE locked_by = $1 AND locked_at < now() - make_interval(secs => $2)`,
      [workerId ?? '', IN_FLIGHT_SECONDS_MAX],
    );
    return rows.map(({ id }) => id);
  }

  async close(): Promise<void> {
    await this.#client?.query('DELETE FROM queue_pools WHERE id = $1', [this.#id]).catch(() => undefined);
    await this.#client?.end().catch(() => undefined);
  }
}
