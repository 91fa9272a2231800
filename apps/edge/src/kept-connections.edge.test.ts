import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { cachePlugin } from './testing/caching.ts';
import { type RawOrigin, rawAnswer, startRawOrigin } from './testing/raw-origin.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/**
 * A visitor's connection stays open behind every answer that says so (RFC 9112 9.3), also where it has taken the place of one that the
 * edge gave up: a client sends a POST on it, and would not know whether that has come.
 */
const CACHED = 'kept.test';
const UNCACHED = 'kept-uncached.test';
const HINTING = 'kept-hinting.test';

let origin: RawOrigin;
let edge: TestEdge;
const asked = new Map<string, number>();

function respond(socket: Socket, path: string): void {
  const count = (asked.get(path) ?? 0) + 1;
  asked.set(path, count);
  if (path.startsWith('/hint')) socket.end(`HTTP/1.1 103 Early Hints\r\n\r\n${rawAnswer('', 'page')}`);
  else if (path.startsWith('/broken') || (path.startsWith('/stale') && count > 1)) socket.destroy();
  else if (path.startsWith('/slow'))
    setTimeout(() => socket.end(rawAnswer('Cache-Control: max-age=60\r\n', 'slow')), 300);
  else if (path.startsWith('/stale')) socket.end(rawAnswer('Cache-Control: max-age=1, must-revalidate\r\n', 'stale'));
  else socket.end(rawAnswer('Cache-Control: no-store\r\n', 'page'));
}

beforeAll(async () => {
  origin = await startRawOrigin(respond);
  const upstream = testUpstream([testTarget(origin.port)]);
  edge = await startEdge({
    workers: 2,
    routes: [
      testRoute({ hosts: [CACHED], upstream, plugins: [cachePlugin('advance-proxy-cache', {})] }),
      testRoute({ hosts: [UNCACHED], upstream }),
      testRoute({ hosts: [HINTING], upstream, plugins: [cachePlugin('advance-proxy-cache', {})] }),
    ],
  });
}, 60_000);
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

/** Requests on one connection. */
class Connection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #host: string;
  constructor(host: string) {
    this.#host = host;
  }
  send(path: string, method = 'GET'): Promise<{ status: number; said: string; isReused: boolean }> {
    return new Promise((resolve, reject) => {
      const sent = request(
        { host: '127.0.0.1', port: edge.httpPort, path, method, headers: { host: this.#host }, agent: this.#agent },
        (got) => {
          got.resume();
          got.on('error', reject);
          got.on('end', () =>
            resolve({ status: got.statusCode ?? 0, said: String(got.headers.connection), isReused: sent.reusedSocket }),
          );
        },
      );
      sent.on('error', reject);
      sent.end(method === 'POST' ? 'x' : undefined);
    });
  }
  close(): void {
    this.#agent.destroy();
  }
}

/** What came of requests, of which the last is one that a client does not send again. */
async function visit(host: string, paths: readonly string[], method = 'GET') {
  const connection = new Connection(host);
  const seen = [];
  for (const path of paths) {
    if (seen.length > 0) await delay(1300);
    seen.push(await connection.send(path, method));
  }
  // nginx ends one just after the answer.
  await delay(20);
  const last = await connection.send('/', 'POST');
  connection.close();
  return { statuses: seen.map(({ status }) => status), said: seen.at(-1)?.said, last };
}

const KEPT = { status: 200, isReused: true };
let number = 0;
const newPath = (kind: string) => `/${kind}-${++number}`;

describe.each([CACHED, UNCACHED])('RFC 9112 9.3: at %s a connection outlives', (host) => {
  it.each(['GET', 'HEAD'])('the page in place of an answer that does not come, %s', async (method) => {
    expect(await visit(host, [newPath('broken')], method)).toMatchObject({
      ...{ statuses: [502], said: 'keep-alive', last: KEPT },
    });
  });

  it('the same in place of what is stored and must be validated', async () => {
    const path = newPath('stale');
    expect(await visit(host, [path, path])).toMatchObject({ statuses: [200, 502], said: 'keep-alive', last: KEPT });
  });

  it('an answer for which another request was waited for', async () => {
    const path = newPath('slow');
    const all = await Promise.all(Array.from({ length: 12 }, () => visit(host, [path])));
    for (const one of all) expect(one).toMatchObject({ statuses: [200], said: 'keep-alive', last: KEPT });
  });
});

it('and the redirect of who is the first to meet Early Hints', async () => {
  // The fetching server knows from the first one on.
  expect(await visit(UNCACHED, [newPath('hint')])).toMatchObject({ statuses: [307], said: 'keep-alive', last: KEPT });
  expect(await visit(HINTING, [newPath('hint')])).toMatchObject({ statuses: [200], said: 'keep-alive', last: KEPT });
});

it('nothing of what was given up stays, however much there was, and no worker ends', async () => {
  const workers = () => readFileSync(`/proc/${edge.nginxPid}/task/${edge.nginxPid}/children`, 'utf8').trim().split(' ');
  const open = () => workers().reduce((count, pid) => count + readdirSync(`/proc/${pid}/fd`).length, 0);
  const [pids, before] = [workers(), open()];
  for (let round = 0; round < 5; round++) {
    const connections = Array.from({ length: 20 }, () => new Connection(CACHED));
    for (let at = 0; at < 5; at++) {
      const slow = newPath('slow');
      await Promise.all(
        connections.map((connection, which) => connection.send(which % 2 === 0 ? newPath('broken') : slow)),
      );
    }
    for (const connection of connections) connection.close();
  }
  // Cached files stay open for a while, one for each of the slow ones.
  await vi.waitFor(() => expect(open()).toBeLessThanOrEqual(before + 2 * 25 + 10), { timeout: 10_000 });
  expect(workers()).toEqual(pids);
});

it('over HTTP/2 other streams of a connection go on beside such a page', async () => {
  const session = connectHttp2(`https://127.0.0.1:${edge.httpsPort}`, {
    rejectUnauthorized: false,
    servername: CACHED,
  });
  const get = (path: string) =>
    new Promise<number>((resolve, reject) => {
      const stream = session.request({ ':path': path, ':authority': CACHED });
      let status = 0;
      stream.on('response', (got) => {
        status = Number(got[':status']);
      });
      stream.on('error', reject);
      stream.on('end', () => resolve(status));
      stream.resume();
    });
  const slow = newPath('slow');
  const paths = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? newPath('broken') : slow));
  const statuses = await Promise.all(paths.map(get));
  expect(statuses).toEqual(paths.map((path) => (path === slow ? 200 : 502)));
  expect(await get('/')).toBe(200);
  expect(session.destroyed).toBe(false);
  session.close();
});
