import { afterAll, beforeAll, expect, it } from 'vitest';
import { HELD_MS_MAX, longestTurn } from './testing/event-loop.ts';
import { type Customer, createCustomer } from './testing/fixtures.ts';
import { startApi, type TestApi } from './testing/start-api.ts';

/** A machine that does something else holds the loop as well; what is wrong does so each time. */
const TRIES = 4;
const DOMAINS = 4_000;
/** What is split into turns stays far below what a turn may take, on a quick machine too. */
const TURN_MS_MAX = HELD_MS_MAX / 2;

let test: TestApi;
let customer: Customer;
beforeAll(async () => {
  test = await startApi();
  customer = await createCustomer(test, { plan: 'vip-enterprise' });
});
afterAll(() => test.stop());

async function bestOf(work: () => Promise<void>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < TRIES && best > TURN_MS_MAX; attempt++)
    best = Math.min(best, await longestTurn(work));
  return best;
}

it('the download of a thousand domains', async () => {
  await test.api.platform.pool.query(
    `INSERT INTO routes (account_id, subscription_id, czone, domain_name, domain_name_unicode, cname, status, draft, remarks)
     SELECT $1, $2, 'vip01', 'd' || n || '.example.com', 'd' || n || '.example.com', 'c' || n || '.loop.test', 'deactivated', '{}', repeat('"a', 500)
     FROM generate_series(1, $3::int) n`,
    [customer.accountId, customer.subscriptionId, DOMAINS],
  );
  let lines = 0;
  const heldMs = await bestOf(async () => {
    lines = (await customer.client.exportRoutes()).split('\r\n').length;
  });
  expect(lines).toBe(DOMAINS + 2);
  expect(heldMs).toBeLessThan(TURN_MS_MAX);
});
