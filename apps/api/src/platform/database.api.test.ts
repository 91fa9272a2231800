import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi, type TestApi } from '../testing/start-api.ts';
import { runInTransaction } from './database.ts';

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
