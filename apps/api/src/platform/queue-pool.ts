import { EventEmitter } from 'node:events';
import { Logger, parseCronItems, run, type WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import type { Log } from './log.ts';

/** A job of a module: gets the payload that it was added with; throws to be tried again with back-off. */
export type JobHandler<Payload = never> = (payload: Payload) => Promise<void>;
export interface RecurringJob {
  readonly name: string;
  /** Cron expression in UTC. */
  readonly pattern: string;
}

export interface PoolOptions {
  readonly connections: pg.Pool;
  readonly log: Log;
  readonly jobs: Readonly<Record<string, JobHandler>>;
  readonly recurring: readonly RecurringJob[];
  readonly concurrency: number;
}

/** Workers of this process that take jobs under one name. */
export interface WorkerPool {
  /** What the queue notes at each job that one of the workers has taken. */
  readonly id: string;
  /** Whether a worker has the job, or has had it within the last seconds: its end may be on its way to the database. */
  isAt(jobId: string): boolean;
  /** Resolves when no worker is left, whatever the reason. */
  readonly ended: Promise<void>;
  /** Takes no more jobs and resolves when the last one is done. */
  end(): Promise<void>;
}

/** How long the end of a job may take to be written, and a job that is taken to reach its worker. */
export const IN_FLIGHT_SECONDS_MAX = 5;

export function queueLogger(log: Log): Logger {
  return new Logger(
    () => (level, message) => log[level === 'warning' ? 'warn' : level === 'error' ? 'error' : 'debug'](message),
  );
}

/** Starts workers. Throws when the database does not answer. */
export async function startWorkerPool(options: PoolOptions): Promise<WorkerPool> {
  const { log, recurring, concurrency } = options;
  const events: WorkerEvents = new EventEmitter() as WorkerEvents;
  const active = new Set<string>();
  const doneAt = new Map<string, number>();
  let id = '';
  events.on('pool:create', ({ workerPool }) => {
    id = workerPool.id;
  });
  events.on('job:start', ({ job }) => active.add(job.id));
  events.on('job:complete', ({ job }) => {
    active.delete(job.id);
    doneAt.set(job.id, performance.now());
    for (const [done, at] of doneAt) {
      if (performance.now() - at <= IN_FLIGHT_SECONDS_MAX * 1000) break;
      doneAt.delete(done);
    }
  });
  events.on('job:error', ({ job, error }) =>
    log.error({ err: error, job: job.task_identifier, attempt: job.attempts }, 'a job failed'),
  );
  const runner = await run({
    pgPool: options.connections,
    logger: queueLogger(log),
    concurrency,
    pollInterval: 1_000,
    noHandleSignals: true,
    events,
    taskList: Object.fromEntries(
      Object.entries(options.jobs).map(([name, handler]) => [name, (payload: unknown) => handler(payload as never)]),
    ),
    parsedCronItems: parseCronItems(
      recurring.map((job) => ({ task: job.name, match: job.pattern, identifier: job.name })),
    ),
  });
  const ended = runner.promise.catch((err: unknown) => log.error({ err }, 'the workers of the queue failed'));
  return {
    id,
    isAt: (jobId) =>
      active.has(jobId) || performance.now() - (doneAt.get(jobId) ?? -Infinity) <= IN_FLIGHT_SECONDS_MAX * 1000,
    ended,
    async end() {
      await runner.stop().catch(() => {
        // It is ending already.
      });
      await ended;
    },
  };
}
