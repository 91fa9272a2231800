import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { expect, it } from 'vitest';
import { eventually } from '../testing/fixtures.ts';
import { createTestDatabase } from '../testing/start-api.ts';
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
