import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cachePlugin } from './testing/caching.ts';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** Visitors who ask for what the fetching server sends of the cache, and read none of it: what they hold of a node's memory has a bound. */
const HOST = 'unread.test';
const BODY = Buffer.alloc(8 * 1024 * 1024 - 8192, 'x');
const VISITORS = 40;
const GROWTH_MAX = 200 * 1024 * 1024;

let origin: TestOrigin;
let edge: TestEdge;
let answers = 0;
const visitors: Socket[] = [];

beforeAll(async () => {
  origin = await startOrigin((request, response) => {
    const seconds = request.url === '/fresh' ? 3600 : 1;
    const fields = {
      'content-type': 'image/png',
      'cache-control': `max-age=${seconds}, stale-if-error=0`,
      etag: '"same"',
    };
    answers++;
    const isValidation = request.headers['if-none-match'] !== undefined;
    const status = isValidation ? (request.url === '/failing' ? 503 : 304) : 200;
    response.writeHead(status, { ...fields, 'x-answer': String(answers) });
    response.end(status === 200 ? BODY : undefined);
  });
  edge = await startEdge({
    routes: [
      testRoute({
        hosts: [HOST],
        upstream: testUpstream([testTarget(origin.port)]),
        plugins: [cachePlugin('advance-proxy-cache', { enable_cache_control: true, content_type: [] })],
      }),
    ],
  });
});
afterAll(async () => {
  for (const visitor of visitors) visitor.destroy();
  await edge?.stop();
  await origin?.stop();
});

/** Of all workers. */
function bytesHeld(): number {
  const sizes = execFileSync('ps', ['--ppid', String(edge.nginxPid), '-o', 'rss=']).toString();
  return (
    1024 *
    sizes
      .trim()
      .split(/\s+/)
      .map(Number)
      .reduce((sum, kilobytes) => sum + kilobytes, 0)
  );
}

function visit(path: string, cacheControl: string): Socket {
  const visitor = connect(edge.httpPort, '127.0.0.1').on('error', () => {});
  visitor.write(`GET ${path} HTTP/1.1\r\nHost: ${HOST}\r\nCache-Control: ${cacheControl}\r\nConnection: close\r\n\r\n`);
  visitors.push(visitor);
  return visitor;
}

async function readAll(visitor: Socket): Promise<string> {
  let text = '';
  for await (const part of visitor) text += (part as Buffer).toString('latin1');
  return text;
}

/** Without the sizes between them, where it comes in chunks. */
function bodyOf(text: string): string {
  const start = text.indexOf('\r\n\r\n') + 4;
  if (!/^transfer-encoding: chunked\r$/im.test(text.slice(0, start))) return text.slice(start);
  let body = '';
  for (let at = start; ; ) {
    const end = text.indexOf('\r\n', at);
    const bytes = Number.parseInt(text.slice(at, end), 16);
    if (!(bytes > 0)) return body;
    body += text.slice(end + 2, end + 2 + bytes);
    at = end + 4 + bytes;
  }
}

it.each([
  ['a validation of what is fresh', '/fresh', 'no-cache, no-store'],
  ['what is stale and may serve', '/stale', 'max-stale'],
  ['what is stale while its origin fails', '/failing', 'stale-if-error=600'],
])('%s', async (_, path, cacheControl) => {
  const stored = await edge.request(HOST, { path });
  expect(stored.body).toHaveLength(BODY.length);
  await delay(2_100);
  const before = bytesHeld();
  const group = Array.from({ length: VISITORS }, () => visit(path, cacheControl));
  await Promise.all(group.map((visitor) => once(visitor, 'readable')));
  const growth = bytesHeld() - before;
  expect(growth).toBeLessThan(GROWTH_MAX);
  for (const visitor of group.slice(1)) visitor.destroy();
  const text = await readAll(group[0] as Socket);
  expect(text).toMatch(/^HTTP\/1.1 200 /);
  expect(bodyOf(text)).toHaveLength(BODY.length);
});
