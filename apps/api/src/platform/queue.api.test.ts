import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { expect, inject, it } from 'vitest';
import { eventually } from '../testing/fixtures.ts';
import { createTestDatabase } from '../testing/start-api.ts';
import { takeUnhandledRejections } from '../testing/unhandled-rejections.ts';
import { createDatabase, createPool } from './database.ts';
import { createLog } from './log.ts';
import { addJob, startQueue } from './queue.ts';
import { createNotificationHub } from './stream.ts';

const log = createLog('silent');

it('a job is added with its transaction or not at all', async () => {
  const database = await createTestDatabase();
  const pool = createPool(database.url, log, 4);
  const db = createDatabase(pool);
  const done: string[] = [];
  const queue = await startQueue({
    databaseUrl: database.url,
    log,
    recurring: [],
    jobs: { note: async ({ text }: { text: string }) => void done.push(text) },
  });
  await db
    .transaction()
    .execute(async (trx) => {
      await addJob(trx, 'note', { text: 'rolled back' });
      throw new Error('no');
    })
    .catch(() => undefined);
  await db.transaction().execute((trx) => addJob(trx, 'note', { text: 'committed' }));
  await eventually(() => done.length > 0);
  expect(done).toEqual(['committed']);
  await queue.stop();
  await db.destroy();
  await database.drop();
});

it('a job of a process that was killed is done by another within seconds', async () => {
  const database = await createTestDatabase();
  const pool = createPool(database.url, log, 4);
  const db = createDatabase(pool);
  const child = fork(fileURLToPath(new URL('../testing/stuck-worker.ts', import.meta.url)), {
    env: { ...process.env, DATABASE_URL: database.url },
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await addJob(db, 'note', {});
  await eventually(
    async () => (await pool.query('SELECT 1 FROM graphile_worker.jobs WHERE locked_by IS NOT NULL')).rowCount === 1,
    20_000,
  );
  child.kill('SIGKILL');
  let isDone = false;
  const queue = await startQueue({
    databaseUrl: database.url,
    log,
    recurring: [],
    jobs: {
      note: async () => {
        isDone = true;
      },
    },
  });
  await eventually(() => isDone, 20_000);
  await queue.stop();
  await db.destroy();
  await database.drop();
});

/** A queue whose database can be made to refuse connections, as one that is down. */
async function startQueueWithOutages(jobs: Parameters<typeof startQueue>[0]['jobs']) {
  const database = await createTestDatabase();
  const name = new URL(database.url).pathname.slice(1);
  const admin = new pg.Client({ connectionString: inject('postgresUrl') });
  await admin.connect();
  const pool = createPool(database.url, log, 4);
  const db = createDatabase(pool);
  const queue = await startQueue({ databaseUrl: database.url, log, recurring: [], jobs });
  const disconnect = () =>
    admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
  return {
    db,
    pool,
    queue,
    async takeDown() {
      await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
      await disconnect();
    },
    bringBack: () => admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`),
    async stop() {
      await queue.stop();
      await db.destroy();
      await admin.end();
      await database.drop();
    },
  };
}

it('a job that takes long is not taken for one that was left behind', async () => {
  const starts: number[] = [];
  let finish = () => {};
  const queued = await startQueueWithOutages({
    long: async () => {
      starts.push(Date.now());
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
    },
  });
  await addJob(queued.db, 'long', {});
  await eventually(() => starts.length > 0);
  // Such a job as a killed process leaves: once it has been found, the sweep has looked at all.
  await addJob(queued.db, 'left', {});
  await queued.pool.query(
    `UPDATE graphile_worker._private_jobs SET locked_by = 'dead', locked_at = now()
     WHERE id = (SELECT id FROM graphile_worker.jobs WHERE task_identifier = 'left')`,
  );
  await eventually(
    async () => (await queued.pool.query(`SELECT 1 FROM graphile_worker.jobs WHERE locked_by = 'dead'`)).rowCount === 0,
    20_000,
  );
  expect(starts).toHaveLength(1);
  finish();
  await queued.stop();
});

it('a job that ended while PostgreSQL was away is tried again', async () => {
  let runs = 0;
  let finish = () => {};
  const queued = await startQueueWithOutages({
    note: async () => {
      runs += 1;
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
    },
  });
  const unwritten: unknown[] = [];
  const stopTaking = takeUnhandledRejections((error) => unwritten.push(error));
  await addJob(queued.db, 'note', {});
  await eventually(() => runs === 1);
  await queued.takeDown();
  finish();
  await eventually(() => unwritten.length > 0);
  await queued.bringBack();
  await eventually(() => runs === 2, 25_000);
  finish();
  await eventually(async () => (await queued.pool.query('SELECT 1 FROM graphile_worker.jobs')).rowCount === 0);
  stopTaking();
  await queued.stop();
});

it('workers that have given up are started anew', async () => {
  const done: string[] = [];
  const queued = await startQueueWithOutages({ note: async ({ text }: { text: string }) => void done.push(text) });
  // What makes the library's workers end by themselves: another release of it says that it has changed the tables.
  await queued.pool.query(`SELECT pg_notify('worker:migrate', '{"breaking":true}')`);
  await eventually(() => !queued.queue.isRunning());
  process.exitCode = undefined;
  await addJob(queued.db, 'note', { text: 'after' });
  await eventually(() => done.includes('after'), 20_000);
  expect(queued.queue.isRunning()).toBe(true);
  await queued.stop();
});

it('notifications go on after PostgreSQL ended the connection, and every listener looks again', async () => {
  const database = await createTestDatabase();
  const hub = await createNotificationHub(database.url, log);
  const heard: (string | undefined)[] = [];
  hub.subscribe('news', (payload) => heard.push(payload));
  await eventually(() => heard.includes(undefined));
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`NOTIFY news, 'one'`);
  await eventually(() => heard.includes('one'));
  heard.length = 0;
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'cordon-listen' AND datname = current_database()`,
  );
  await eventually(() => heard.includes(undefined));
  await client.query(`NOTIFY news, 'two'`);
  await eventually(() => heard.includes('two'));
  await client.end();
  await hub.close();
  await database.drop();
});
