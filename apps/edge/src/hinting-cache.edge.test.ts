import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { cachePlugin } from './testing/caching.ts';
import { freePort } from './testing/ports.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** The cache of domains whose origins send Early Hints (RFC 8297): as that of others, though nginx cannot read what they answer. */

const HOST = 'hinting.test';
/** Its keys have nothing of the query, and its large files come in slices, since it obeys no directives of requests. */
const UNQUERIED = 'unqueried.test';
let server: Server;
let edge: TestEdge;
const held = new Set<Socket>();
const asked: string[] = [];
const targets: string[] = [];
/** What is answered, by path: status line, fields, body. */
const answers = new Map<string, (head: string, count: number) => string | Buffer>();

const answer = (status: string, fields: string, body: string | Buffer = '') =>
  Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status}\r\n${fields}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n`),
    Buffer.from(body),
  ]);

beforeAll(async () => {
  server = createServer((socket) => {
    held.add(socket.on('error', () => {}));
    socket.once('data', (data) => {
      const head = data.toString('latin1');
      const target = head.split(' ')[1] ?? '';
      const path = target.split('?')[0] as string;
      targets.push(target);
      asked.push(path);
      socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n');
      const count = asked.filter((one) => one === path).length;
      socket.end(
        answers.get(path)?.(head, count) ?? answer('200 OK', 'Cache-Control: max-age=60\r\n', `answer ${count}`),
      );
    });
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  edge = await startEdge({
    routes: [
      testRoute({
        hosts: [HOST],
        upstream: testUpstream([testTarget(port)]),
        plugins: [cachePlugin('advance-proxy-cache', { enable_cache_control: true, content_type: [] })],
      }),
      testRoute({
        hosts: [UNQUERIED],
        upstream: testUpstream([testTarget(port)]),
        plugins: [cachePlugin('advance-proxy-cache', { key: { query: 'none' } })],
      }),
    ],
  });
  // The first ones are led round: by now the node knows.
  for (const host of [HOST, UNQUERIED])
    for (let round = 0; round < 3; round++) await edge.request(host, { path: '/known' });
});
afterAll(async () => {
  await edge?.stop();
  for (const socket of held) socket.destroy();
  server?.close();
});

const statusOf = async (path: string, headers: Record<string, string> = {}) => {
  const got = await edge.request(HOST, { path, headers });
  await delay(80);
  return String(got.headers['cache-status']);
};

describe('of an origin that sends hints', () => {
  it('RFC 9111 2: what is left out of the key reaches it no more than others', async () => {
    for (let round = 0; round < 2; round++) {
      const got = await edge.request(UNQUERIED, { path: '/left-out?callback=evil' });
      expect(got.status).toBe(200);
      await delay(80);
    }
    expect(targets.filter((target) => target.startsWith('/left-out'))).toEqual(['/left-out']);
  });

  it('large bodies come whole, and are kept whole', async () => {
    const body = 'x'.repeat(5 * 1024 * 1024);
    answers.set('/large', () => answer('200 OK', 'Cache-Control: max-age=60\r\nContent-Type: text/css\r\n', body));
    for (let round = 0; round < 2; round++)
      expect((await edge.request(HOST, { path: '/large' })).body).toHaveLength(body.length);
    expect(asked.filter((path) => path === '/large')).toHaveLength(1);
  });

  it('a part of a file without a validator is answered, and the file comes as a whole from then on', async () => {
    const ranges: (string | undefined)[] = [];
    answers.set('/film.mp4', (head) => {
      const range = /\r\nrange: (.*)\r\n/i.exec(head)?.[1];
      ranges.push(range);
      return range === undefined
        ? answer('200 OK', 'Cache-Control: max-age=60\r\nContent-Type: video/mp4\r\n', '0123456789'.repeat(10))
        : answer('206 Partial Content', 'Content-Range: bytes 0-9/100\r\n', 'x'.repeat(10));
    });
    const part = async (range: string) => {
      const got = await edge.request(UNQUERIED, { path: '/film.mp4', headers: { Range: range } });
      return [got.status, got.headers['content-range'], got.body];
    };
    expect(await part('bytes=12-14')).toEqual([206, 'bytes 12-14/100', '234']);
    await vi.waitFor(
      async () =>
        expect((await edge.request(UNQUERIED, { path: '/film.mp4' })).headers['cache-status']).toContain('hit'),
      { timeout: 10_000 },
    );
    expect(await part('bytes=-1')).toEqual([206, 'bytes 99-99/100', '9']);
    expect(ranges).toEqual(['bytes=0-4194303', undefined]);
    expect(edge.errorLog).not.toContain('exited on signal');
  });

  it('what is stale serves where the request takes it and the origin fails', async () => {
    answers.set('/failing', (_, count) =>
      count === 1
        ? answer('200 OK', 'Cache-Control: max-age=1, stale-if-error=0\r\n', 'kept')
        : answer('503 Service Unavailable', '', 'down'),
    );
    await statusOf('/failing');
    await delay(2_100);
    const got = await edge.request(HOST, { path: '/failing', headers: { 'Cache-Control': 'stale-if-error=60' } });
    expect(got).toMatchObject({ status: 200, body: 'kept' });
    expect(edge.errorLog).not.toContain('exited on signal');
  });

  it.each(['POST', 'PUT', 'DELETE'])('RFC 9111 4.4: %s invalidates its URL', async (method) => {
    const path = `/changed-${method}`;
    await statusOf(path);
    expect(await statusOf(path)).toContain('hit');
    await edge.request(HOST, { path, method });
    expect(await statusOf(path)).toContain('uri-miss');
  });

  it('conditions are the origin’s to judge, and what it says is not judged once more', async () => {
    answers.set('/edited', () => answer('200 OK', 'ETag: "new"\r\n', 'edited'));
    for (const headers of [{ 'If-Match': '"old"' }, { 'If-None-Match': '*' }] as Record<string, string>[])
      expect(await edge.request(HOST, { path: '/edited', method: 'PUT', headers })).toMatchObject({
        status: 200,
        body: 'edited',
      });
  });

  it('a validation that is answered with another body brings that', async () => {
    answers.set('/validated', (_, count) =>
      answer('200 OK', 'Cache-Control: max-age=1\r\nETag: "same"\r\n', `body ${count}`),
    );
    await statusOf('/validated');
    await delay(2_100);
    expect((await edge.request(HOST, { path: '/validated' })).body).toBe('body 2');
  });

  it('a validation keeps what is stored, also without Date', async () => {
    answers.set('/fresh', (_, count) =>
      count === 1
        ? answer(
            '200 OK',
            'Cache-Control: max-age=1\r\nETag: "v"\r\nDate: Sun, 01 Nov 2026 00:00:00 GMT\r\nAge: 0\r\n',
            'kept',
          )
        : answer('304 Not Modified', 'Cache-Control: max-age=60\r\nETag: "v"\r\n'),
    );
    await statusOf('/fresh');
    expect(await statusOf('/fresh')).toMatch(/fwd=stale; fwd-status=304; stored; ttl=(60|59)/);
    expect(await statusOf('/fresh')).toContain('hit');
    expect(asked.filter((path) => path === '/fresh')).toHaveLength(2);
  });

  it('what has no type is given none, and is not kept under the name of a file', async () => {
    answers.set('/account/x.css', () => answer('200 OK', 'Cache-Control: max-age=60\r\n', 'mine'));
    for (let round = 0; round < 2; round++) {
      const got = await edge.request(HOST, { path: '/account/x.css' });
      expect(got.headers['content-type']).toBeUndefined();
      expect(got.headers['cache-status']).toContain('type_mismatch');
    }
  });
});
