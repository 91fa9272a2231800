import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { UNWELCOME, visitorAddress } from './addresses.ts';
import { type DemoOrigin, startDemoOrigin } from './origin.ts';

let origin: DemoOrigin;
const at = (path: string) => `http://${origin.address}${path}`;

beforeAll(async () => {
  origin = await startDemoOrigin(0);
});

afterAll(() => origin.close());

it('tells what it received', async () => {
  const res = await fetch(at('/echo?a=1'), { method: 'PUT', body: 'hello', headers: { 'X-One': 'two' } });
  const request = (await res.json()) as { headers: [string, string][] };
  expect(request).toMatchObject({ method: 'PUT', path: '/echo', query: 'a=1', body: 'hello', body_bytes: 5 });
  expect(request.headers).toContainEqual(['X-One', 'two']);
});

it('answers the status, the number of bytes and the upload it is asked for', async () => {
  for (const status of [204, 404, 503]) expect((await fetch(at(`/status/${status}`))).status).toBe(status);
  expect((await (await fetch(at('/bytes/1000003'))).arrayBuffer()).byteLength).toBe(1_000_003);
  const uploaded = await fetch(at('/upload'), { method: 'POST', body: Buffer.alloc(70_000) });
  expect(await uploaded.json()).toEqual({ method: 'POST', received: 70_000 });
  expect((await fetch(at('/status/99'))).status).toBe(400);
});

it('has pages, revalidated by their tag', async () => {
  const page = await fetch(at('/products'));
  expect(page.headers.get('content-type')).toContain('text/html');
  const again = await fetch(at('/products'), { headers: { 'If-None-Match': page.headers.get('etag') ?? '' } });
  expect(again.status).toBe(304);
  expect((await fetch(at('/no-such-page'))).status).toBe(404);
});

it('echoes over a websocket', async () => {
  const socket = new WebSocket(`ws://${origin.address}/ws`);
  const echoed = await new Promise<string>((resolve, reject) => {
    socket.on('open', () => socket.send('over there'));
    socket.on('message', (data) => resolve(String(data)));
    socket.on('error', reject);
  });
  socket.close();
  expect(echoed).toBe('over there');
});

it('draws visitors from everywhere, and a few from the refused ranges', () => {
  let seed = 1;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const drawn = Array.from({ length: 2000 }, () => visitorAddress(random, 10));
  const prefixes = UNWELCOME.map((range) => range.replace('0/24', ''));
  const unwelcome = drawn.filter((address) => prefixes.some((prefix) => address.startsWith(prefix)));
  expect(unwelcome.length).toBeGreaterThan(120);
  expect(unwelcome.length).toBeLessThan(280);
  expect(new Set(drawn.map((address) => address.split(/[.:]/)[0])).size).toBeGreaterThan(20);
});
