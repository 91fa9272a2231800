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
const MODIFIED = 'Sun, 01 Nov 2026 10:00:00 GMT';

let origin: TestOrigin;
let edge: TestEdge;
let asked: string[] = [];
let release: (() => void)[] = [];

beforeAll(async () => {
  origin = await startOrigin(({ url = '', headers }, response) => {
    asked.push(url);
    const length = url.includes('empty') ? 0 : LENGTH;
    const answer = () => {
      if (url.endsWith('.mp4') && headers.range !== undefined)
        response.writeHead(206, {
          ...{ 'content-type': 'video/mp4', 'cache-control': 'max-age=60', 'content-length': LENGTH },
          ...{ 'content-range': `bytes 0-${LENGTH - 1}/${LENGTH}`, etag: '"a"' },
        });
      else
        response.writeHead(200, {
          ...{ 'content-type': 'text/plain', 'cache-control': 'max-age=60', 'content-length': length },
          ...{ etag: '"now"', 'last-modified': MODIFIED },
        });
      response.end('x'.repeat(length));
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

async function resetOnce(path: string, fields = ''): Promise<void> {
  const socket = connect(edge.httpPort, '127.0.0.1').on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${HOST}\r\n${fields}\r\n`);
  await vi.waitFor(() => expect(release).toHaveLength(1), { timeout: 5000 });
  socket.resetAndDestroy();
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
  'resets its connection': (path: string) => resetOnce(path),
  'has asked for a range behind its end': (path: string) => resetOnce(path, 'Range: bytes=99999-\r\n'),
  'has asked for what is no range': (path: string) => resetOnce(path, 'Range: bytes=0-1,\r\n'),
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

/** Of an object of 2,000 bytes; where another answers, as nginx has it of what is stored. */
const REFUSED = [
  ...[
    '99999-',
    '-0',
    '9-2',
    '2000-',
    'x',
    '5000-6000, 7000-',
    '0-1,',
    '0-1, x',
    ',',
    '0-1,,2-3',
    '- 5',
    '--5',
    '1',
    '1 2-',
  ],
  ...['0-99999999999999999999', '0-1,99999999999999999999-', '-9223372036854775808', '09223372036854775808-', '0-1;'],
];
const TAKEN = [
  ...[
    '0-',
    '1999-',
    '-1',
    '-5000',
    ' 0 - 1 ',
    '5000-, 0-1',
    '5000-,-1',
    '0-9223372036854775807',
    '0-0009223372036854775807',
  ],
  ...['1-1', '-9223372036854775807', '0001999-'],
];

describe('RFC 9110 14.2, 15.5.17: a range of what is not stored yet', () => {
  it.each(REFUSED)('is refused, and the object is stored: %s', async (range) => {
    const path = `/range/${encodeURIComponent(range)}`;
    const headers = { Range: `bytes=${range}` };
    const answer = await edge.request(HOST, { path, headers });
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
    expect((await edge.request(HOST, { path, headers })).status).toBe(416);
    expect(asked).toEqual([path]);
  });

  it.each(TAKEN)('is sent, as of what is stored: %s', async (range) => {
    const path = `/within/${encodeURIComponent(range)}`;
    const headers = { Range: `bytes=${range}` };
    const [answer, stored] = [await edge.request(HOST, { path, headers }), await edge.request(HOST, { path, headers })];
    expect([answer.status, answer.headers['content-range']]).toEqual([206, stored.headers['content-range']]);
    expect(stored.headers['cache-status']).toMatch(/^Cordon; hit/);
    expect(answer.body).toBe(stored.body);
  });

  it.each(['lines=5000-', 'bytes', 'bytes=', 'bytes=0-1,5-6', 'bytes=0-1,5-6,x'])(
    'is none where it is of another unit, or has two parts: %s',
    async (range) => {
      const answer = await edge.request(HOST, { path: `/unit/${range}`, headers: { Range: range } });
      expect([answer.status, answer.body.length]).toEqual([200, LENGTH]);
    },
  );

  it.each(['0-0,-0', '0-', '-5'])('is none of an empty object: %s', async (range) => {
    const path = `/empty/${range}`;
    const headers = { Range: `bytes=${range}` };
    expect((await edge.request(HOST, { path, headers })).status).toBe(200);
    const stored = await edge.request(HOST, { path, headers });
    expect([stored.status, stored.headers['cache-status']]).toEqual([200, expect.stringMatching(/^Cordon; hit/)]);
  });

  it.each([
    ['"now"', 416],
    ['"before"', 200],
    ['Sun, 01 Nov 2026 10:00:00 GMT', 416],
    ['Sun, 01 Nov 2026 09:00:00 GMT', 200],
    ['yesterday', 200],
  ])('RFC 9110 13.1.5: counts where If-Range holds: %s', async (condition, status) => {
    const path = `/if-range/${encodeURIComponent(condition)}`;
    const headers = { Range: 'bytes=5000-', 'If-Range': condition };
    const answers = [await edge.request(HOST, { path, headers }), await edge.request(HOST, { path, headers })];
    expect(answers.map((one) => one.status)).toEqual([status, status]);
    expect(asked).toEqual([path]);
  });

  it('is read in time, however it is written', async () => {
    const blanks = ' '.repeat(7000);
    const ranges = [
      `1-${blanks}x`,
      `${blanks}x`,
      `1${blanks}x`,
      `-${blanks}1`,
      `1-${blanks}1${blanks}x`,
      '1-1,'.repeat(1800),
      `5000-${blanks},`.repeat(2),
    ];
    const startedAt = performance.now();
    for (const [at, range] of ranges.entries())
      await edge.request(HOST, { path: `/long/${at}`, headers: { Range: `bytes=${range}` } });
    // By a pattern that looks back, the first one takes 0.2 s.
    expect((performance.now() - startedAt) / slowdown() / ranges.length).toBeLessThan(40);
    expect(asked).toHaveLength(ranges.length);
  });
});
