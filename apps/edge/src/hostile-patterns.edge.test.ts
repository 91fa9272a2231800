import { afterAll, beforeAll, expect, it } from 'vitest';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { sendRaw } from './testing/raw.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';
import { workerTime } from './testing/worker-time.ts';

/**
 * A worker is shared by all domains: however a customer writes the patterns of a domain, in all plugins that take them, and
 * whatever its visitors send, no request of it holds the worker for long.
 */

/** Processor time of a worker, twice over what a request may cost by `RequestWork` on the machine of docs/benchmarks.md. */
const COST_MS_MAX = 200;
/** Of the first ones, for which automata are made (docs/known-limits.md). */
const FIRST_MS_MAX = 600;
/** As many as a customer may have, with as many conditions. */
const RULES = 100;
const CONDITIONS = 5;
const PATH_BYTES = 7500;

let edge: TestEdge;
let origin: TestOrigin;

/** Patterns that look for much, in many places, and find nothing. */
const hostile = [
  '^/[^?]*(union|select|drop|insert|update|script|passwd|boot\\.ini)[^?]*!$',
  '(a|b|c|d|e|n|o|s|u)+(t|i|l){1,9}!',
  '([a-z]{1,20}/){3}[^a-z]!',
  '(?i)(s|se|sel|sele|selec)*t?(o|on|oni){1,5}x{20}!',
];

beforeAll(async () => {
  origin = await startOrigin((_, response) => response.end('origin'));
  const upstream = testUpstream([testTarget(origin.port)]);
  const rules = Array.from({ length: RULES }, (_, at) => ({
    name: `rule ${at}`,
    action: 'block',
    enabled: true,
    when: {
      match: 'any',
      not: false,
      conditions: Array.from({ length: CONDITIONS }, (_, part) => ({
        field: part % 2 === 0 ? 'path' : 'user_agent',
        test: 'matches',
        pattern: `${hostile[(at + part) % hostile.length]}${at}`,
        not: false,
      })),
    },
  }));
  const path = hostile[1] as string;
  edge = await startEdge({
    workers: 1,
    routes: [
      testRoute({
        hosts: ['patterns.test'],
        upstream,
        plugins: [
          { name: 'blackrules', config: { black_rules: rules } },
          {
            name: 'request-limit',
            config: { banpath: path, findtime: 240, maxretry: 310, bantime: '3h', only_dynamic: false },
          },
          { name: 'challenge', config: { mode: 'js', path: hostile[2], pass_time: '1h' } },
          {
            name: 'seclink',
            config: { path: hostile[0], api_secret: 'a-secret', sleep_seconds: 0, expire_seconds: 300 },
          },
        ],
      }),
      testRoute({ hosts: ['other.test'], upstream }),
    ],
  });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

/** A text in which each of the patterns goes on for long; no two are alike. */
function longText(seed: number): string {
  const parts = ['union', 'select', 'selecton', 'abc', 'drop', 'noise/', 'boot.ini', 'script'];
  let [text, at] = ['', seed];
  while (text.length < PATH_BYTES) {
    at = (at * 48_271) % 2_147_483_647;
    text += parts[at % parts.length];
  }
  return text;
}

async function costOf(seed: number): Promise<{ ms: number; status: string }> {
  const before = workerTime(edge);
  const [path, agent] = [longText(seed), longText(seed + 1)];
  const request = `GET /${path} HTTP/1.1\r\nHost: patterns.test\r\nUser-Agent: ${agent}\r\nConnection: close\r\n\r\n`;
  const answer = await sendRaw(edge.httpPort, request, 20_000);
  return { ms: workerTime(edge) - before, status: answer.slice(9, 12) };
}

it('no request holds a worker for long, whatever patterns its domain has', async () => {
  const costs: { ms: number; status: string }[] = [];
  for (let at = 1; at <= 15; at++) costs.push(await costOf(at * 2));
  // There are too many patterns to look for: rules that block are in doubt, and block.
  expect(new Set(costs.map(({ status }) => status))).toEqual(new Set(['403']));
  expect(Math.max(...costs.map(({ ms }) => ms))).toBeLessThan(FIRST_MS_MAX);
  expect(Math.max(...costs.slice(5).map(({ ms }) => ms))).toBeLessThan(COST_MS_MAX);
});

it('many such requests share what a worker has for a domain', async () => {
  const costs: number[] = [];
  const end = Date.now() + 2500;
  for (let at = 0; Date.now() < end; at++) costs.push((await costOf(600 + at * 2)).ms);
  const mean = costs.reduce((sum, ms) => sum + ms, 0) / costs.length;
  expect(mean).toBeLessThan(Math.max(...costs) * 0.6);
});

it('another domain of the worker is answered between them', async () => {
  let isOver = false;
  const visitor = async (seed: number) => {
    for (let at = 0; at < 10; at++) await costOf(seed + at * 2);
  };
  const flood = Promise.all([1000, 2000, 3000].map(visitor)).finally(() => {
    isOver = true;
  });
  let answered = 0;
  while (!isOver) {
    const answer = await sendRaw(
      edge.httpPort,
      'GET / HTTP/1.1\r\nHost: other.test\r\nConnection: close\r\n\r\n',
      20_000,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    answered++;
  }
  await flood;
  expect(answered).toBeGreaterThan(4);
});
