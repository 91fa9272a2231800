import { randomUUID } from 'node:crypto';
import { BODY_BYTES_MAX, type Operation, operations } from '@cordon/contract';
import { pluginOperations } from '@cordon/plugins/operations';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { FIELDS_MAX } from './platform/json-body.ts';
import { HELD_MS_MAX, heldMs } from './testing/event-loop.ts';
import { type Customer, createCustomer } from './testing/fixtures.ts';
import { startApi, type TestApi } from './testing/start-api.ts';

const ANSWER_BYTES_MAX = 64 * 1024;

let test: TestApi;
beforeAll(async () => {
  test = await startApi();
});
afterAll(() => test.stop());

const fields = (count: number) => `{${Array.from({ length: count }, (_, at) => `"k${at}":0`)}}`;

/** Sends a body of a fresh account, several times; answers the shortest that it held the loop, and what was answered last. */
async function send(operation: Operation, body: Buffer | ((customer: Customer) => string)) {
  let answer: { status: number; bytes: number } = { status: 0, bytes: 0 };
  let customer: Customer;
  const held = await heldMs(
    async () => {
      const { token } = customer;
      const bytes = new Uint8Array(Buffer.from(typeof body === 'function' ? body(customer) : body));
      const url = `${test.url}/api/v1/${operation.path.replace(/\{version\}/, '1').replace(/\{\w+\}/g, randomUUID())}`;
      const headers = {
        authorization: `Bearer ${token}`,
        realm: test.env.realm,
        'content-type': 'application/json',
        'if-match': '"1"',
      };
      const response = await fetch(url, { method: operation.method, headers, body: bytes });
      answer = { status: response.status, bytes: (await response.arrayBuffer()).byteLength };
    },
    {
      prepare: async () => {
        customer = await createCustomer(test, { plan: 'vip-enterprise' });
      },
    },
  );
  return { ...answer, heldMs: held };
}

const withBodies = (Object.entries({ ...operations, ...pluginOperations }) as [string, Operation][]).filter(
  ([, { auth, body, consumes }]) => auth === 'user' && body !== undefined && consumes === undefined,
);
const shapeOf = ({ body }: Operation): object => (body instanceof z.ZodObject ? body.shape : {});
const sizeOf = ({ bodyBytesMax = BODY_BYTES_MAX }: Operation) => bodyBytesMax;

describe.each(withBodies)('a body of %s', (_, operation) => {
  it('of as many unknown fields as an object may have', async () => {
    const answer = await send(operation, Buffer.from(fields(FIELDS_MAX)));
    // Parsed, and named as unknown; 404 where there is no object to change.
    expect([404, 422]).toContain(answer.status);
    expect(answer.bytes).toBeLessThan(ANSWER_BYTES_MAX);
    expect(answer.heldMs).toBeLessThan(HELD_MS_MAX);
  });
  it('of one field more', async () => {
    const answer = await send(operation, Buffer.from(fields(FIELDS_MAX + 1)));
    expect(answer.status).toBe(413);
    expect(answer.heldMs).toBeLessThan(HELD_MS_MAX);
  });
  it('of one text of nothing but marks that pile up', async () => {
    // Whatever fields there are, each is given its share.
    const names = [...Object.keys(shapeOf(operation)), 'name'];
    const pairs = Math.floor((sizeOf(operation) - 100 * names.length) / names.length / 4);
    const body = JSON.stringify(Object.fromEntries(names.map((name) => [name, '\u0301\u0316'.repeat(pairs)])));
    const answer = await send(operation, Buffer.from(body));
    expect([404, 422]).toContain(answer.status);
    expect(answer.heldMs).toBeLessThan(HELD_MS_MAX);
  });
  it('of lists in lists', async () => {
    const answer = await send(operation, Buffer.from('['.repeat(sizeOf(operation))));
    expect(answer.status).toBe(413);
    expect(answer.heldMs).toBeLessThan(HELD_MS_MAX);
  });
});

const CNAME = 'x.free01.edge.cordon.test';
const plugin = (name: string, config: string) => `{"name":"${name}","enabled":true,"config":${config}}`;
const rule = (plugins: string) => `{"cname":"${CNAME}","name":"x","plugins":[${plugins}]}`;
const list = (count: number, entry: (index: number) => string) =>
  `[${Array.from({ length: count }, (_, at) => entry(at))}]`;
const network = (at: number) => `2606:4700:${(at >> 8).toString(16)}:${(at & 255).toString(16)}::/64`;
/** A name of as many labels as one has room for. */
const longName = (at: number) => `${'a.'.repeat(118)}n${at}.example.com`;
const address = (at: number) => `9.${at >> 16}.${(at >> 8) & 255}.${at & 255}`;

