import { afterAll, beforeAll, expect, it } from 'vitest';
import { HELD_MS_MAX, heldMs } from './testing/event-loop.ts';
import { type Customer, createCustomer, createDomain } from './testing/fixtures.ts';
import { startApi, type TestApi } from './testing/start-api.ts';

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

/** Hundreds of patterns that no other try has had. */
let made = 0;
const patternRules = (count: number, pattern: (index: number) => string) => ({
  name: 'blackrules',
  enabled: true,
  config: {
    black_rules: Array.from({ length: count / 20 }, (_, rule) => ({
      name: `rule ${rule}`,
      when: {
        match: 'any',
        conditions: Array.from({ length: 20 }, () => ({
          field: 'path',
          test: 'matches',
          pattern: pattern(made++),
        })),
      },
    })),
  },
});

it('the download of a thousand domains', async () => {
  await test.api.platform.pool.query(
    `INSERT INTO routes (account_id, subscription_id, czone, domain_name, domain_name_unicode, cname, status, draft, remarks)
     SELECT $1, $2, 'vip01', 'd' || n || '.example.com', 'd' || n || '.example.com', 'c' || n || '.loop.test', 'deactivated', '{}', repeat('"a', 500)
     FROM generate_series(1, $3::int) n`,
    [customer.accountId, customer.subscriptionId, DOMAINS],
  );
  let lines = 0;
  const held = await heldMs(
    async () => {
      lines = (await customer.client.exportRoutes()).split('\r\n').length;
    },
    { enough: TURN_MS_MAX },
  );
  expect(lines).toBe(DOMAINS + 2);
  expect(held).toBeLessThan(TURN_MS_MAX);
});

it('patterns that are refused because they cost too much together', async () => {
  let message = '';
  const held = await heldMs(
    async () => {
      const body = {
        cname: customer.cname,
        name: 'x',
        plugins: [patternRules(500, (at) => `${at}(abc|def)+[a-z]{8}x`)],
      };
      message = (await test.call('POST', 'domain/rules/', { token: customer.token, body })).body.message;
    },
    { enough: TURN_MS_MAX },
  );
  expect(message).toMatch(/^plugins\.0\.config\.[a-z_.0-9]+\.pattern: PATTERNS_TOO_COSTLY$/);
  expect(held).toBeLessThan(TURN_MS_MAX);
});

it('diagnosis and trace of a domain with hundreds of patterns', async () => {
  const { id, draft_revision: revision } = await createDomain(customer);
  const body = { plugins: [patternRules(400, (at) => `/p${at}/[a-z]{10}`)], deploy: true };
  await customer.client.updateRoute({ params: { id }, ifMatch: revision, body: body as never });
  const held = await heldMs(
    async () => {
      const { result } = await customer.client.checkDomain({ body: { route_id: id } });
      expect(result.checks.find(({ check }) => check === 'access')?.finding).toBe('lets_in');
    },
    { enough: TURN_MS_MAX },
  );
  expect(held).toBeLessThan(TURN_MS_MAX);
  const url = `/${'p'.repeat(1_000)}`;
  const traceHeldMs = await heldMs(
    async () => {
      const { result } = await customer.client.traceRequest({ params: { id }, body: { version: 'draft', url } });
      expect(result.steps.length).toBeGreaterThan(0);
    },
    { enough: TURN_MS_MAX },
  );
  expect(traceHeldMs).toBeLessThan(TURN_MS_MAX);
});

it('the preview of a file in which every cell is wrong in a thousand places', async () => {
  const rows = Array.from({ length: 1_500 }, (_, row) => ({
    row: row + 1,
    domain_name: `i${row}.example.com`,
    protocol: 'http',
    upstreams: '! '.repeat(300),
    status: 'running',
    shadow_domains: '! '.repeat(900),
  }));
  let problems: { row: number }[] = [];
  const held = await heldMs(async () => {
    const { result } = await customer.client.previewImport({ body: { cname: customer.cname, rows } });
    problems = result.problems;
  });
  expect(problems.length).toBeLessThan(10_000 + rows.length + 100);
  // None of the rows is taken for a good one.
  expect(new Set(problems.map(({ row }) => row)).size).toBe(rows.length);
  expect(held).toBeLessThan(HELD_MS_MAX);
});
