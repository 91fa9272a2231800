import { connect as connectHttp2, constants } from 'node:http2';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { slowdown } from '../../../tests/support/slowness.ts';
import { cachePlugin } from './testing/caching.ts';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** What is fetched is stored for all who wait for it, also where the answer to who asked first cannot be sent (RFC 9111 4). */

const HOST = 'unsent.test';
/** Less than who waits for an answer that does not come waits. */
const SOON_MS = 1500;
const LENGTH = 2000;

let origin: TestOrigin;
let edge: TestEdge;
let asked: string[] = [];
let release: (() => void)[] = [];

beforeAll(async () => {
  origin = await startOrigin(({ url = '', headers }, response) => {
    asked.push(url);
    const answer = () => {
      if (url.endsWith('.mp4') && headers.range !== undefined)
        response.writeHead(206, {
          ...{ 'content-type': 'video/mp4', 'cache-control': 'max-age=60', 'content-length': LENGTH },
          ...{ 'content-range': `bytes 0-${LENGTH - 1}/${LENGTH}`, etag: '"a"' },
        });
      else
        response.writeHead(200, {
          'content-type': 'text/plain',
          'cache-control': 'max-age=60',
          'content-length': LENGTH,
        });
      response.end('x'.repeat(LENGTH));
    };
    if (url.startsWith('/held')) release.push(answer);
    else answer();
  });
  edge = await startEdge({
    routes: [
      testRoute({
        ...{ hosts: [HOST], upstream: testUpstream([testTarget(origin.port)]) },
        plugins: [cachePlugin('advance-proxy-cache', { enable_cache_control: true })],
      }),
    ],
  });
  await edge.cleared();
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});
beforeEach(() => {
  asked = [];
  release = [];
});

const openSession = () =>
  connectHttp2(`https://127.0.0.1:${edge.httpsPort}`, { rejectUnauthorized: false, servername: HOST });
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** What is stored of a name over TLS is another object. */
async function askSecurely(path: string) {
  const session = openSession();
  try {
    const stream = session.request({ ':path': path, ':authority': HOST });
    const headers = await new Promise<Record<string, unknown>>((resolve, reject) => {
      stream.once('response', resolve).once('error', reject);
    });
    let body = '';
    for await (const part of stream) body += part;
    return { status: Number(headers[':status']), headers, body };
  } finally {
    session.close();
  }
}

/** Asks for a path, and leaves once the origin has been asked. */
const LEAVERS = {
  'closes its connection': async (path: string) => {
    const socket = connect(edge.httpPort, '127.0.0.1').on('error', () => undefined);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`);
    await vi.waitFor(() => expect(release).toHaveLength(1), { timeout: 5000 });
    socket.end();
    socket.destroy();
  },
  'resets its connection': async (path: string) => {
    const socket = connect(edge.httpPort, '127.0.0.1').on('error', () => undefined);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`);
    await vi.waitFor(() => expect(release).toHaveLength(1), { timeout: 5000 });
    socket.resetAndDestroy();
  },
  'cancels its stream': async (path: string) => {
    const session = openSession();
    const stream = session.request({ ':path': path, ':authority': HOST }).on('error', () => undefined);
    await vi.waitFor(() => expect(release).toHaveLength(1), { timeout: 5000 });
    stream.close(constants.NGHTTP2_CANCEL);
    await wait(100);
    session.destroy();
  },
};

describe.each([
  ['the next one comes later', 'later', '.txt'],
  ['others wait', 'waiting', '.txt'],
  ['others wait for a file in slices', 'waiting', '.mp4'],
] as const)('of a visitor who leaves before the answer, where %s', (_, when, extension) => {
  it.each(Object.keys(LEAVERS) as (keyof typeof LEAVERS)[])('what was asked for is stored when it %s', async (how) => {
    const path = `/held/${when}/${how.replaceAll(' ', '-')}${extension}`;
    const ask = () => (how === 'cancels its stream' ? askSecurely(path) : edge.request(HOST, { path }));
    await LEAVERS[how](path);
    const waiting = when === 'waiting' ? [ask(), ask(), ask()] : [];
    await wait(200);
    const answeredAt = performance.now();
    for (const answer of release) answer();
    const answers = await Promise.all(waiting.length > 0 ? waiting : [ask()]);
    expect((performance.now() - answeredAt) / slowdown()).toBeLessThan(SOON_MS);
    expect(answers.map(({ status, body }) => [status, body.length])).toEqual(answers.map(() => [200, LENGTH]));
    expect((await ask()).headers['cache-status']).toMatch(/^Cordon; hit/);
    expect(asked).toEqual([path]);
  });
});

describe('RFC 9110 15.5.17, RFC 9211 2.5: a range behind the end of what is not stored yet', () => {
  it.each(['bytes=99999-', 'bytes=-0', 'bytes=9-2', 'bytes=2000-', 'bytes=x', 'bytes=5000-6000, 7000-'])(
    'is answered so, and the object is stored: %s',
    async (range) => {
      const path = `/range/${encodeURIComponent(range)}`;
      const answer = await edge.request(HOST, { path, headers: { Range: range } });
      expect(answer.status).toBe(416);
      expect(answer.headers).toMatchObject({
        'content-range': `bytes */${LENGTH}`,
        'cache-control': expect.stringMatching(/^no-store/),
      });
      expect(answer.headers['content-type']).toBeUndefined();
      expect(answer.headers['cache-status']).toMatch(/fwd-status=200; stored/);
      const cameAt = performance.now();
      const next = await edge.request(HOST, { path });
      expect((performance.now() - cameAt) / slowdown()).toBeLessThan(SOON_MS);
      expect([next.status, next.body.length]).toEqual([200, LENGTH]);
      expect(next.headers['cache-status']).toMatch(/^Cordon; hit/);
      expect(asked).toEqual([path]);
    },
  );

  it.each([
    ['bytes=0-', LENGTH],
    ['bytes=1999-', 1],
    ['bytes=-1', 1],
    ['BYTES=0-0', 1],
    ['bytes=5000-, 0-1', 2],
  ] as const)('is none where a part of it lies within: %s', async (range, length) => {
    const answer = await edge.request(HOST, {
      path: `/within/${encodeURIComponent(range)}`,
      headers: { Range: range },
    });
    expect([answer.status, answer.body.length]).toEqual([206, length]);
  });

  it.each(['lines=5000-', 'bytes'])('is none in a unit that is not known: %s', async (range) => {
    const answer = await edge.request(HOST, { path: `/unit/${range}`, headers: { Range: range } });
    expect([answer.status, answer.body.length]).toEqual([200, LENGTH]);
  });
});
