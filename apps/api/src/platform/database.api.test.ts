import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../testing/fixtures.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';
import { runInTransaction } from './database.ts';

const DEADLOCKS = 'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()';

let test: TestApi;
beforeAll(async () => {
  test = await startApi();
});
afterAll(() => test.stop());

it('runs a transaction once more that PostgreSQL ended because two waited for each other', async () => {
  const { db } = test.api.platform;
  let holding = 0;
  let begin: (() => void) | undefined;
  const bothHold = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const takeBoth = (first: number, second: number) =>
    runInTransaction(db, async (trx) => {
      await sql`SELECT pg_advisory_xact_lock(${first}::bigint)`.execute(trx);
      holding += 1;
      if (holding === 2) begin?.();
      await bothHold;
      await sql`SELECT pg_advisory_xact_lock(${second}::bigint)`.execute(trx);
      return `${first} ${second}`;
    });
  expect(await Promise.all([takeBoth(1, 2), takeBoth(2, 1)])).toEqual(['1 2', '2 1']);
  expect(holding).toBe(3);
});

it('runs a statement outside of a transaction once more that PostgreSQL ended because it and another waited for each other', async () => {
  const { db, pool } = test.api.platform;
  const other = await pool.connect();
  try {
    await other.query('BEGIN');
    // The one that looks for a deadlock first is its victim, on a slow machine too.
    await other.query(`SET LOCAL deadlock_timeout = '30s'`);
    await other.query('SELECT pg_advisory_xact_lock(11)');
    const statement = sql<{ one: number }>`SELECT pg_advisory_xact_lock(12), pg_advisory_xact_lock(11), 1 AS one`;
    const answer = statement.execute(db).then(({ rows }) => rows[0]?.one);
    await eventually(async () => {
      const { rows } = await pool.query(
        `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = 11 AND NOT granted`,
      );
      return rows.length > 0;
    });
    const { rows: before } = await pool.query<{ deadlocks: number }>(DEADLOCKS);
    await other.query('SELECT pg_advisory_xact_lock(12)');
    await other.query('COMMIT');
    expect(await answer).toBe(1);
    await eventually(async () => {
      const { rows } = await pool.query<{ deadlocks: number }>(DEADLOCKS);
      return (rows[0]?.deadlocks ?? 0) > (before[0]?.deadlocks ?? 0);
    });
  } finally {
    // No other test is to begin in what this one has left.
    await other.query('ROLLBACK').catch(() => undefined);
    other.release();
  }
});

it('survives that PostgreSQL ends a connection that is in use but asks nothing at the moment', async () => {
  const { pool } = test.api.platform;
  const faults: unknown[] = [];
  const note = (error: unknown) => faults.push(error);
  process.on('uncaughtException', note);
  try {
    // As a snapshot whose node does not read on: idle in its transaction until the server's patience ends.
    const client = await pool.connect();
    await client.query('BEGIN');
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const isEnded = new Promise((resolve) => client.once('end', resolve));
    await pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
    await isEnded;
    await expect(client.query('SELECT 1')).rejects.toThrow();
    client.release(true);
  } finally {
    process.off('uncaughtException', note);
  }
  expect(faults).toEqual([]);
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});
