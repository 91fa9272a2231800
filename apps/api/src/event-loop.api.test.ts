import { randomUUID } from 'node:crypto';
import { BODY_BYTES_MAX, type Operation, operations } from '@cordon/contract';
import { pluginOperations } from '@cordon/plugins/operations';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCustomer } from './testing/fixtures.ts';
import { startApi, type TestApi } from './testing/start-api.ts';

/** Guarantee: nothing that a customer sends holds the event loop for more than 50 ms, so that others are answered meanwhile. */
const HELD_MS_MAX = 50;
const ANSWER_BYTES_MAX = 64 * 1024;
/** A machine that does something else holds the loop as well; what is wrong does so each time. */
const TRIES = 4;

let test: TestApi;
beforeAll(async () => {
  test = await startApi();
});
afterAll(() => test.stop());

/** The longest that the loop was held while `work` went on, without what a busy machine adds: by the processor, where that is less. */
async function longestTurn(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let isOver = false;
  let [last, lastUsage] = [performance.now(), process.cpuUsage()];
  const look = () => {
    const [now, usage] = [performance.now(), process.cpuUsage()];
    const usedMs = (usage.user + usage.system - lastUsage.user - lastUsage.system) / 1000;
    longest = Math.max(longest, Math.min(now - last, usedMs));
    [last, lastUsage] = [now, usage];
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  isOver = true;
  return longest;
}

/** `begin`, as many of `part` as a body of the size has room for, `end`. */
function filled(size: number, begin: string, part: (index: number) => string, end: string): Buffer {
  const parts: string[] = [];
  for (let index = 0, room = size - begin.length - end.length - 1; ; index++) {
    const text = part(index);
    room -= text.length + 1;
    if (room < 0) return Buffer.from(`${begin}${parts.join()}${end}`);
    parts.push(text);
  }
}

/** Sends a body of a fresh account, several times; answers the best of the longest turns, and what was answered last. */
async function send(operation: Operation, body: Buffer) {
  const turns: number[] = [];
  let answer: { status: number; bytes: number } = { status: 0, bytes: 0 };
  for (let attempt = 0; attempt < TRIES && Math.min(...turns, Number.POSITIVE_INFINITY) > HELD_MS_MAX; attempt++) {
    const { token } = await createCustomer(test, { plan: 'vip-enterprise' });
    const url = `${test.url}/api/v1/${operation.path.replace(/\{version\}/, '1').replace(/\{\w+\}/g, randomUUID())}`;
    const headers = {
      authorization: `Bearer ${token}`,
      realm: test.env.realm,
      'content-type': 'application/json',
      'if-match': '"1"',
    };
    turns.push(
      await longestTurn(async () => {
        const response = await fetch(url, { method: operation.method, headers, body: new Uint8Array(body) });
        answer = { status: response.status, bytes: (await response.arrayBuffer()).byteLength };
      }),
    );
  }
  return { ...answer, heldMs: Math.min(...turns) };
}

const withBodies = (Object.entries({ ...operations, ...pluginOperations }) as [string, Operation][]).filter(
  ([, { auth, body, consumes }]) => auth === 'user' && body !== undefined && consumes === undefined,
);
const sizeOf = ({ bodyBytesMax = BODY_BYTES_MAX }: Operation) => bodyBytesMax;

describe.each(withBodies)('a body of %s', (_, operation) => {
  it('of unknown fields', async () => {
    const answer = await send(
      operation,
      filled(sizeOf(operation), '{', (index) => `"k${index}":0`, '}'),
    );
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.bytes).toBeLessThan(ANSWER_BYTES_MAX);
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
const address = (at: number) => `9.${at >> 16}.${(at >> 8) & 255}.${at & 255}`;

it.each<[string, Operation, string]>([
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
  ['thousands of plugins', operations.createRule, rule(list(20_000, () => plugin('redirect', '{}')).slice(1, -1))],
  [
    '5,000 wrong rows',
    operations.previewImport,
    `{"cname":"${CNAME}","rows":${list(5_000, () => '{"a":1,"b":2,"c":3}')}}`,
  ],
  ['5,000 rows of another type', operations.previewImport, `{"cname":"${CNAME}","rows":${list(5_000, String)}}`],
  ['a thousand wrong names', operations.findDomains, `{"names":${list(1_000, (at) => `"${'x'.repeat(300)}${at}"`)}}`],
])('%s', async (_, operation, body) => {
  const answer = await send(operation, Buffer.from(body));
  expect(answer.bytes).toBeLessThan(ANSWER_BYTES_MAX * 8);
  expect(answer.heldMs).toBeLessThan(HELD_MS_MAX);
});
