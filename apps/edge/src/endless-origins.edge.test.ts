import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { cachePlugin } from './testing/caching.ts';
import { freePort } from './testing/ports.ts';
import { sendRaw } from './testing/raw.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/**
 * Origins that the edge asks over a socket of its own, because they send hints (RFC 8297), and that send without an end: none of them may hold
 * a node's memory or a visitor for longer than its time-out says.
 */
const PLAIN = 'endless.test';
const CACHED = 'endless-cached.test';
const READ_MS = 1000;
/** Of which systems hold a few in buffers. */
const SENT_MAX = 64 * 1024 * 1024;
const TAKEN_MAX = 16 * 1024 * 1024;
const HEAD = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
const TINY = '1\r\nx\r\n';
const HINT = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n';

let server: Server;
let edge: TestEdge;
let sent = 0;
const held = new Set<Socket>();
/** By path. */
const origins = new Map<string, (socket: Socket) => unknown>();

/** Sends it over and over until nobody takes it. */
const flood = (begin: string, piece: string) => async (socket: Socket) => {
  socket.write(begin);
  const pieces = piece.repeat(Math.ceil(65_536 / piece.length));
  for (sent = 0; sent < SENT_MAX && socket.writable; sent += pieces.length)
    if (!socket.write(pieces)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => {});
};

const drip = (begin: string, rest: string) => async (socket: Socket) => {
  socket.write(begin);
  for (let at = 0; at < rest.length && socket.writable; at++) {
    socket.write(rest[at] as string);
    await delay(READ_MS / 4);
  }
};

