import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { slowdown } from '../../../tests/support/slowness.ts';
import { cachePlugin } from './testing/caching.ts';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** Who waits for whom, where an origin is slow, fails, or has many forms of an answer. */
const HOST = 'waiting.test';
/** Gives its origin eight seconds. */
const IMPATIENT = 'impatient.test';
let origin: TestOrigin;
let edge: TestEdge;

/** What the origin does with the so-manieth request for a path. */
type Behaviour = (count: number, response: ServerResponse) => void | Promise<void>;
const behaviours = new Map<string, Behaviour>();
const counts = new Map<string, number>();
const asked = (path: string) => counts.get(path) ?? 0;
let paths = 0;
function serve(behaviour: Behaviour): string {
  const path = `/waiting-${++paths}`;
  behaviours.set(path, behaviour);
  return path;
}

beforeAll(async () => {
  origin = await startOrigin(async ({ url = '' }, response) => {
    const count = asked(url) + 1;
    counts.set(url, count);
    await behaviours.get(url)?.(count, response);
  });
  const routeOf = (host: string, seconds: number) =>
    testRoute({
      hosts: [host],
      upstream: testUpstream([testTarget(origin.port)], { tries: 1, read_timeout_ms: seconds * 1000, max_fails: 1000 }),
      plugins: [cachePlugin('advance-proxy-cache', { cache_reusable: false })],
    });
  edge = await startEdge({ routes: [routeOf(HOST, 60), routeOf(IMPATIENT, 8)], workers: 2 });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

const get = (path: string, headers: Readonly<Record<string, string>> = {}) => edge.request(HOST, { path, headers });
const many = (path: string, count: number, headersOf: (at: number) => Readonly<Record<string, string>> = () => ({})) =>
  Promise.all(Array.from({ length: count }, (_, at) => get(path, headersOf(at))));
const FRESH = { 'Cache-Control': 'max-age=600' };

describe('an origin that is slow', () => {
  it('is asked by one more in five seconds, not by all who wait', async () => {
    const path = serve(async (count, response) => {
      await delay(7000);
      response.writeHead(200, FRESH).end(`answer ${count}`);
    });
    const answers = await many(path, 50);
    expect(asked(path)).toBe(2);
    expect(answers.map(({ body }) => body).toSorted()).toEqual([...Array(49).fill('answer 1'), 'answer 2']);
  });

  it('that does not answer one request, answers all by the next', async () => {
    const path = serve((count, response) => {
      if (count > 1) response.writeHead(200, FRESH).end('answered');
    });
    const first = get(path).catch(() => undefined);
    await edge.control.until(() => asked(path) === 1, 'the first request is at the origin');
    expect((await many(path, 20)).map(({ body }) => body)).toEqual(Array(20).fill('answered'));
    expect(asked(path)).toBe(2);
    origin.server.closeAllConnections();
    await first;
  });

  it('is waited for a little longer once its answer has begun', async () => {
    const path = serve(async (count, response) => {
      await delay(4000);
      response.writeHead(200, FRESH);
      response.write('answer ');
      await delay(3000);
      response.end(`${count}`);
    });
    expect((await many(path, 30)).map(({ body }) => body)).toEqual(Array(30).fill('answer 1'));
    expect(asked(path)).toBe(1);
  });

  it('fails those who have waited with the first that it fails', async () => {
    const path = serve(() => undefined);
    const startedAt = Date.now();
    const answers = await Promise.all(
      Array.from({ length: 30 }, async () => {
        const { status } = await edge.request(IMPATIENT, { path });
        return { status, seconds: (Date.now() - startedAt) / 1000 };
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(504));
    expect(asked(path)).toBe(2);
    // The one that has taken over is told five seconds later.
    const seconds = answers.map((answer) => answer.seconds).toSorted((a, b) => a - b);
    expect(seconds[28]).toBeLessThan((seconds[29] as number) - 3);
  });

  it('whose answer has begun keeps nobody waiting for its end', async () => {
    const held: ServerResponse[] = [];
    const path = serve((count, response) => {
      response.writeHead(200, FRESH);
      response.write(`answer ${count} `);
      if (count === 1) held.push(response);
      else response.end();
    });
    const first = get(path);
    await edge.control.until(() => held.length === 1, 'the first answer has begun');
    const answers = await many(path, 5);
    for (const { body } of answers) expect(body).toMatch(/^answer [2-6] $/);
    held[0]?.end();
    expect((await first).body).toBe('answer 1 ');
  });
});

describe('an answer that varies', () => {
  it.each(['X-Kind', 'User-Agent'])('by %s is asked for once for each value, of all at once', async (field) => {
    const path = serve(async (count, response) => {
      await delay(200);
      response.writeHead(200, { ...FRESH, Vary: field }).end(`answer ${count}`);
    });
    const answers = await many(path, 80, (at) => ({ [field]: `kind ${at % 4}` }));
    expect(asked(path)).toBe(4);
    const bodies = [0, 1, 2, 3].map(
      (kind) => new Set(answers.filter((_, at) => at % 4 === kind).map(({ body }) => body)),
    );
    expect(bodies.map(({ size }) => size)).toEqual([1, 1, 1, 1]);
    expect(new Set(answers.map(({ body }) => body)).size).toBe(4);
  });

  it('by a list is asked for once, however the list is written', async () => {
    const path = serve(async (_, response) => {
      await delay(200);
      response.writeHead(200, { ...FRESH, Vary: 'Accept-Language' }).end('answer');
    });
    const forms = ['de, en;q=0.5', 'de,en;q=0.5', 'de , en; q=0.5'];
    await many(path, 60, (at) => ({ 'Accept-Language': forms[at % 3] as string }));
    expect(asked(path)).toBe(1);
  });
});

describe('an origin that fails, where what is stale may serve', () => {
  const SHORT = { 'Cache-Control': 'max-age=1, stale-if-error=600' };
  async function stored(next: Behaviour): Promise<string> {
    const path = serve((count, response) => {
      if (count === 1) response.writeHead(200, { ...SHORT, Connection: 'close' }).end('copy');
      else return next(count, response);
    });
    await get(path);
    await delay(2100);
    return path;
  }

  it.each<[string, Behaviour]>([
    ['answers 503', (_, response) => void response.writeHead(503).end()],
    ['ends the connection', (_, response) => void response.destroy()],
  ])('is asked once in five seconds: it %s', async (_what, fail) => {
    const path = await stored(async (count, response) => {
      await delay(500);
      return fail(count, response);
    });
    const bodies = [...(await many(path, 50)), ...(await many(path, 10))].map(({ body }) => body);
    expect(bodies).toEqual(Array(60).fill('copy'));
    // nginx asks once more where a kept connection ends.
    expect([2, 3]).toContain(asked(path));
  });

  it('keeps one waiting, and the others five seconds, once', async () => {
    const path = await stored(() => undefined);
    const first = get(path).catch(() => undefined);
    await edge.control.until(() => asked(path) === 2, 'the origin is asked');
    expect((await many(path, 20)).map(({ body }) => body)).toEqual(Array(20).fill('copy'));
    const startedAt = Date.now();
    expect((await many(path, 20)).map(({ body }) => body)).toEqual(Array(20).fill('copy'));
    expect((Date.now() - startedAt) / slowdown()).toBeLessThan(4000);
    expect(asked(path)).toBe(2);
    origin.server.closeAllConnections();
    await first;
  });
});
