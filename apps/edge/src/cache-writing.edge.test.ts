import { createHash, type Hash } from 'node:crypto';
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { type ClientRequest, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { slowdown } from '../../../tests/support/slowness.ts';
import { cachePlugin } from './testing/caching.ts';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** Copies of answers that turn out to be too large for the cache, whose objects may have a quarter of its 16 MiB. */
const HOST = 'written.test';
const MEGABYTE = 1024 * 1024;
const OBJECT_BYTES_MAX = 4 * MEGABYTE;

let edge: TestEdge;
let origin: TestOrigin;
/** Of what is asked for by now, newest last. */
const asked = new Map<string, { request: IncomingMessage; response: ServerResponse }[]>();
let count = 0;
const newPath = (kind: string) => `/${kind}-${++count}`;
const exchangesOf = (path: string) => asked.get(path) ?? [];

beforeAll(async () => {
  origin = await startOrigin((request, response) => {
    const path = request.url ?? '';
    asked.set(path, [...exchangesOf(path), { request, response }]);
    const [kind, size] = path.slice(1).split('-');
    const isShort = kind === 'short';
    response.setHeader('Cache-Control', isShort ? 'max-age=1, stale-while-revalidate=600' : 'max-age=600');
    if (kind === 'known') response.end('k'.repeat(OBJECT_BYTES_MAX + Number(size)));
    else if (kind === 'chunked') {
      for (let at = 0; at < 3; at++) response.write('c'.repeat(MEGABYTE));
      response.end();
    }
  });
  edge = await startEdge({
    routes: [
      testRoute({
        hosts: [HOST],
        // A slow machine takes its time between two parts of an answer.
        upstream: testUpstream([testTarget(origin.port)], { read_timeout_ms: 60_000 }),
        plugins: [cachePlugin('advance-proxy-cache')],
      }),
    ],
    environment: { CORDON_EDGE_CACHE_MB: '16' },
  });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

/** A visitor who reads as fast as it goes. */
interface Visitor {
  readonly call: ClientRequest;
  readonly cacheStatus: string;
  readonly hash: Hash;
  bytes: number;
  isWhole: boolean;
}

function visit(path: string): Promise<Visitor> {
  return new Promise((resolve, reject) => {
    const call = httpRequest(
      { host: '127.0.0.1', port: edge.httpPort, path, headers: { host: HOST }, agent: false },
      (response) => {
        const cacheStatus = String(response.headers['cache-status']);
        const visitor: Visitor = { call, cacheStatus, hash: createHash('sha256'), bytes: 0, isWhole: false };
        response.on('data', (part: Buffer) => {
          visitor.bytes += part.length;
          visitor.hash.update(part);
        });
        response.on('error', () => {});
        response.on('end', () => {
          visitor.isWhole = response.complete;
        });
        resolve(visitor);
      },
    );
    call.on('error', reject);
    call.end();
  });
}
const ended = (visitor: Visitor) => vi.waitFor(() => expect(visitor.isWhole).toBe(true), { timeout: 10_000 });

/** The answer of the origin to the newest request for the path, where the edge waits for `number` of them. */
const answering = (path: string, number = 1) =>
  vi.waitFor(
    () => {
      expect(exchangesOf(path)).toHaveLength(number);
      return exchangesOf(path)[number - 1] as { request: IncomingMessage; response: ServerResponse };
    },
    { timeout: 10_000 },
  );

/** Writes megabytes that differ from each other; the hash of all of them. */
function write(response: ServerResponse, megabytes: number, hash = createHash('sha256'), from = 0): Hash {
  for (let at = from; at < from + megabytes; at++) {
    const part = Buffer.alloc(MEGABYTE, `megabyte ${at} `);
    hash.update(part);
    response.write(part);
  }
  return hash;
}

/** Without a length. */
function endShort(response: ServerResponse): void {
  response.write('short');
  response.end();
}

const cacheDir = () => join(edge.dir, 'logs/cache/paid');
/** Copies that are being written, and bytes of what has no name any more and is held. */
const copies = (): Dirent[] =>
  readdirSync(cacheDir(), { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && /^[0-9a-f]{32}\.\d+$/.test(entry.name),
  );
const copiedBytes = () =>
  copies().reduce(
    (sum, { parentPath, name }) => sum + (statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );

describe('an answer whose length is known', () => {
  it('is stored up to a quarter of the space, and none that is longer', async () => {
    const fits = await visit('/known-0');
    await ended(fits);
    expect(fits.cacheStatus).toContain('stored');
    const tooLarge = await visit('/known-1');
    await ended(tooLarge);
    expect(tooLarge.cacheStatus).toContain('detail=too_large');
    expect(tooLarge.bytes).toBe(OBJECT_BYTES_MAX + 1);
  });
});

describe('an answer of unknown length', () => {
  it('is stored while it is no longer than that', async () => {
    const path = newPath('chunked');
    await ended(await visit(path));
    const again = await visit(path);
    await ended(again);
    expect(again.cacheStatus).toMatch(/hit/);
    expect(again.bytes).toBe(3 * MEGABYTE);
  });

  it('goes to its visitor whole and in order when it is longer, and its copy is written no further', async () => {
    const path = newPath('open');
    const visiting = visit(path);
    const { response } = await answering(path);
    const hash = write(response, 6);
    const visitor = await visiting;
    expect(visitor.cacheStatus).toContain('stored');
    await vi.waitFor(() => expect(copiedBytes()).toBeGreaterThan(OBJECT_BYTES_MAX), { timeout: 10_000 });
    // Who comes from now on is not made to wait for it, and gets an answer that is not written.
    const next = await vi.waitFor(
      async () => {
        const other = visit(path);
        const exchange = await answering(path, exchangesOf(path).length + 1);
        endShort(exchange.response);
        const answer = await other;
        expect(answer.cacheStatus).toContain('detail=too_large');
        return answer;
      },
      { timeout: 10_000, interval: 100 },
    );
    await ended(next);
    const before = copiedBytes();
    expect(before).toBeGreaterThan(OBJECT_BYTES_MAX);
    write(response, 20, hash, 6);
    // The last of it may wait for the end (docs/known-limits.md).
    await vi.waitFor(() => expect(visitor.bytes).toBeGreaterThan(25 * MEGABYTE), { timeout: 30_000 });
    expect(copiedBytes()).toBe(before);
    response.end();
    await ended(visitor);
    expect(visitor.hash.digest('hex')).toBe(hash.digest('hex'));
    await vi.waitFor(() => expect(copies()).toEqual([]), { timeout: 5000 });
  });

  it('so it does to a visitor who reads slowly', async () => {
    const path = newPath('open');
    const call = httpRequest({ host: '127.0.0.1', port: edge.httpPort, path, headers: { host: HOST }, agent: false });
    const answered = new Promise<IncomingMessage>((resolve) => call.on('response', resolve));
    call.end();
    const { response } = await answering(path);
    const hash = write(response, 16);
    const incoming = await answered;
    incoming.pause();
    await vi.waitFor(() => expect(copiedBytes()).toBeGreaterThan(OBJECT_BYTES_MAX), { timeout: 10_000 });
    // Until it is given up, and more is not taken from the origin than the visitor reads.
    await vi.waitFor(
      async () => {
        const before = copiedBytes();
        write(response, 1, hash, 0);
        await new Promise((resolve) => setTimeout(resolve, 300));
        expect(copiedBytes()).toBe(before);
      },
      { timeout: 10_000 },
    );
    const received = createHash('sha256');
    incoming.on('data', (part: Buffer) => received.update(part));
    incoming.resume();
    response.end();
    await new Promise((resolve) => incoming.once('end', resolve));
    expect(received.digest('hex')).toBe(hash.digest('hex'));
    await vi.waitFor(() => expect(copies()).toEqual([]), { timeout: 5000 });
  });

  it('is not fetched on, longer than that, when its visitor has left', async () => {
    const path = newPath('open');
    const visiting = visit(path);
    const { request, response } = await answering(path);
    let isClosed = false;
    request.socket.on('close', () => {
      isClosed = true;
    });
    write(response, 1);
    const visitor = await visiting;
    visitor.call.on('error', () => {});
    visitor.call.destroy();
    // What may be short enough is fetched to its end.
    for (let at = 0; at < 2; at++) {
      await new Promise((resolve) => setTimeout(resolve, 300));
      write(response, 1);
    }
    expect(isClosed).toBe(false);
    await vi.waitFor(
      () => {
        write(response, 1);
        expect(isClosed).toBe(true);
      },
      { timeout: 10_000, interval: 100 },
    );
    await vi.waitFor(() => expect(copies()).toEqual([]), { timeout: 5000 });
  });

  it('makes nobody wait who has come before it was known to be longer', async () => {
    const path = newPath('open');
    const first = visit(path);
    const { response } = await answering(path);
    write(response, 1);
    const leader = await first;
    const began = Date.now();
    const second = visit(path);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(exchangesOf(path)).toHaveLength(1);
    write(response, 5);
    const exchange = await answering(path, 2);
    endShort(exchange.response);
    const waited = await second;
    await ended(waited);
    expect(waited.cacheStatus).toContain('detail=too_large');
    expect((Date.now() - began) / slowdown()).toBeLessThan(5000);
    response.end();
    await ended(leader);
  });

  it('so it is in the background, while what is stale serves', async () => {
    const path = newPath('short');
    const first = visit(path);
    (await answering(path)).response.end('as it was');
    await ended(await first);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const stale = await visit(path);
    const { request, response } = await answering(path, 2);
    let isClosed = false;
    request.socket.on('close', () => {
      isClosed = true;
    });
    await vi.waitFor(
      () => {
        write(response, 1);
        expect(isClosed).toBe(true);
      },
      { timeout: 10_000, interval: 50 },
    );
    await ended(stale);
    expect(stale.bytes).toBe('as it was'.length);
    await vi.waitFor(() => expect(copies()).toEqual([]), { timeout: 5000 });
    const still = await visit(path);
    expect(still.cacheStatus).toContain('hit');
  });

  it('takes no more of the disk where many ask for what has no end at once', async () => {
    const paths = Array.from({ length: 8 }, () => newPath('open'));
    const visitors = await Promise.all(
      paths.map(async (path) => {
        const visiting = visit(path);
        const { response } = await answering(path);
        write(response, 1);
        return { visitor: await visiting, response };
      }),
    );
    await vi.waitFor(
      async () => {
        const before = copiedBytes();
        for (const { response } of visitors) write(response, 1);
        await new Promise((resolve) => setTimeout(resolve, 300));
        expect(copiedBytes()).toBe(before);
      },
      { timeout: 10_000 },
    );
    // For each of two workers, and what comes until they look.
    expect(copiedBytes()).toBeLessThan(8 * OBJECT_BYTES_MAX);
    for (const { response } of visitors) response.end();
    await Promise.all(visitors.map(({ visitor }) => ended(visitor)));
    await vi.waitFor(() => expect(copies()).toEqual([]), { timeout: 5000 });
  });

  it('nginx is as known', () => {
    expect(edge.stderr).not.toContain('nginx is not as known');
  });
});
