import { API_BASE } from '@cordon/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApi } from '../../app.ts';
import { createCustomer, createDomain } from '../../testing/fixtures.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';
import { dropOldVersions } from '../publishing/repository.ts';
import { VERSIONS_KEPT } from '../publishing/version-repository.ts';

let test: TestApi;
beforeAll(async () => {
  test = await startApi();
});
afterAll(() => test.stop());

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

/** How many calls were let through until one was refused for the account's rate. */
async function untilRefused(call: () => Promise<{ status: number }>, callsMax: number): Promise<number> {
  let made = 0;
  while (made < callsMax) {
    const answers = await Promise.all(Array.from({ length: 20 }, call));
    made += answers.filter(({ status }) => status !== 429).length;
    if (answers.some(({ status }) => status === 429)) break;
  }
  return made;
}

describe('what an account can make us keep', () => {
  it('has a rate of changes, which is its own', async () => {
    const busy = await createCustomer(test);
    const other = await createCustomer(test);
    const deploy = (token: string) => () =>
      test.call('POST', `domain/routes/${UNKNOWN_ID}/deploy/`, { token, headers: { 'if-match': '"1"' }, body: {} });
    const made = await untilRefused(deploy(busy.token), 2_000);
    expect(made).toBeGreaterThanOrEqual(600);
    expect(made).toBeLessThan(2_000);
    expect((await deploy(other.token)()).status).toBe(404);
  });

  it('has a rate of looks at DNS', async () => {
    const customer = await createCustomer(test);
    const look = () => test.call('POST', `domain/routes/${UNKNOWN_ID}/verify/`, { token: customer.token, body: {} });
    const made = await untilRefused(look, 200);
    expect(made).toBeGreaterThanOrEqual(60);
    expect(made).toBeLessThan(200);
  });

  it('has one rate in all processes of the API, which says when it has a call again', async () => {
    const customer = await createCustomer(test);
    const { env, log } = test.api.platform;
    const other = await createApi({ env: { ...env, port: 0 }, log, resolver: test.dns, withQueue: false });
    other.platform.authenticator.authenticateUser = test.api.platform.authenticator.authenticateUser;
    const urls = [test.url, await other.start()];
    try {
      const authorization = { authorization: `Bearer ${customer.token}`, realm: test.env.realm };
      const look = (url: string) =>
        fetch(`${url}${API_BASE}domain/routes/${UNKNOWN_ID}/verify/`, { method: 'POST', headers: authorization });
      const answers: Response[] = [];
      // Not all at once: of those that wait for others of their account some may be refused for that.
      for (let round = 0; round < 10; round++)
        answers.push(...(await Promise.all(Array.from({ length: 10 }, (_, n) => look(urls[n % 2] ?? '')))));
      const passed = answers.filter(({ status }) => status === 404);
      const refused = answers.filter(({ status }) => status === 429);
      expect(passed.length + refused.length).toBe(100);
      expect(passed.length).toBeGreaterThanOrEqual(60);
      // Some come back in the seconds that this takes.
      expect(passed.length).toBeLessThan(75);
      expect(refused.map(({ headers }) => headers.get('retry-after'))).toContain('2');
    } finally {
      await other.stop();
    }
  });

  it('takes a larger configuration from a paying plan, and none without bound', async () => {
    const lists = (count: number) => [
      {
        name: 'ip-restriction',
        enabled: true,
        config: {
          whitelistMode: true,
          allow: Array.from(
            { length: count },
            (_, n) => `2a0${n % 10}:1234:5678:9abc:def0:1111:${n.toString(16)}:aaaa`,
          ),
        },
      },
    ];
    const save = async (plan: 'free' | 'vip') => {
      const customer = await createCustomer(test, { plan });
      const route = await createDomain(customer);
      return test.call('PATCH', `domain/routes/${route.id}/`, {
        token: customer.token,
        headers: { 'if-match': '"1"' },
        body: { plugins: lists(8_000) },
      });
    };
    expect(await save('free')).toMatchObject({ status: 422, body: { 'plugins.0.config': 'TOO_LARGE' } });
    expect((await save('vip')).status).toBe(200);
  });

  it('keeps the newest versions of a domain and the live one', async () => {
    const { db, pool } = test.api.platform;
    const customer = await createCustomer(test);
    const route = await createDomain(customer);
    await pool.query(
      `INSERT INTO route_versions (route_id, version, account_id, config, note, created_by)
       SELECT $1, n, $2, '{}', '', '' FROM generate_series(1, $3::int) n`,
      [route.id, customer.accountId, VERSIONS_KEPT + 6],
    );
    await pool.query('UPDATE routes SET version_last = $2, version_live = 2, live = draft WHERE id = $1', [
      route.id,
      VERSIONS_KEPT + 6,
    ]);
    await dropOldVersions(db, [route.id]);
    const { rows } = await pool.query<{ version: number }>(
      'SELECT version FROM route_versions WHERE route_id = $1 ORDER BY version',
      [route.id],
    );
    expect(rows.map((row) => row.version).slice(0, 3)).toEqual([2, 7, 8]);
    const page = await customer.client.listVersions({ params: { id: route.id } });
    expect(page.count).toBe(VERSIONS_KEPT + 1);
  });
});