beforeAll(async () => {
  server = createServer((socket) => {
    held.add(socket.on('error', () => {}));
    socket.once('data', (data) => {
      const path = data.toString('latin1').split(' ')[1] ?? '';
      const origin = origins.get(path);
      if (origin === undefined) socket.end(`${HINT}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`);
      else origin(socket);
    });
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const upstream = testUpstream([testTarget(port)], { read_timeout_ms: READ_MS });
  edge = await startEdge({
    workers: 1,
    routes: [
      testRoute({ hosts: [PLAIN], upstream }),
      testRoute({ hosts: [CACHED], upstream, plugins: [cachePlugin('advance-proxy-cache', { content_type: [] })] }),
    ],
  });
  // The first ones are led round: by now the node knows.
  for (const host of [PLAIN, CACHED]) for (let round = 0; round < 3; round++) await edge.request(host, { path: '/' });
});
afterAll(async () => {
  await edge?.stop();
  for (const socket of held) socket.destroy();
  server?.close();
});

let asked = 0;

/** What a visitor gets, after how long, and how much the origin got rid of. */
async function visit(host: string, origin: (socket: Socket) => unknown) {
  asked++;
  const path = `/${asked}`;
  origins.set(path, origin);
  const began = performance.now();
  const request = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
  const text = await sendRaw(edge.httpPort, request, READ_MS * 6);
  return { text, ms: performance.now() - began, sent };
}

const answer = (fields: string) => `HTTP/1.1 200 OK\r\n${fields}Content-Length: 2\r\n\r\nok`;
const page = /^HTTP\/1.1 502 /;

describe.each([PLAIN, CACHED])('of %s, a head', (host) => {
  it.each([
    ['whose first line does not end', flood('HTTP/1.1 200 ', 'x')],
    ['with a field that does not end', flood('HTTP/1.1 200 OK\r\nX-Long: ', 'x')],
    ['with fields that do not end', flood('HTTP/1.1 200 OK\r\n', 'X-More: x\r\n')],
    ['after interim answers that do not end', flood('', HINT)],
  ])('%s is given up', async (_, origin) => {
    const got = await visit(host, origin);
    expect(got.text).toMatch(page);
    expect(got.sent).toBeLessThan(TAKEN_MAX);
  });

  it('that comes byte by byte has as long as one read may take', async () => {
    const got = await visit(host, drip('HTTP/1.1 200 OK\r\nX-Slow: ', 'x'.repeat(60)));
    expect(got.text).toMatch(page);
    expect(got.ms).toBeLessThan(READ_MS * 3);
  });

  it.each([
    [15_000, 200],
    [17_000, 502],
  ])('of %d bytes is answered with %d, as one that comes by nginx’s proxy', async (bytes, status) => {
    const fields = `X-Long: ${'x'.repeat(bytes - 60)}\r\n`;
    const got = await visit(host, (socket) => socket.end(HINT + answer(fields)));
    expect(got.text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  it.each([
    ['a switch of protocols that nobody asked for', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'],
    ['a carriage return within a line', 'HTTP/1.1 200 OK\r\nX-One: 1\rX-Two: 2\r\nContent-Length: 2\r\n\r\nok'],
  ])('with %s is none', async (_, head) => {
    expect((await visit(host, (socket) => socket.end(head + answer('')))).text).toMatch(page);
  });

  it('comes as it is, however it is cut up', async () => {
    const got = await visit(host, async (socket) => {
      for (const piece of ['HTTP/1.1 103 x\r', '\nA: b\r\n\r\nHTTP/1.1 2', '01 Made\nX-One: \t 1  2 \t\r\nCont'])
        await new Promise((resolve) => socket.write(piece, () => setTimeout(resolve, 50)));
      socket.end('ent-Length: 4\r\n\r\nbody, and more');
    });
    expect(got.text).toMatch(/^HTTP\/1.1 201 /);
    expect(got.text).toMatch(/\r\nX-One: 1 {2}2\r\n/);
    expect(got.text).toMatch(/\r\n\r\nbody$/);
  });
});

describe('a body in chunks', () => {
  it.each([
    ['whose length does not end', flood(HEAD, '0')],
    ['whose extensions do not end', flood(`${HEAD}5;a=`, 'x')],
    ['whose chunk is followed by more than its end', flood(`${HEAD}5\r\nhello`, 'x')],
    ['whose length is followed by what is none', flood(`${HEAD}5\r\nhello\r\n5 x\r\n`, 'hello')],
  ])('%s is cut off', async (_, origin) => {
    const got = await visit(PLAIN, origin);
    expect(got.text).not.toMatch(/0\r\n\r\n$/);
    expect(got.sent).toBeLessThan(TAKEN_MAX);
  });

  it('whose length comes byte by byte has as long as one read may take', async () => {
    const got = await visit(PLAIN, drip(HEAD, '0'.repeat(60)));
    expect(got.text).not.toMatch(/0\r\n\r\n$/);
    expect(got.ms).toBeLessThan(READ_MS * 3);
  });

  it('is whole before trailers that do not end', async () => {
    const got = await visit(PLAIN, flood(`${HEAD}5;ext="1"\r\nhello\r\n0\r\n`, 'X-More: x\r\n'));
    expect(got.text).toMatch(/\r\n5\r\nhello\r\n0\r\n\r\n$/);
    expect(got.sent).toBeLessThan(TAKEN_MAX);
  });

  it('goes on between pauses that are each shorter than one read may take', async () => {
    const got = await visit(PLAIN, async (socket) => {
      socket.write(HEAD);
      for (let at = 0; at < 4; at++) {
        await delay(READ_MS / 2);
        socket.write('5\r\nhello\r\n');
      }
      socket.end('0\r\n\r\n');
    });
    expect(got.text).toMatch(/(5\r\nhello\r\n){4}0\r\n\r\n$/);
  });
});

describe('chunks of a byte', () => {
  it('that come together go on together', async () => {
    const got = await visit(PLAIN, (socket) => socket.end(`${HEAD}${TINY.repeat(5000)}0\r\n\r\n`));
    const chunks = got.text.slice(got.text.indexOf('\r\n\r\n') + 4).split(/[0-9a-f]+\r\n(?=[x\r])/);
    expect(chunks.join('').replaceAll('\r\n', '')).toBe('x'.repeat(5000));
    expect(chunks.length).toBeLessThan(500);
  });

  it('that do not end hold up no request of another domain', async () => {
    origins.set('/tiny', flood(HEAD, TINY));
    let taken = 0;
    const request = `GET /tiny HTTP/1.1\r\nHost: ${PLAIN}\r\n\r\n`;
    const visitors = [1, 2].map(() =>
      connect(edge.httpPort, '127.0.0.1')
        .on('data', (data) => {
          taken += data.length;
        })
        .on('error', () => {}),
    );
    for (const visitor of visitors) visitor.write(request);
    await vi.waitFor(() => expect(taken).toBeGreaterThan(50_000), 10_000);
    const waits: number[] = [];
    for (let round = 0; round < 7; round++) {
      const began = performance.now();
      expect((await edge.request(CACHED, { path: `/beside-${round}` })).status).toBe(200);
      waits.push(performance.now() - began);
    }
    for (const visitor of visitors) visitor.destroy();
    expect(waits.sort((a, b) => a - b)[3]).toBeLessThan(500);
  });
});
