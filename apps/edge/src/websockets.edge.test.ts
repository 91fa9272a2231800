import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { freePort, releasePort } from './testing/ports.ts';
import { sendRaw } from './testing/raw.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** Longer than the origin may take for an answer, which is what nginx would measure silence by. */
const SILENCE_MS = 3000;
const FREE_LIFE_MS = 2000;
const READ_TIMEOUT_MS = 500;
const PING_MS = 300;

let edge: TestEdge;
let origin: TestOrigin;
let odd: Server;
let oddPort: number;

beforeAll(async () => {
  origin = await startOrigin();
  const websockets = new WebSocketServer({ server: origin.server });
  websockets.on('connection', (socket, request) => {
    socket.on('message', (data) => socket.send(`echo ${data}`));
    if (request.url !== '/pings') return;
    const pings = setInterval(() => socket.ping(), PING_MS);
    socket.on('close', () => clearInterval(pings));
  });
  // Answers 101 with the fields of the path, and echoes whatever comes then.
  odd = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (head) => {
      const fields = decodeURIComponent(/^GET \/\?(\S*)/.exec(head.toString('latin1'))?.[1] ?? '');
      if (fields === 'silent') return;
      socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\n${fields}\r\n`);
      socket.on('data', (data) => socket.write(`echo ${data}`));
    });
  });
  oddPort = await freePort();
  await new Promise<void>((resolve) => odd.listen(oddPort, '127.0.0.1', resolve));
  const upstream = testUpstream([testTarget(origin.port)], { read_timeout_ms: READ_TIMEOUT_MS });
  const oddUpstream = testUpstream([testTarget(oddPort)], { read_timeout_ms: READ_TIMEOUT_MS, tries: 1 });
  edge = await startEdge({
    environment: {
      CORDON_EDGE_LIMITS: JSON.stringify({
        websocket_silence_seconds: SILENCE_MS / 1000,
        free_websocket_seconds: FREE_LIFE_MS / 1000,
      }),
    },
    routes: [
      testRoute({ hosts: ['site.test'], upstream }),
      testRoute({ hosts: ['free.test'], tier: 'free', upstream }),
      testRoute({ hosts: ['limited.test'], upstream: { ...upstream, connection_limit: 5 } }),
      testRoute({ hosts: ['odd.test'], upstream: oddUpstream }),
      testRoute({ hosts: ['odd-free.test'], tier: 'free', upstream: oddUpstream }),
    ],
  });
});

afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
  odd?.close();
  releasePort(oddPort);
});

/** An open websocket, with the milliseconds it will have been open. */
async function open(host: string, path = '/'): Promise<{ socket: WebSocket; lifeMs: Promise<number> }> {
  const socket = new WebSocket(`ws://127.0.0.1:${edge.httpPort}${path}`, { headers: { host } });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  const openedAt = performance.now();
  return {
    socket,
    lifeMs: new Promise((resolve) => socket.once('close', () => resolve(performance.now() - openedAt))),
  };
}

describe.concurrent('a websocket', () => {
  it('stays open while either side says anything, and ends after silence', async () => {
    const silent = await open('site.test');
    const pinging = await open('site.test');
    const pinged = await open('site.test', '/pings');
    const pings = setInterval(() => pinging.socket.ping(), PING_MS);
    expect(await silent.lifeMs).toBeGreaterThan(SILENCE_MS - 1000);
    const echoes = [pinging.socket, pinged.socket].map((socket) => {
      const echo = new Promise((resolve) => socket.once('message', (data) => resolve(String(data))));
      socket.send('x');
      return echo;
    });
    expect(await Promise.all(echoes)).toEqual(['echo x', 'echo x']);
    clearInterval(pings);
    for (const { socket } of [pinging, pinged]) socket.terminate();
  });

  it('of a free plan ends after its life, silent or not', async () => {
    const silent = await open('free.test');
    const pinged = await open('free.test', '/pings');
    for (const lifeMs of await Promise.all([silent.lifeMs, pinged.lifeMs])) {
      expect(lifeMs).toBeGreaterThan(FREE_LIFE_MS - 100);
      // Life and the second between two looks, not the silence.
      expect(lifeMs).toBeLessThan(FREE_LIFE_MS + 1900);
    }
  });

  it('that the origin does not answer ends when any other request would', async () => {
    const startedAt = performance.now();
    const answer = await sendRaw(edge.httpPort, `GET /?silent HTTP/1.1\r\nHost: odd.test\r\n${ASKS}\r\n`, 20_000);
    expect(answer).toMatch(/^HTTP\/1.1 504 /);
    expect(answer).toContain('The origin of this site did not answer in time');
    // By the time-outs of ordinary requests, not by the silence that a websocket may keep after its answer.
    expect(performance.now() - startedAt).toBeGreaterThan(READ_TIMEOUT_MS);
    const id = /^X-Request-Id: (\w+)/im.exec(answer)?.[1];
    expect(await edge.control.row(({ request_id }) => request_id === id)).toMatchObject({ status: 504 });
  });
});

const ASKS =
  'Connection: upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Key: eA==\r\nSec-WebSocket-Version: 13\r\n';
const AGREES = 'Upgrade: websocket\r\n';
/** A tunnel shows by what comes back before it is silent; no tunnel, by its end. */
const SILENT_MS = 2000;

describe.concurrent.each(['odd.test', 'odd-free.test'])('the answer 101 of %s', (host) => {
  const ask = (request: string, answer: string, version = '1.1') =>
    sendRaw(
      edge.httpPort,
      `GET /?${encodeURIComponent(answer)} HTTP/${version}\r\nHost: ${host}\r\n${request}\r\nbytes of a tunnel`,
      SILENT_MS,
    );

  it('opens a tunnel for who has asked for a websocket', async () => {
    const answer = await ask(ASKS, AGREES);
    expect(answer).toMatch(/^HTTP\/1.1 101 /);
    expect(answer).toContain('echo bytes of a tunnel');
  });

  it.each([
    ['without the field Upgrade', ASKS, ''],
    ['that upgrades to something else', ASKS, 'Upgrade: h2c\r\n'],
    ['to a request for something else', 'Connection: upgrade, close\r\nUpgrade: h2c\r\n', AGREES],
    ['to one for something else, in kind', 'Connection: upgrade, close\r\nUpgrade: tunnel\r\n', 'Upgrade: tunnel\r\n'],
    ['to a request for several things', `Upgrade: h2c\r\n${ASKS}`, AGREES],
    ['to a request for nothing', 'Connection: close\r\n', AGREES],
    ['to nothing with nothing', 'Connection: close\r\n', ''],
  ])('is none %s', async (_, request, answer) => {
    const text = await ask(request, answer);
    expect(text).toMatch(/^HTTP\/1.1 502 /);
    expect(text).not.toContain('echo');
  });

  it('is none to HTTP/1.0, which has no upgrades', async () => {
    expect(await ask(ASKS, AGREES, '1.0')).toMatch(/^HTTP\/1.1 502 /);
  });
});

it.each([
  ['site.test', 'GET / HTTP/1.0'],
  ['limited.test', 'GET / HTTP/1.0'],
  ['site.test', 'POST / HTTP/1.0\r\nContent-Length: 0'],
])('what has no upgrades asks the origin for none: %s, %s', async (host, head) => {
  expect(await sendRaw(edge.httpPort, `${head}\r\nHost: ${host}\r\n${ASKS}\r\n`)).toMatch(/^HTTP\/1.1 200 /);
  expect(origin.requests.at(-1)?.headers).toMatchObject({ host });
  expect(origin.requests.at(-1)?.headers.upgrade).toBeUndefined();
});

it('one goes through a domain with a limit', async () => {
  const socket = new WebSocket(`ws://127.0.0.1:${edge.httpPort}/`, { headers: { host: 'limited.test' } });
  const opened = new Promise((resolve, reject) => socket.once('open', () => resolve('open')).once('error', reject));
  expect(await opened).toBe('open');
  socket.terminate();
});
