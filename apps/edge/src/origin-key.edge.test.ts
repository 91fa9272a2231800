import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { freePort } from './testing/ports.ts';
import { testRoute, testSettings, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

const KEY = Buffer.from('key of the origin lock, 32 bytes').toString('base64url');
let edge: TestEdge;
let origin: TestOrigin;
let hinting: Server;
const hinted: string[] = [];

beforeAll(async () => {
  origin = await startOrigin();
  new WebSocketServer({ server: origin.server });
  hinting = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (data) => {
      hinted.push(data.toString());
      socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n');
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello');
    });
  });
  edge = await startEdge();
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
  hinting?.close();
});

const locked = (host: string, seed: string | undefined, more: Parameters<typeof testRoute>[0] | object = {}) =>
  testRoute({
    hosts: [host],
    upstream: testUpstream([testTarget(origin.port)]),
    ...(seed === undefined ? {} : { origin_key_seed: seed }),
    ...more,
  });
const keyValue = (routeId: string, seed: string) =>
  createHmac('sha256', Buffer.from(KEY, 'base64url')).update(`${routeId} ${seed}`).digest('base64url');
const shown = () => origin.requests.at(-1)?.headers['cordon-origin-key'];

it('is sent once the node knows the key, and never what the visitor wrote', async () => {
  const route = locked('locked.test', 'seed-1');
  await edge.deploy(route);
  await edge.request('locked.test', { headers: { 'Cordon-Origin-Key': 'forged' } });
  expect(shown()).toBeUndefined();
  edge.control.setSettings({ ...testSettings(), origin_key: KEY });
  await edge.control.until(() => edge.control.streams > 0, 'the stream');
  const expected = keyValue(route.id, 'seed-1');
  for (let at = 0; at < 100 && shown() !== expected; at++) await edge.request('locked.test');
  await edge.request('locked.test', {
    headers: { 'cordon-origin-key': 'forged', Cordon_Origin_Key: 'forged', Connection: 'cordon-origin-key' },
  });
  expect(shown()).toBe(expected);
  expect(origin.requests.at(-1)?.rawHeaders.filter((name) => /origin.key/i.test(name))).toHaveLength(1);

  await edge.deploy({ ...route, origin_key_seed: 'seed-2' });
  await edge.request('locked.test');
  expect(shown()).toBe(keyValue(route.id, 'seed-2'));

  const { origin_key_seed: _, ...unlocked } = route;
  await edge.deploy(unlocked);
  await edge.request('locked.test', { headers: { 'Cordon-Origin-Key': 'forged' } });
  expect(shown()).toBeUndefined();
});

it('is another one for each domain, and in no log', async () => {
  edge.control.setSettings({ ...testSettings(), origin_key: KEY });
  const [one, two] = [locked('one.test', 'same'), locked('two.test', 'same')];
  await edge.deploy(one);
  await edge.deploy(two);
  await edge.request('one.test');
  const first = shown();
  await edge.request('two.test');
  expect(first).toBe(keyValue(one.id, 'same'));
  expect(shown()).not.toBe(first);
  await edge.control.row(({ host }) => host === 'two.test');
  expect(JSON.stringify(edge.control.rows)).not.toContain(first);
});

it('goes with websockets, limited requests and the other way of origins that send hints', async () => {
  for (const tier of ['vip', 'free'] as const) {
    const route = locked(`socket-${tier}.test`, 'seed', { tier });
    await edge.deploy(route);
    const headers = { host: `socket-${tier}.test`, 'Cordon-Origin-Key': 'forged' };
    const socket = new WebSocket(`ws://127.0.0.1:${edge.httpPort}/`, { headers });
    const upgrade = new Promise<string | undefined>((resolve) =>
      origin.server.once('upgrade', (request) => resolve(request.headers['cordon-origin-key'] as string | undefined)),
    );
    await new Promise((resolve) => socket.once('open', resolve));
    expect(await upgrade).toBe(keyValue(route.id, 'seed'));
    socket.close();
  }
  const limited = locked('counted.test', 'seed', {
    upstream: testUpstream([testTarget(origin.port)], { connection_limit: 3 }),
  });
  await edge.deploy(limited);
  await edge.request('counted.test');
  expect(shown()).toBe(keyValue(limited.id, 'seed'));

  const port = await freePort();
  await new Promise<void>((resolve) => hinting.listen(port, '127.0.0.1', resolve));
  const hintingRoute = locked('hinting.test', 'seed', { upstream: testUpstream([testTarget(port)]) });
  await edge.deploy(hintingRoute);
  expect((await edge.request('hinting.test')).status).toBe(307);
  await edge.request('hinting.test', { headers: { 'Cordon-Origin-Key': 'forged' } });
  const fields = hinted.at(-1)?.match(/^cordon-origin-key: .*$/gim);
  expect(fields).toEqual([`Cordon-Origin-Key: ${keyValue(hintingRoute.id, 'seed')}`]);
});
