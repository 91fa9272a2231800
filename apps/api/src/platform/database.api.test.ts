import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi, type TestApi } from '../testing/start-api.ts';

let test: TestApi;
beforeAll(async () => {
  test = await startApi();
});
afterAll(() => test.stop());

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
