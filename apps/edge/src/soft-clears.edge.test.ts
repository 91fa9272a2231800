import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cachePlugin } from './testing/caching.ts';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** What serves stale once it was cleared softly: what could without that, for longer where nothing limits it. */

const HOST = 'soft.test';
const ROUTE_ID = '00000000-0000-4000-8000-0000000000f1';
/** What is fresh for a second is stale by then. */
const STALE_AFTER_MS = 2100;
const STORING_MS = 100;

let origin: TestOrigin;
let edge: TestEdge;
let version = 1;
let isDown = false;

const pathOf = (directives: string) => `/${encodeURIComponent(directives)}`;

beforeAll(async () => {
  origin = await startOrigin(({ url = '' }, response) => {
    if (isDown) {
      response.writeHead(503);
      response.end('down');
      return;
    }
    response.writeHead(200, {
      ...{ 'content-type': 'text/plain', 'cache-control': decodeURIComponent(url.slice(1)), etag: `"${version}"` },
      'cache-tag': 'shop',
    });
    response.end(String(version));
  });
  edge = await startEdge({
    routes: [
      testRoute({
        ...{ id: ROUTE_ID, hosts: [HOST], upstream: testUpstream([testTarget(origin.port)]) },
        plugins: [cachePlugin('advance-proxy-cache', { enable_cache_control: false, cache_reusable: false })],
      }),
    ],
  });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

async function ask(directives: string) {
  const { status, body, headers } = await edge.request(HOST, { path: pathOf(directives) });
  await delay(STORING_MS);
  return { status, body, said: String(headers['cache-status']) };
}
/** What each of them gets where version 1 is stored, was cleared softly after so long, and its origin is as said. */
async function afterClear(all: readonly string[], waitMs: number, origins: 'version 2' | 'down') {
  version = 1;
  await edge.control.cleared(ROUTE_ID, 'all', []);
  await Promise.all(all.map(ask));
  await delay(waitMs);
  await edge.control.cleared(ROUTE_ID, 'tags', ['shop'], true);
  version = 2;
  isDown = origins === 'down';
  return Promise.all(all.map(async (directives) => [directives, await ask(directives)] as const));
}
beforeEach(() => {
  isDown = false;
});

const BOUND = ['must-revalidate', 'proxy-revalidate', 'stale-while-revalidate=0, stale-if-error=0'];

describe('of what was stale already', () => {
  const STALE = [
    ...['no-cache', 'max-age=0', 'max-age=1', 's-maxage=1'],
    ...BOUND.map((directives) => `max-age=1, ${directives}`),
  ];

  it('nothing is served before it was validated that could not be without a clear', async () => {
    for (const [directives, { body, said }] of await afterClear(STALE, STALE_AFTER_MS, 'version 2'))
      expect([directives, body, said]).toEqual([directives, '2', expect.stringContaining('fwd=stale')]);
  });

  it('nothing is served in place of an error that could not be without a clear', async () => {
    for (const [directives, { status, body }] of await afterClear(STALE, STALE_AFTER_MS, 'down'))
      expect([directives, status, body]).toEqual([directives, 503, 'down']);
  });

  it('what may serve stale does so no longer than its origin says', async () => {
    const open = 'max-age=1, stale-while-revalidate=600, stale-if-error=600';
    const over = 'max-age=1, stale-while-revalidate=1, stale-if-error=1';
    const answers = await afterClear([open, over], 2 * STALE_AFTER_MS, 'version 2');
    expect(answers.map(([, { body }]) => body)).toEqual(['1', '2']);
  });
});

describe('of what was fresh', () => {
  const FRESH = ['s-maxage=3600', ...BOUND.map((directives) => `max-age=3600, ${directives}`)];

  it('what may never serve stale is validated first', async () => {
    for (const [directives, { body, said }] of await afterClear(FRESH, 0, 'version 2'))
      expect([directives, body, said]).toEqual([directives, '2', expect.stringContaining('fwd=stale')]);
  });

  it('what may never serve stale does not in place of an error', async () => {
    for (const [directives, { status }] of await afterClear(FRESH, 0, 'down'))
      expect([directives, status]).toEqual([directives, 503]);
  });

  it('the rest serves while it is validated and while its origin fails, and says that it is stale', async () => {
    const plain = 'max-age=3600';
    const [[, refreshed]] = (await afterClear([plain], 0, 'version 2')) as [[string, Awaited<ReturnType<typeof ask>>]];
    expect([refreshed.body, refreshed.said]).toEqual(['1', expect.stringMatching(/^Cordon; hit; ttl=(0|-\d+)$/)]);
    expect((await ask(plain)).body).toBe('2');
    const [[, failed]] = (await afterClear([plain], 0, 'down')) as [[string, Awaited<ReturnType<typeof ask>>]];
    expect([failed.status, failed.body]).toEqual([200, '1']);
    expect((await ask(plain)).body).toBe('1');
  });
});