it.each<[string, Operation, string]>([
  [
    '100,000 addresses for the allow list',
    pluginOperations.allowNetworks,
    `{"networks":${list(100_000, (at) => `"${address(at)}"`)}}`,
  ],
  [
    '100,000 ranges for the allow list, each given twice',
    pluginOperations.allowNetworks,
    `{"networks":${list(100_000, (at) => `"${network(at >> 1)}"`)}}`,
  ],
  [
    '100,000 wrong addresses for the allow list',
    pluginOperations.allowNetworks,
    `{"networks":${list(100_000, (at) => `"x${at}"`)}}`,
  ],
  [
    '10,000 wrong addresses',
    operations.createRule,
    rule(
      plugin(
        'ip-restriction',
        `{"deny":${list(10_000, (at) => `"x${at}"`)},"allow":${list(10_000, (at) => `"y${at}"`)}}`,
      ),
    ),
  ],
  [
    '10,000 numbers for addresses',
    operations.createRule,
    rule(plugin('ip-restriction', `{"deny":${list(10_000, String)}}`)),
  ],
  [
    '10,000 addresses twice',
    operations.createRule,
    rule(plugin('ip-restriction', `{"deny":${list(10_000, (at) => `"${address(at >> 1)}"`)}}`)),
  ],
  [
    '10,000 addresses, each in a wider one',
    operations.createRule,
    rule(plugin('ip-restriction', `{"deny":["9.0.0.0/8",${list(9_999, (at) => `"${address(at)}"`).slice(1)}}`)),
  ],
  [
    '10,000 addresses in both lists',
    operations.createRule,
    rule(
      plugin(
        'ip-restriction',
        `{"whitelistMode":true,"deny":${list(10_000, (at) => `"${address(at)}"`)},"allow":${list(10_000, (at) => `"${address(at)}"`)}}`,
      ),
    ),
  ],
  [
    '20,000 networks of IPv6',
    operations.createRule,
    rule(
      plugin(
        'ip-restriction',
        `{"blacklistMode":true,"deny":${list(10_000, (at) => `"${network(at)}"`)},"allow":${list(10_000, (at) => `"${network(at + 10_000)}"`)}}`,
      ),
    ),
  ],
  ['unknown fields of a plugin', operations.createRule, rule(plugin('ip-restriction', fields(FIELDS_MAX)))],
  ['thousands of plugins', operations.createRule, rule(list(20_000, () => plugin('redirect', '{}')).slice(1, -1))],
  [
    '5,000 wrong rows',
    operations.previewImport,
    `{"cname":"${CNAME}","rows":${list(5_000, () => '{"a":1,"b":2,"c":3}')}}`,
  ],
  ['5,000 rows of another type', operations.previewImport, `{"cname":"${CNAME}","rows":${list(5_000, String)}}`],
  [
    '5,000 rows',
    operations.previewImport,
    `{"cname":"${CNAME}","rows":${list(
      5_000,
      (at) =>
        `{"row":${at + 2},"domain_name":"n${at}.example.com","protocol":"https","upstreams":"8.8.4.4","status":"running","shadow_domains":"s${at}.example.com t${at}.example.org"}`,
    )}}`,
  ],
  [
    '5,000 rows of 30 shadow domains each',
    operations.previewImport,
    `{"cname":"${CNAME}","rows":${list(
      5_000,
      (at) =>
        `{"row":${at + 2},"domain_name":"n${at}.example.com","protocol":"http","upstreams":"8.8.4.4","status":"running","shadow_domains":"${Array.from({ length: 30 }, (_, alias) => `${alias}.s${at}.example.org`).join(' ')}"}`,
    )}}`,
  ],
  [
    'rows of a thousand wrong shadow domains each',
    operations.previewImport,
    `{"cname":"${CNAME}","rows":${list(
      1_900,
      (at) =>
        `{"row":${at + 2},"domain_name":"n${at}.example.com","protocol":"http","upstreams":"8.8.4.4","status":"running","shadow_domains":"${'a '.repeat(1_000)}"}`,
    )}}`,
  ],
  ['a thousand names of 121 labels', operations.findDomains, `{"names":${list(1_000, (at) => `"${longName(at)}"`)}}`],
  [
    '500 names of A-labels, too long',
    operations.findDomains,
    `{"names":${list(500, (at) => `"${'xn--tda.'.repeat(125)}${at}.a"`)}}`,
  ],
  [
    'a thousand names of A-labels',
    operations.findDomains,
    `{"names":${list(1_000, (at) => `"${'xn--tda.'.repeat(28)}n${at}.com"`)}}`,
  ],
  ['escaped quotes', operations.previewImport, `{"cname":"${'\\"'.repeat(2_097_000)}"}`],
  ['a thousand wrong names', operations.findDomains, `{"names":${list(1_000, (at) => `"${'x'.repeat(300)}${at}"`)}}`],
])('%s', async (_, operation, body) => {
  const answer = await send(operation, ({ cname }) => body.replaceAll(CNAME, cname));
  expect(answer.heldMs).toBeLessThan(HELD_MS_MAX);
});

it('others are answered while eight such bodies come at once', async () => {
  const { token, cname } = await createCustomer(test, { plan: 'vip-enterprise' });
  const entries = list(10_000, (at) => `"${network(at)}"`);
  const body = rule(plugin('ip-restriction', `{"blacklistMode":true,"deny":${entries}}`)).replaceAll(CNAME, cname);
  const headers = { authorization: `Bearer ${token}`, realm: test.env.realm, 'content-type': 'application/json' };
  let isOver = false;
  const waits: number[] = [];
  const asked = (async () => {
    while (!isOver) {
      const before = performance.now();
      expect((await fetch(`${test.url}/healthz`)).status).toBe(200);
      waits.push(performance.now() - before);
    }
  })();
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      fetch(`${test.url}/api/v1/domain/rules/`, {
        method: 'POST',
        headers,
        body: body.replace('"name":"x"', `"name":"x${at}"`),
      }),
    ),
  );
  isOver = true;
  await asked;
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
  expect(Math.max(...waits)).toBeLessThan(1000);
});
