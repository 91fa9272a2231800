import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCustomer } from '../../testing/fixtures.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';

let test: TestApi;
beforeAll(async () => {
  test = await startApi();
});
afterAll(() => test.stop());

it('renames the column of shadow domains in rows that wait and in what failed, and no name', async () => {
  const { accountId } = await createCustomer(test);
  const { pool } = test.api.platform;
  const batchOf = async (kind: string, input: object, error: object | null) => {
    const { rows } = await pool.query(
      `INSERT INTO batches (account_id, kind, state, total, created_by, created_by_kind, finished_at)
       VALUES ($1, $2, 'failed', 1, 'x', 'user', now()) RETURNING id`,
      [accountId, kind],
    );
    await pool.query(
      `INSERT INTO batch_items (batch_id, position, name, state, input, error) VALUES ($1, 0, 'x', 'failed', $2, $3)`,
      [rows[0].id, JSON.stringify(input), JSON.stringify(error)],
    );
    return async () => {
      const found = await pool.query('SELECT input, error FROM batch_items WHERE batch_id = $1', [rows[0].id]);
      return found.rows[0];
    };
  };
  const failed = (path: string) => ({
    message: 'aliases.7',
    fields: { [path]: 'DOMAIN_NAME_YOURS' },
    params: { [path]: { name: 'aliases.7' } },
  });
  const own = await batchOf('import', { row: 2, aliases: ['aliases.7'] }, failed('aliases.7'));
  const other = await batchOf('delete', { aliases: 1 }, failed('aliases.7'));
  await pool.query(
    readFileSync(join(import.meta.dirname, '../../../migrations/0020-imported-shadow-domains.sql'), 'utf8'),
  );
  expect(await own()).toEqual({
    input: { row: 2, shadow_domains: ['aliases.7'] },
    error: failed('shadow_domains.7'),
  });
  expect(await other()).toEqual({ input: { aliases: 1 }, error: failed('aliases.7') });
});
