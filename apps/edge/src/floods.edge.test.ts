import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { slowdown } from '../../../tests/support/slowness.ts';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

const CONNECTIONS = 128;
const HANDSHAKES = 20;
const ATTACKER = '127.0.0.5';
const HOST = 'flooded.test';
const OTHER_HOST = 'beside.test';

let edge: TestEdge;
let origin: TestOrigin;
let openMost = 0;

beforeAll(async () => {
  let open = 0;
  origin = await startOrigin((_, response) => {
    openMost = Math.max(openMost, ++open);
    response.on('close', () => open--);
    setTimeout(() => response.end('page'), 5);
  });
  const upstream = testUpstream([testTarget(origin.port)]);
  edge = await startEdge({
    workers: 1,
    environment: {
      CORDON_EDGE_LIMITS: JSON.stringify({
        connections: CONNECTIONS,
        handshakes_per_client: HANDSHAKES,
        header_seconds: 2,
      }),
    },
    routes: [testRoute({ hosts: [HOST], upstream }), testRoute({ hosts: [OTHER_HOST], upstream })],
  });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

const closed = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()));

/** Whether a client gets through a handshake from its own address. */
function shakesHands(from: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTls({
      socket: connect({ port: edge.httpsPort, host: '127.0.0.1', localAddress: from }),
      servername: HOST,
      rejectUnauthorized: false,
    });
    socket.once('secureConnect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** HTTP/2 as bytes (RFC 9113 4.1), for what no client library does. */
function frame(type: number, flags: number, stream: number, payload = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}
const HEADERS = 1;
const RST_STREAM = 3;
const SETTINGS = 4;
const CONTINUATION = 9;
const END_STREAM = 1;
const END_HEADERS = 4;

/** A field of HPACK that is kept in no table (RFC 7541 6.2.2). */
const field = (name: string, value: string) =>
  Buffer.concat([Buffer.from([0, name.length]), Buffer.from(name), Buffer.from([value.length]), Buffer.from(value)]);
const head = (host: string) =>
  Buffer.concat([field(':method', 'GET'), field(':scheme', 'https'), field(':path', '/'), field(':authority', host)]);

async function openHttp2(host: string): Promise<Socket> {
  const socket = connectTls({
    socket: connect({ port: edge.httpsPort, host: '127.0.0.1', localAddress: ATTACKER }),
    servername: host,
    ALPNProtocols: ['h2'],
    rejectUnauthorized: false,
  });
  await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
  socket.on('error', () => {}).resume();
  socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  socket.write(frame(SETTINGS, 0, 0));
  return socket;
}

/** The slowest of some requests to another domain, one after the other, while `attack` goes on. */
async function slowestBeside(attack: Promise<unknown>): Promise<number> {
  let isOver = false;
  const over = attack.finally(() => {
    isOver = true;
  });
  let slowest = 0;
  for (let at = 0; at < 10 || !isOver; at++) {
    const startedAt = performance.now();
    expect((await edge.request(OTHER_HOST)).status).toBe(200);
    slowest = Math.max(slowest, performance.now() - startedAt);
  }
  await over;
  return slowest;
}

describe('an attack on connections', () => {
  it('is not helped by a head that comes byte by byte', async () => {
    const socket = connect(edge.httpPort, '127.0.0.1');
    socket.on('error', () => {}).resume();
    const startedAt = performance.now();
    socket.write(`GET / HTTP/1.1\r\nHost: ${HOST}\r\nX-Slow: `);
    const drip = setInterval(() => socket.write('a'), 100);
    await closed(socket);
    clearInterval(drip);
    expect(performance.now() - startedAt).toBeGreaterThan(1500);
    expect((performance.now() - startedAt) / slowdown()).toBeLessThan(6000);
  });

  it('leaves places to others when one client takes most of them', async () => {
    // Kept open after an answer of the edge itself, which takes no connection to the origin.
    const hold = (count: number, localAddress: string) =>
      Array.from({ length: count }, () => {
        const socket = connect({ port: edge.httpPort, host: '127.0.0.1', localAddress });
        socket.write('GET / HTTP/1.1\r\nHost: unknown.test\r\n\r\n');
        return socket.on('error', () => {}).resume();
      });
    const idle = hold(10, '127.0.0.1');
    let idleClosed = 0;
    for (const socket of idle) socket.on('close', () => idleClosed++);
    const held = hold(80, ATTACKER);
    let open = held.length;
    for (const socket of held) socket.on('close', () => open--);
    const startedAt = performance.now();
    while (open > 32 && performance.now() - startedAt < 8000) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(open).toBe(32);
    expect(idleClosed).toBe(0);
    expect((await edge.request(OTHER_HOST)).status).toBe(200);
    for (const socket of [...held, ...idle]) socket.destroy();
  });

  it('ends where a client begins too many TLS handshakes within a second, for this client alone', async () => {
    const results = await Promise.all(Array.from({ length: 2 * HANDSHAKES }, () => shakesHands(ATTACKER)));
    expect(results.filter(Boolean)).toHaveLength(HANDSHAKES);
    expect(await shakesHands('127.0.0.6')).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(await shakesHands(ATTACKER)).toBe(true);
  });

  it('by streams that are reset at once neither reaches the origin in crowds nor slows others down', async () => {
    openMost = 0;
    const socket = await openHttp2(HOST);
    const block = head(HOST);
    const cancel = Buffer.from([0, 0, 0, 8]);
    const flood = (async () => {
      const ended = closed(socket);
      for (let batch = 0; batch < 200 && !socket.destroyed; batch++) {
        const frames: Buffer[] = [];
        for (let at = 0; at < 100; at++) {
          const stream = 2 * (100 * batch + at) + 1;
          frames.push(frame(HEADERS, END_HEADERS | END_STREAM, stream, block), frame(RST_STREAM, 0, stream, cancel));
        }
        if (!socket.write(Buffer.concat(frames)))
          await Promise.race([ended, new Promise((resolve) => socket.once('drain', resolve))]);
      }
      // More streams than a connection may have: the edge ends it.
      await ended;
    })();
    expect(await slowestBeside(flood)).toBeLessThan(1500);
    expect(openMost).toBeLessThanOrEqual(129);
  });

  it('by a head without an end is cut off before it fills memory', async () => {
    const socket = await openHttp2(HOST);
    const ended = closed(socket);
    socket.write(frame(HEADERS, END_STREAM, 1, head(HOST)));
    const filler = Buffer.concat(Array.from({ length: 60 }, (_, at) => field(`x-filler-${at}`, 'a'.repeat(100))));
    let sent = 0;
    while (!socket.destroyed && sent < 16 * 1024 * 1024) {
      sent += filler.length;
      if (!socket.write(frame(CONTINUATION, 0, 1, filler)))
        await Promise.race([ended, new Promise((resolve) => socket.once('drain', resolve))]);
    }
    await ended;
    expect(sent).toBeLessThan(8 * 1024 * 1024);
    expect((await edge.request(OTHER_HOST)).status).toBe(200);
  });
});

describe('an attack that keeps a worker full', () => {
  // Heads have their full time here: what ends such connections is the edge.
  it.each([
    ['one address', 1],
    ['many addresses with few each', 90],
  ])('from %s neither has nginx ended nor shuts others out', async (_, addresses) => {
    const full = await startEdge({
      workers: 1,
      environment: { CORDON_EDGE_LIMITS: JSON.stringify({ connections: CONNECTIONS }) },
      routes: [testRoute({ hosts: [HOST], upstream: testUpstream([testTarget(origin.port)]) })],
    });
    const held = new Set<Socket>();
    let opened = 0;
    const open = () => {
      const localAddress = `127.0.2.${1 + (opened++ % addresses)}`;
      const socket = connect({ port: full.httpPort, host: '127.0.0.1', localAddress });
      held.add(socket);
      socket.on('error', () => {}).on('close', () => held.delete(socket));
      socket.resume().write(`GET / HTTP/1.1\r\nHost: ${HOST}\r\nX-Slow: `);
    };
    const refill = setInterval(() => {
      for (let at = 0; at < 10 && held.size < 2 * CONNECTIONS; at++) open();
    }, 30);
    const visit = () =>
      full.request(HOST).then(
        ({ status }) => status,
        () => 0,
      );
    try {
      const startedAt = performance.now();
      let turnedAway = 0;
      // Longer than an nginx that hangs is left alone.
      for (let since = startedAt; since < startedAt + 12_000; since = performance.now()) {
        while ((await visit()) !== 200) {
          turnedAway++;
          expect((performance.now() - since) / slowdown()).toBeLessThan(4000);
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }
      expect(turnedAway).toBeGreaterThan(0);
      await vi.waitFor(async () => expect(await full.metrics()).toMatch(/^cordon_edge_nginx_starts 1$/m), 5000);
      expect(full.stderr).not.toContain('hang');
    } finally {
      clearInterval(refill);
      for (const socket of held) socket.destroy();
      await full.stop();
    }
  });
});
