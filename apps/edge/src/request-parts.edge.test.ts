import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { sendRaw } from './testing/raw.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** Texts of a request that are read from nginx's structures once they have been the same as its variables for a while. */

const HOST = 'parts.test';
let origin: TestOrigin;
let edge: TestEdge;

const rule = (name: string, condition: Record<string, unknown>) => ({
  name,
  action: 'block',
  enabled: true,
  when: { match: 'all', not: false, conditions: [{ ignore_case: false, not: false, test: 'is', ...condition }] },
});

beforeAll(async () => {
  origin = await startOrigin();
  const upstream = testUpstream([testTarget(origin.port)]);
  const rules = (...black_rules: unknown[]) => ({ name: 'blackrules', config: { black_rules } });
  edge = await startEdge({
    workers: 1,
    // Nobody stands between edge and visitor.
    environment: { CORDON_DEMO_SECRET: '' },
    routes: [
      testRoute({ hosts: [HOST], upstream, plugins: [rules(rule('path', { field: 'path', values: ['/private'] }))] }),
      testRoute({
        hosts: ['address.parts.test'],
        upstream,
        plugins: [rules(rule('address', { field: 'address', values: ['127.0.0.0/8'] }))],
      }),
    ],
  });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

const statusOf = async (target: string, host = HOST) => {
  const answer = await sendRaw(
    edge.httpPort,
    `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    5000,
  );
  return Number(answer.slice(9, 12));
};

const expectations: readonly [target: string, status: number, host?: string][] = [
  ['/', 200],
  ['/private', 403],
  ['/%70rivate', 403],
  ['//private?a=/other', 403],
  ['/x/../private', 403],
  ['/other?/private', 200],
  ['http://other.test/private', 421],
  [`http://${HOST.toUpperCase()}/private`, 403],
  ['/', 403, 'address.parts.test'],
  ['/', 421, 'unknown.test'],
];

describe.each(['before they are trusted', 'afterwards'])('%s', (when) => {
  beforeAll(async () => {
    if (when === 'afterwards') for (let at = 0; at < 40; at++) await statusOf('/');
  });

  it.each(expectations)('%s is answered with %d', async (target, status, host) => {
    expect(await statusOf(target, host)).toBe(status);
  });
});

it('finds nginx as it is known', () => {
  expect(edge.stderr).not.toContain('not as known');
});
