import { statSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { EdgeRoute } from '@cordon/contract/edge-config';
import { METHOD_OVERRIDE_FIELDS, ORIGIN_CONDITION_FIELDS } from '@cordon/plugin-kit/shared-cache';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { slowdown } from '../../../tests/support/slowness.ts';
import { adminSocketIn, fetchSocketIn } from './agent/run-dir.ts';
import { cachePlugin } from './testing/caching.ts';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { freePort, releasePort } from './testing/ports.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { type EdgeAnswer, type EdgeRequestOptions, startEdge, type TestEdge } from './testing/start-edge.ts';

/** What the origin does with a request, by path; `count` of the requests for it so far, this one included. */
type Behaviour = (
  count: number,
  fields: Readonly<Record<string, string | string[] | undefined>>,
) => {
  status?: number;
  headers?: Readonly<Record<string, string | string[] | undefined>>;
  body?: string;
  delayMs?: number;
  drop?: boolean;
  /** Without Content-Length. */
  isChunked?: boolean;
};

const HOST = 'cached.test';
let origin: TestOrigin;
let edge: TestEdge;
let route: EdgeRoute;
let keyedId = '';
const behaviours = new Map<string, Behaviour>();
const counts = new Map<string, number>();

const pathOf = (url = '') => url.split('?')[0] as string;
const asked = (path: string) => counts.get(path) ?? 0;

let paths = 0;
/** A path of its own for a test. */
function serve(behaviour: Behaviour): string {
  const path = `/object-${++paths}`;
  behaviours.set(path, behaviour);
  return path;
}
/** nginx puts an answer in its place just after the visitor has the last of it. */
const STORING_MS = 80;
async function get(
  path: string,
  { host = HOST, ...options }: EdgeRequestOptions & { host?: string } = {},
): Promise<EdgeAnswer> {
  const answer = await edge.request(host, { path, ...options });
  if (statusOf(answer).includes('stored')) await delay(STORING_MS);
  return answer;
}
const statusOf = (answer: EdgeAnswer) => String(answer.headers['cache-status']);

/** As the agent does. */
async function clear(kind: string, value: string, soft = false, routeId = route.id): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const call = httpRequest(
      { socketPath: adminSocketIn(edge.runDir), path: '/clears', method: 'POST' },
      (response) => {
        let body = '';
        response.on('data', (part) => {
          body += part;
        });
        response.on('end', () =>
          response.statusCode === 200 && JSON.parse(body).error === '' ? resolve() : reject(new Error(body)),
        );
      },
    );
    call.on('error', reject);
    call.end(JSON.stringify({ route_id: routeId, kind, value, soft }));
  });
}

async function killNginx(): Promise<void> {
  const former = edge.nginxPid;
  process.kill(former, 'SIGKILL');
  await vi.waitFor(() => expect(edge.nginxPid).not.toBe(former), { timeout: 10_000 });
  await edge.ready();
}

const JOURNAL_BYTES = 20_000;

/** Of its own free plan, with a part of the query in its keys. */
const KEYED = 'keyed.test';
/** Has directives of its own in place of its origin's. */
const DIRECTED = 'directed.test';
/** Obeys directives of requests. */
const OBEYING = 'obeying.test';

beforeAll(async () => {
  origin = await startOrigin((request, response) => {
    const path = pathOf(request.url);
    const count = asked(path) + 1;
    counts.set(path, count);
    const {
      status = 200,
      headers = {},
      body,
      delayMs = 0,
      drop,
      isChunked,
    } = behaviours.get(path)?.(count, request.headers) ?? {};
    setTimeout(() => {
      if (drop) request.socket.destroy();
      else {
        const text = status === 304 || request.method === 'HEAD' ? '' : (body ?? `answer ${count}`);
        const length = status === 304 || isChunked ? {} : { 'Content-Length': text.length };
        response.writeHead(status, { ...length, ...headers });
        response.end(text);
      }
    }, delayMs);
  });
  route = testRoute({
    hosts: [HOST],
    upstream: testUpstream([testTarget(origin.port)]),
    plugins: [cachePlugin('advance-proxy-cache', { cache_reusable: false })],
  });
  const keyed = testRoute({
    hosts: [KEYED],
    tier: 'free',
    upstream: testUpstream([testTarget(origin.port)]),
    plugins: [
      cachePlugin('advance-proxy-cache', {
        key: {
          query: 'except',
          query_names: ['utm_source'],
          sort_query: true,
          by_device: true,
          languages: ['en', 'zh-CN'],
        },
      }),
    ],
  });
  keyedId = keyed.id;
  const obeying = testRoute({
    hosts: [OBEYING],
    upstream: testUpstream([testTarget(origin.port)]),
    plugins: [cachePlugin('advance-proxy-cache', { enable_cache_control: true, cache_reusable: false })],
  });
  const directed = testRoute({
    hosts: [DIRECTED],
    upstream: testUpstream([testTarget(origin.port)]),
    plugins: [
      cachePlugin('proxy-cache', {
        ...{ cache_paths: ['/'], cache_control: ['max-age=100'], cache_control_response_override: true },
      }),
    ],
  });
  edge = await startEdge({
    routes: [route, keyed, obeying, directed],
    environment: { CORDON_EDGE_LIMITS: JSON.stringify({ journal_bytes: JOURNAL_BYTES }) },
  });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

describe('storing and using', () => {
  it('RFC 9111 4: answers from what is stored, with its Age and lifetime', async () => {
    const path = serve(() => ({ headers: { 'Cache-Control': 'max-age=60', 'X-Own': 'yes' } }));
    const first = await get(path);
    const second = await get(path);
    expect(asked(path)).toBe(1);
    expect(statusOf(first)).toMatch(/^Cordon; fwd=uri-miss; fwd-status=200; stored; ttl=(60|5\d)$/);
    expect(statusOf(second)).toMatch(/^Cordon; hit; ttl=(60|5\d)$/);
    expect(second).toMatchObject({ body: first.body, headers: { 'cache-control': 'max-age=60', 'x-own': 'yes' } });
    expect(second.headers.age).toMatch(/^[01]$/);
    for (const name of Object.keys(second.headers)) expect(name).not.toMatch(/^(cordon|x-accel)-/);
  });

  it('RFC 9111 5.1: what is not stored has no Age but that of its origin, however old its Date is', async () => {
    const fields = { 'Cache-Control': 'no-store', Date: new Date(Date.now() - 300_000).toUTCString() };
    expect((await get(serve(() => ({ headers: fields })))).headers.age).toBeUndefined();
    const aged = await get(serve(() => ({ headers: { ...fields, Age: '20' } })));
    expect(Number(aged.headers.age)).toBeGreaterThanOrEqual(20);
    const wrong = await get(serve(() => ({ headers: { ...fields, Age: '-5' } })));
    expect(wrong.headers.age).toBeUndefined();
    const ancient = await get(serve(() => ({ headers: { ...fields, Age: '99999999999999' } })));
    expect(ancient.headers.age).toBe('2147483648');
  });

  it('RFC 9111 5.2.2.5: keeps nothing that is not to be stored', async () => {
    const path = serve(() => ({ headers: { 'Cache-Control': 'no-store' } }));
    expect(statusOf(await get(path))).toBe('Cordon; fwd=uri-miss; fwd-status=200; detail=no_store');
    await get(path);
    expect(asked(path)).toBe(2);
  });

  it('RFC 9111 4.1: keeps an answer for each value of the fields that Vary names', async () => {
    const path = serve((_, fields) => ({
      headers: { 'Cache-Control': 'max-age=60', Vary: 'X-Kind, Accept-Encoding' },
      body: `for ${fields['x-kind']}`,
    }));
    for (let round = 0; round < 2; round++)
      for (const kind of ['a', 'b']) {
        const answer = await get(path, { headers: { 'X-Kind': kind } });
        expect(answer).toMatchObject({ body: `for ${kind}`, headers: { vary: 'X-Kind, Accept-Encoding' } });
      }
    expect(asked(path)).toBe(2);
  });

  it('RFC 9110 9.3.2: answers HEAD with what is stored of GET', async () => {
    const path = serve(() => ({ headers: { 'Cache-Control': 'max-age=60' }, body: 'twelve bytes' }));
    await get(path);
    const head = await get(path, { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, body: '', headers: { 'content-length': '12' } });
    expect(asked(path)).toBe(1);
  });

  it('RFC 9110 14.2: answers ranges of what is stored', async () => {
    const path = serve(() => ({ headers: { 'Cache-Control': 'max-age=60', ETag: '"v1"' }, body: '0123456789' }));
    await get(path);
    const part = await get(path, { headers: { Range: 'bytes=2-4' } });
    expect(part).toMatchObject({ status: 206, body: '234', headers: { 'content-range': 'bytes 2-4/10' } });
    expect(asked(path)).toBe(1);
  });

  it.each([
    ['of unknown length', {}, {}, true],
    ['that the edge has compressed', { 'Content-Type': 'text/css' }, { 'Accept-Encoding': 'gzip' }, false],
  ] as const)(
    'RFC 9110 14.2, 9.3.2: answers a part, and HEAD, of what is stored %s',
    async (_, fields, asking, isPlain) => {
      const body = 'abcdefghij'.repeat(isPlain ? 1 : 500);
      const path = serve(() => ({ headers: { 'Cache-Control': 'max-age=60', ...fields }, body, isChunked: true }));
      await get(path, { headers: asking });
      const whole = await get(path, { headers: asking });
      expect(statusOf(whole)).toContain('hit');
      const length = Buffer.byteLength(whole.body, 'latin1');
      const head = await get(path, { method: 'HEAD', headers: asking });
      const size = Number(head.headers['content-length']);
      expect(size).toBeGreaterThan(0);
      expect(isPlain ? size === length : size < body.length).toBe(true);
      const part = await get(path, { headers: { ...asking, Range: 'bytes=2-4' } });
      expect(part).toMatchObject({
        status: 206,
        headers: { 'content-range': `bytes 2-4/${size}`, 'content-length': '3' },
      });
      expect((await get(path, { headers: { ...asking, Range: `bytes=${size}-` } })).status).toBe(416);
      expect(asked(path)).toBe(1);
    },
  );

  it('RFC 9110 14.2, 9.3.2: answers a part, and HEAD, of what is of unknown length and was validated for this visitor', async () => {
    const headers = { 'Cache-Control': 'max-age=60', ETag: '"a"' };
    const path = serve((_, fields) =>
      fields['if-none-match'] === '"a"' ? { status: 304, headers } : { headers, body: 'abcdefghij', isChunked: true },
    );
    await get(path, { host: OBEYING });
    expect(statusOf(await get(path, { host: OBEYING }))).toContain('hit');
    const asking = { 'Cache-Control': 'no-cache' };
    const part = await get(path, { host: OBEYING, headers: { ...asking, Range: 'bytes=2-4' } });
    expect(statusOf(part)).toContain('fwd=request; fwd-status=304');
    expect(part).toMatchObject({ status: 206, body: 'cde', headers: { 'content-range': 'bytes 2-4/10' } });
    const head = await get(path, { host: OBEYING, method: 'HEAD', headers: asking });
    expect(statusOf(head)).toContain('fwd=request; fwd-status=304');
    expect(head.headers['content-length']).toBe('10');
  });

  it.each(['private', 'no-store', 'max-age=60, private="X-Other"'])(
    'RFC 9111 4.3.2: a condition is judged against the answer, also where that is not stored: %s',
    async (control) => {
      const headers = {
        'Cache-Control': control,
        'Set-Cookie': 'a=b',
        ETag: 'W/"v1"',
        'Last-Modified': 'Tue, 10 Nov 2026 00:00:00 GMT',
      };
      const path = serve(() => ({ headers, body: 'page' }));
      const asks = async (fields: Record<string, string>) => {
        const { status, body, headers: got } = await get(path, { headers: fields });
        return [status, body, got.etag];
      };
      const [same, other] = [
        [304, '', 'W/"v1"'],
        [200, 'page', 'W/"v1"'],
      ];
      expect(await asks({ 'If-None-Match': '"v0", "v1"' })).toEqual(same);
      expect(await asks({ 'If-None-Match': '"v0"' })).toEqual(other);
      expect(await asks({ 'If-Modified-Since': 'Tue, 10 Nov 2026 00:00:00 GMT' })).toEqual(same);
      expect(await asks({ 'If-Modified-Since': 'Mon, 09 Nov 2026 00:00:00 GMT' })).toEqual(other);
      expect(await asks({ 'If-None-Match': '"v0"', 'If-Modified-Since': 'Wed, 11 Nov 2026 00:00:00 GMT' })).toEqual(
        other,
      );
      expect(await asks({})).toEqual(other);
    },
  );

  it('RFC 9110 13.1.2: answers conditional requests itself; If-Modified-Since counts for nothing beside If-None-Match', async () => {
    const path = serve(() => ({
      headers: { 'Cache-Control': 'max-age=60', ETag: '"v1"', 'Last-Modified': 'Tue, 10 Nov 2026 00:00:00 GMT' },
    }));
    await get(path);
    const same = await get(path, { headers: { 'If-None-Match': '"v0", "v1"' } });
    expect(same).toMatchObject({ status: 304, body: '' });
    const both = await get(path, {
      headers: { 'If-None-Match': '"v1"', 'If-Modified-Since': 'Mon, 09 Nov 2026 00:00:00 GMT' },
    });
    expect(both.status).toBe(304);
    const other = await get(path, {
      headers: { 'If-None-Match': '"v0"', 'If-Modified-Since': 'Wed, 11 Nov 2026 00:00:00 GMT' },
    });
    expect(other.status).toBe(200);
    expect(asked(path)).toBe(1);
  });
});

describe.concurrent('validation', () => {
  it('RFC 9111 4.1, 4.3.4: a field that a 304 adds to the Vary of what is larger than 8 MiB tells requests apart, too', async () => {
    const path = serve((count, fields) => {
      const own = `"of ${fields.b}"`;
      const isFirst = count === 1;
      return {
        headers: {
          ...{ ETag: own, 'Cache-Control': isFirst ? 'max-age=1' : 'max-age=60' },
          Vary: isFirst ? 'A' : 'A, B',
        },
        ...(fields['if-none-match'] === own ? { status: 304 } : { body: String(fields.b).repeat(9 * 1024 * 1024) }),
      };
    });
    await get(path, { headers: { A: '1', B: 'x' } });
    await delay(2100);
    await get(path, { headers: { A: '1', B: 'x' } });
    expect((await get(path, { headers: { A: '1', B: 'y' } })).body[0]).toBe('y');
  });

  it('RFC 9111 4.3.4: what is larger than 8 MiB and has the Vary of its 304 is not fetched again, where the edge adds Accept-Encoding to it', async () => {
    const path = serve((count, fields) => ({
      headers: {
        ...{ ETag: '"a"', Vary: 'A', 'Content-Type': 'text/plain' },
        'Cache-Control': count === 1 ? 'max-age=1' : 'max-age=60',
      },
      ...(fields['if-none-match'] === '"a"' ? { status: 304 } : { body: `${count}`.repeat(9 * 1024 * 1024) }),
    }));
    const first = await get(path);
    expect(first.headers.vary).toBe('A, Accept-Encoding');
    await delay(2100);
    const validated = await get(path);
    expect(statusOf(validated)).toMatch(/^Cordon; fwd=stale; fwd-status=304; stored/);
    expect([validated.body[0], asked(path)]).toEqual(['1', 2]);
  });

  it.each([
    ['Vary', { Vary: '*', 'Cache-Control': 'max-age=60' }],
    ['Cache-Control', { 'Cache-Control': 'private, max-age=60' }],
  ])(
    'RFC 9111 4.2.4, 4.3.4: what a 304 keeps to one visitor by %s serves no other where the origin fails',
    async (_, said) => {
      const path = serve((count, fields) => {
        if (count === 3) return { status: 503, body: 'busy' };
        return count === 1
          ? { headers: { ETag: '"a"', 'Cache-Control': 'max-age=1, stale-if-error=600' }, body: `of ${fields.b}` }
          : { status: 304, headers: { ETag: '"a"', ...said } };
      });
      await get(path, { headers: { B: 'x' } });
      await delay(2100);
      await get(path, { headers: { B: 'x' } });
      expect(await get(path, { headers: { B: 'y' } })).toMatchObject({ status: 503, body: 'busy' });
    },
  );

  it('RFC 9111 4.3: validates what is stale, and goes on with it', async () => {
    const path = serve((count, fields) =>
      fields['if-none-match'] === '"v1"'
        ? { status: 304, headers: { 'Cache-Control': 'max-age=60', ETag: '"v1"' } }
        : { headers: { 'Cache-Control': 'max-age=1', ETag: '"v1"' }, body: `body ${count}` },
    );
    await get(path);
    await delay(2100);
    const validated = await get(path);
    expect(validated).toMatchObject({ status: 200, body: 'body 1' });
    expect(statusOf(validated)).toMatch(/^Cordon; fwd=stale; fwd-status=304; stored; ttl=(60|5\d)$/);
    const hit = await get(path);
    expect(statusOf(hit)).toMatch(/^Cordon; hit; ttl=(60|5\d)$/);
    expect(hit.headers['cache-control']).toBe('max-age=60');
    expect(Number(hit.headers.age)).toBeLessThan(2);
    expect(asked(path)).toBe(2);
  });

  it('RFC 9111 3.2: fields of the answer to a validation take the place of stored ones', async () => {
    const path = serve((_, fields) =>
      fields['if-none-match'] === '"v1"'
        ? { status: 304, headers: { 'Cache-Control': 'max-age=60', ETag: '"v1"', 'X-Own': 'new', 'X-More': 'more' } }
        : { headers: { 'Cache-Control': 'max-age=1', ETag: '"v1"', 'X-Own': 'old', 'X-Kept': 'kept' }, body: 'body' },
    );
    await get(path);
    await delay(2100);
    for (let round = 0; round < 2; round++) {
      const answer = await get(path);
      expect(answer).toMatchObject({
        status: 200,
        body: 'body',
        headers: { 'x-own': 'new', 'x-more': 'more', 'x-kept': 'kept', 'cache-control': 'max-age=60' },
      });
    }
    expect(asked(path)).toBe(2);
  });

  it('RFC 9111 4.1, 4.3.4: who waits for a validation gets nothing that its Vary keeps from him', async () => {
    const path = serve((count, fields) => {
      const own = `"of ${fields.b}"`;
      const isFirst = count === 1;
      return {
        headers: { ETag: own, 'Cache-Control': `max-age=${isFirst ? 1 : 60}`, Vary: isFirst ? 'A' : 'A, B' },
        ...(fields['if-none-match'] === own ? { status: 304 } : { body: `of ${fields.b}` }),
        delayMs: 300,
      };
    });
    await get(path, { headers: { A: '1', B: 'x' } });
    await delay(2100);
    const kinds = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? 'x' : 'y'));
    const answers = await Promise.all(kinds.map((kind) => get(path, { headers: { A: '1', B: kind } })));
    expect(answers.map(({ body }) => body)).toEqual(kinds.map((kind) => `of ${kind}`));
  });
});

describe.concurrent('stale answers', () => {
  it('RFC 5861 3: serves a stale answer while a newer one is fetched', async () => {
    const path = serve(() => ({ headers: { 'Cache-Control': 'max-age=1, stale-while-revalidate=60' } }));
    await get(path);
    await delay(2100);
    const stale = await get(path);
    expect(stale.body).toBe('answer 1');
    expect(statusOf(stale)).toMatch(/^Cordon; hit; ttl=-\d+$/);
    await edge.control.until(() => asked(path) === 2, 'the refresh');
    await delay(50);
    expect((await get(path)).body).toBe('answer 2');
  });

  it.each(['drop', 500, 503])('RFC 5861 4: serves a stale answer where the origin fails (%s)', async (failure) => {
    const path = serve((count) => {
      if (count === 1) return { headers: { 'Cache-Control': 'max-age=1, stale-if-error=60' } };
      return failure === 'drop' ? { drop: true } : { status: failure as number };
    });
    await get(path);
    await delay(2100);
    const stale = await get(path);
    expect(stale).toMatchObject({ status: 200, body: 'answer 1' });
    // RFC 9211 2.2: it is no hit, since the request was forwarded.
    const status = failure === 'drop' ? 502 : failure;
    expect(statusOf(stale)).toMatch(
      new RegExp(`^Cordon; fwd=stale; fwd-status=${status}; ttl=-\\d+; detail=stale_if_error$`),
    );
  });

  /** Of a domain that is always online. */
  const afterFailure = async (cacheControl: string) => {
    const path = serve((count) =>
      count === 1 ? { headers: { 'Cache-Control': cacheControl } } : { status: 503, body: 'busy' },
    );
    await get(path, { host: KEYED });
    await delay(2100);
    return get(path, { host: KEYED });
  };

  it('always online: serves a stale answer where the origin fails and has said nothing of it', async () => {
    const stale = await afterFailure('max-age=1');
    expect(stale).toMatchObject({ status: 200, body: 'answer 1' });
    expect(statusOf(stale)).toMatch(/^Cordon; fwd=stale; fwd-status=503; ttl=-\d+; detail=stale_if_error$/);
  });

  it.each([
    ['RFC 9111 5.2.2.2', 'max-age=1, must-revalidate'],
    ['RFC 9111 5.2.2.8', 'max-age=1, proxy-revalidate'],
    ['RFC 9111 5.2.2.10', 's-maxage=1'],
    ['RFC 9111 5.2.2.4', 'max-age=1, no-cache'],
    ['RFC 5861 4', 'max-age=1, stale-if-error=0'],
  ])('%s: serves no stale answer of %s, always online or not', async (_, cacheControl) => {
    expect(await afterFailure(cacheControl)).toMatchObject({ status: 503, body: 'busy' });
  });

  it('answers with the brand’s page where an origin fails and nothing is stored', async () => {
    const path = serve(() => ({ drop: true }));
    const answer = await get(path);
    expect(answer.status).toBe(502);
    expect(answer.body).toContain('<html');
  });
});

describe('invalidation', () => {
  it.each(['POST', 'PUT', 'DELETE', 'PATCH'])('RFC 9111 4.4: %s invalidates its URL', async (method) => {
    const path = serve(() => ({ headers: { 'Cache-Control': 'max-age=60' } }));
    await get(path);
    await get(path, { method, body: 'x' });
    expect((await get(path)).body).toBe('answer 3');
    expect((await get(path)).body).toBe('answer 3');
  });

  it.each(['a+b', './a', 'b/../a', '/a'])('RFC 9111 4.4: of a URL however it is spelled: %s', async (spelled) => {
    const path = `/spelled-${++paths}/${spelled}`;
    behaviours.set(path, () => ({ headers: { 'Cache-Control': 'max-age=60' } }));
    await get(path);
    expect((await get(path)).body).toBe('answer 1');
    await get(path, { method: 'POST', body: 'x' });
    expect((await get(path)).body).toBe('answer 3');
  });

  it('RFC 9111 4.4: an error, or a safe method, invalidates nothing', async () => {
    const path = serve((count) => (count === 2 ? { status: 500 } : { headers: { 'Cache-Control': 'max-age=60' } }));
    await get(path);
    await get(path, { method: 'POST', body: 'x' });
    await get(path, { method: 'OPTIONS' });
    expect((await get(path)).body).toBe('answer 1');
  });

  it('RFC 9111 4.4: so are Location and Content-Location on the same host', async () => {
    const other = serve(() => ({ headers: { 'Cache-Control': 'max-age=60' } }));
    const another = serve(() => ({ headers: { 'Cache-Control': 'max-age=60' } }));
    const path = serve(() => ({ headers: { Location: `http://${HOST}${other}`, 'Content-Location': another } }));
    for (const one of [other, another]) await get(one);
    await get(path, { method: 'POST', body: 'x' });
    for (const one of [other, another]) expect((await get(one)).body).toBe('answer 2');
  });
});

describe('collapsed forwarding', () => {
  it('1,000 first requests at once are one to the origin', async () => {
    const path = serve(() => ({ headers: { 'Cache-Control': 'max-age=60' }, delayMs: 300, body: 'x'.repeat(50_000) }));
    const answers = await Promise.all(Array.from({ length: 1000 }, () => get(path)));
    expect(asked(path)).toBe(1);
    const kinds = answers.map(
      ({ status, body, headers }) => `${status}, ${body.length}, ${headers['cache-status']?.toString().split(';')[0]}`,
    );
    expect([...new Set(kinds)]).toEqual(['200, 50000, Cordon']);
  });

  it('RFC 9211 2.6: who has waited is told of a hit, and nobody that requests were collapsed', async () => {
    const path = serve(() => ({ headers: { 'Cache-Control': 'max-age=60' }, delayMs: 300 }));
    const said = (await Promise.all(Array.from({ length: 5 }, () => get(path)))).map(statusOf);
    expect(asked(path)).toBe(1);
    expect(said.filter((text) => text.startsWith('Cordon; hit; ttl='))).toHaveLength(4);
    expect(said.join()).not.toContain('collapsed');
  });

  it('RFC 5861 3: what is stale as it comes, and may serve so, is fetched for all that wait', async () => {
    const headers = { 'Cache-Control': 'max-age=0, stale-while-revalidate=60' };
    const path = serve(() => ({ headers, delayMs: 300 }));
    const answers = await Promise.all(Array.from({ length: 50 }, () => get(path)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    // One more in the background.
    expect(asked(path)).toBeLessThanOrEqual(3);
  });

  it('what is for each visitor alone is fetched for each at once', async () => {
    const path = serve((count) => ({ headers: { 'Cache-Control': 'private' }, delayMs: count === 1 ? 50 : 400 }));
    const startedAt = Date.now();
    const answers = await Promise.all(Array.from({ length: 50 }, () => get(path)));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(50);
    expect((Date.now() - startedAt) / slowdown()).toBeLessThan(2500);
  });
});

describe('directives of the settings', () => {
  it('RFC 9213 2.2: take the place of those for CDNs, towards visitors too', async () => {
    const path = serve(() => ({ headers: { 'Cache-Control': 'no-cache', 'CDN-Cache-Control': 'no-store' } }));
    await get(path, { host: DIRECTED });
    const { headers } = await get(path, { host: DIRECTED });
    expect(headers).toMatchObject({ 'cache-control': 'max-age=100' });
    expect(headers).not.toHaveProperty('cdn-cache-control');
    expect(asked(path)).toBe(1);
  });

  it('are not for errors: the next visitor gets what the origin answers by then', async () => {
    const path = serve((count) => ({ status: count === 1 ? 500 : 200 }));
    const first = await get(path, { host: DIRECTED });
    expect(first).toMatchObject({ status: 500 });
    expect(first.headers).not.toHaveProperty('cache-control');
    expect(await get(path, { host: DIRECTED })).toMatchObject({ status: 200 });
  });
});

describe('clearing', () => {
  const fresh: Behaviour = () => ({ headers: { 'Cache-Control': 'max-age=600', 'Cache-Tag': 'red, blue' } });

  it('all of a domain', async () => {
    const path = serve(fresh);
    await get(path);
    await clear('all', '');
    expect((await get(path)).body).toBe('answer 2');
    expect((await get(path)).body).toBe('answer 2');
  });

  it('one URL, however it is spelled, and no other', async () => {
    const [path, other] = [serve(fresh), serve(fresh)];
    const spelled = path.replace('o', '%6f');
    behaviours.set(spelled, fresh);
    for (const one of [path, other, `${path}?a=1`, spelled]) await get(one);
    await clear('url', `${HOST}${path}`);
    await get(path);
    await get(spelled);
    expect(asked(spelled)).toBe(2);
    expect((await get(other)).body).toBe('answer 1');
    expect(statusOf(await get(`${path}?a=1`))).toContain('hit');
    expect(statusOf(await get(path))).toContain('hit');
  });

  it('one URL leaves alone what is under way of others', async () => {
    const path = serve((count) => ({ ...fresh(count, {}), delayMs: 400 }));
    const other = serve(fresh);
    await get(other);
    const slow = get(path);
    await edge.control.until(() => asked(path) === 1, 'the fetch');
    await clear('url', `${HOST}${other}`);
    await slow;
    expect((await get(path)).body).toBe('answer 1');
  });

  it('by prefix and by tag', async () => {
    for (const [kind, value] of [
      ['prefix', '/object-'],
      ['tag', 'blue'],
    ] as const) {
      const path = serve(fresh);
      await get(path);
      await clear('tag', 'green');
      expect((await get(path)).body).toBe('answer 1');
      await clear(kind, value);
      expect((await get(path)).body).toBe('answer 2');
      expect((await get(path)).body).toBe('answer 2');
    }
  });

  it.each([
    ['Cache-Tag', 'red blue'],
    ['Surrogate-Key', 'red,blue'],
  ])('by a tag of %s, whichever of commas and blanks parts them: %s', async (name, tags) => {
    const path = serve(() => ({ headers: { 'Cache-Control': 'max-age=600', [name]: tags } }));
    await get(path);
    await clear('tag', 'blue');
    expect((await get(path)).body).toBe('answer 2');
  });

  it('softly: what is stored serves once more, while it is fetched anew', async () => {
    const path = serve(fresh);
    await get(path);
    await clear('tag', 'red', true);
    const stale = await get(path);
    expect(stale.body).toBe('answer 1');
    // RFC 9211 2.4: stale since then.
    expect(statusOf(stale)).toMatch(/^Cordon; hit; ttl=(0|-1)$/);
    await edge.control.until(() => asked(path) === 2, 'the refresh');
    await delay(50);
    expect((await get(path)).body).toBe('answer 2');
  });

  it.each([
    ['all', ''],
    ['url', undefined],
    ['prefix', '/object-'],
    ['tag', 'blue'],
  ])('what is under way cannot bring back the old object (%s)', async (kind, value) => {
    const path = serve((count) => ({ ...fresh(count, {}), delayMs: count === 1 ? 400 : 0 }));
    const slow = get(path);
    await edge.control.until(() => asked(path) === 1, 'the fetch');
    await clear(kind, value ?? `${HOST}${path}`);
    expect((await get(path)).body).toBe('answer 2');
    // Nor does it say that it was kept; what has become older than the other one by a second gives way to it.
    expect(statusOf(await slow)).toMatch(/^Cordon; (fwd=uri-miss; fwd-status=200; detail=cleared$|hit;)/);
    await delay(50);
    expect((await get(path)).body).toBe('answer 2');
  });
});

describe('keys', () => {
  it('leave out, and sort, arguments as configured, and origins get what the key has', async () => {
    const urls: string[] = [];
    const path = serve(() => ({ headers: { 'Cache-Control': 'max-age=60' } }));
    for (const query of ['?b=2&a=1', '?a=1&utm_source=x&b=2', '?a=1&b=2'])
      await get(`${path}${query}`, { host: KEYED });
    urls.push(...origin.requests.filter(({ url }) => pathOf(url) === path).map(({ url }) => url ?? ''));
    expect(urls).toEqual([`${path}?a=1&b=2`]);
  });

  it('a URL is cleared whatever of its query does not count', async () => {
    const path = serve(() => ({ headers: { 'Cache-Control': 'max-age=60' } }));
    await get(`${path}?b=2&a=1`, { host: KEYED });
    await clear('url', `${KEYED}${path}?utm_source=y&a=1&b=2`, false, keyedId);
    expect((await get(`${path}?a=1&b=2`, { host: KEYED })).body).toBe('answer 2');
  });

  it('tell devices and languages apart, and origins get of them what the key has', async () => {
    const path = serve((_, fields) => ({
      headers: { 'Cache-Control': 'max-age=60' },
      body: `${fields['cordon-device']} ${fields['accept-language']}`,
    }));
    const phone = 'Mozilla/5.0 (iPhone) Mobile';
    const bodies = [];
    for (const headers of [
      { 'User-Agent': phone, 'Accept-Language': 'zh-CN,zh;q=0.9' },
      { 'User-Agent': `${phone} of another`, 'Accept-Language': 'zh-CN' },
      { 'User-Agent': 'Mozilla/5.0 (Windows NT 10.0)', 'Accept-Language': 'fr' },
      { 'User-Agent': 'curl', 'Accept-Language': 'en-GB' },
    ])
      bodies.push((await get(path, { host: KEYED, headers })).body);
    expect(bodies).toEqual(['mobile zh-CN', 'mobile zh-CN', 'desktop en', 'desktop en']);
    expect(asked(path)).toBe(2);
    await get(path, { host: KEYED, method: 'POST', body: 'x' });
    await get(path, { host: KEYED });
    expect(asked(path)).toBe(4);
  });

  it('have one object of a language for an origin that varies by it, however visitors write it', async () => {
    const path = serve((_, fields) => ({
      headers: { 'Cache-Control': 'max-age=60', Vary: 'Accept-Language' },
      body: String(fields['accept-language']),
    }));
    const answers = [];
    for (const language of ['zh-CN,zh;q=0.9', 'zh-CN', 'zh-CN, en;q=0.5', 'en-GB', 'en'])
      answers.push(await get(path, { host: KEYED, headers: { 'Accept-Language': language } }));
    expect(answers.map(({ body }) => body)).toEqual(['zh-CN', 'zh-CN', 'zh-CN', 'en', 'en']);
    expect(asked(path)).toBe(2);
    // Caches of visitors do not have it in their key.
    expect(answers[0]?.headers.vary).toContain('Accept-Language');
  });

  it('tell clients apart by the encodings that they take, and no more', async () => {
    const path = serve((_, fields) => ({
      headers: { 'Cache-Control': 'max-age=60', Vary: 'Accept-Encoding' },
      body: String(fields['accept-encoding']),
    }));
    const bodies = [];
    for (const accepted of ['gzip, deflate, br', 'br;q=1, gzip;q=0.5', 'gzip', 'gzip;q=0', 'identity'])
      bodies.push((await get(path, { headers: { 'Accept-Encoding': accepted } })).body);
    expect(bodies).toEqual(['br, gzip', 'br, gzip', 'gzip', 'identity', 'identity']);
    expect(asked(path)).toBe(3);
  });
});

describe('compression', () => {
  const text = 'a text that repeats itself. '.repeat(200);
  const page: Behaviour = (_, fields) => ({
    headers: { 'Cache-Control': 'max-age=60', 'Content-Type': 'text/css; charset=utf-8', ETag: '"v1"' },
    body: text,
    ...(fields['if-none-match'] === undefined ? {} : { status: 304 }),
  });

  it.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity', undefined],
  ])('RFC 9110 12.5.3: a client that takes %s gets %s, stored as it is sent', async (accepted, coding) => {
    const path = serve(page);
    for (let round = 0; round < 2; round++) {
      const { headers, body } = await get(path, { headers: { 'Accept-Encoding': accepted } });
      expect(headers['content-encoding']).toBe(coding);
      expect(headers.vary).toBe('Accept-Encoding');
      expect(headers.etag).toBe(coding === undefined ? '"v1"' : 'W/"v1"');
      expect(body === text).toBe(coding === undefined);
      expect(body.length < 500).toBe(coding !== undefined);
    }
    expect(asked(path)).toBe(1);
    const same = await get(path, { headers: { 'Accept-Encoding': accepted, 'If-None-Match': '"v1"' } });
    expect(same).toMatchObject({ status: 304, headers: { vary: 'Accept-Encoding' } });
  });

  it.each([
    [
      'what has a digest (RFC 9530)',
      { 'Cache-Control': 'max-age=60', 'Content-Digest': 'sha-256=:AAAA:', 'Content-Type': 'text/css' },
    ],
    ['what must not be transformed', { 'Cache-Control': 'max-age=60, no-transform', 'Content-Type': 'text/css' }],
    [
      'what CDNs must not transform (RFC 9213)',
      { 'Cache-Control': 'max-age=60', 'CDN-Cache-Control': 'max-age=60, no-transform', 'Content-Type': 'text/css' },
    ],
    ['what is compressed already', { 'Cache-Control': 'max-age=60', 'Content-Type': 'image/png' }],
    ['what has a coding', { 'Cache-Control': 'max-age=60', 'Content-Type': 'text/css', 'Content-Encoding': 'zstd' }],
  ])('leaves %s as it is', async (_, headers) => {
    const path = serve(() => ({ headers, body: text }));
    const answer = await get(path, { headers: { 'Accept-Encoding': 'br, gzip' } });
    expect(answer.body).toBe(text);
    expect(answer.headers.vary).toBeUndefined();
  });

  it('a validation by the origin’s own entity tag keeps the stored form', async () => {
    const path = serve((count, fields) =>
      fields['if-none-match'] === undefined
        ? { ...page(count, fields), headers: { ...page(count, fields).headers, 'Cache-Control': 'max-age=1' } }
        : { status: 304, headers: { ETag: '"v1"', 'Cache-Control': 'max-age=60', 'X-New': 'yes' } },
    );
    const headers = { 'Accept-Encoding': 'gzip' };
    const first = await get(path, { headers });
    await delay(2100);
    for (let round = 0; round < 2; round++) {
      const answer = await get(path, { headers });
      expect(answer).toMatchObject({
        status: 200,
        headers: { 'content-encoding': 'gzip', etag: 'W/"v1"', 'x-new': 'yes', vary: 'Accept-Encoding' },
      });
      expect(answer.body).toBe(first.body);
    }
  });
});

describe('large files', () => {
  const SLICE = 4 * 1024 * 1024;
  const bytes = Buffer.alloc(2.5 * SLICE, 'abcdefghij');
  /** Ranges that the origin was asked for, by path. */
  const ranges = new Map<string, string[]>();
  let number = 0;
  /** Of another version. */
  const others = Buffer.alloc(bytes.length, 'ABCDEFGHIJ');
  function serveFile(
    fields: () => Record<string, string> = () => ({ ETag: '"v1"' }),
    content: () => Buffer = () => bytes,
  ): string {
    const path = `/film-${++number}.mp4`;
    ranges.set(path, []);
    behaviours.set(path, (_, { range }) => {
      ranges.get(path)?.push(String(range));
      const bytes = content();
      const headers = {
        'Cache-Control': 'max-age=600',
        'Cache-Tag': 'films',
        'Content-Type': 'video/mp4',
        ...fields(),
      };
      const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(String(range)) ?? [];
      if (first === undefined || 'Accept-Ranges' in headers) return { headers, body: bytes.toString('latin1') };
      const end = Math.min(Number(last), bytes.length - 1);
      if (Number(first) >= bytes.length)
        return { status: 416, headers: { 'Content-Range': `bytes */${bytes.length}` } };
      return {
        status: 206,
        headers: { ...headers, 'Content-Range': `bytes ${first}-${end}/${bytes.length}` },
        body: bytes.toString('latin1', Number(first), end + 1),
      };
    });
    return path;
  }

  it('RFC 9110 14: the end of one is fetched without what comes before, and is stored', async () => {
    const path = serveFile();
    for (let round = 0; round < 2; round++) {
      const part = await get(path, { headers: { Range: `bytes=${2 * SLICE + 5}-${2 * SLICE + 9}` } });
      expect(part).toMatchObject({
        status: 206,
        headers: { 'content-range': `bytes ${2 * SLICE + 5}-${2 * SLICE + 9}/${bytes.length}` },
      });
      expect(part.body).toBe(bytes.toString('latin1', 2 * SLICE + 5, 2 * SLICE + 10));
    }
    expect(ranges.get(path)).toEqual([`bytes=${2 * SLICE}-${3 * SLICE - 1}`]);
  });

  it('RFC 9111 3.4, RFC 9110 15.3.7: the whole is put together of slices, each fetched once', async () => {
    const path = serveFile();
    const answers = await Promise.all(Array.from({ length: 3 }, () => get(path)));
    for (const answer of [...answers, await get(path)]) {
      expect(answer.headers['content-length']).toBe(String(bytes.length));
      expect(answer.body === bytes.toString('latin1')).toBe(true);
    }
    expect(ranges.get(path)?.sort()).toEqual([
      `bytes=0-${SLICE - 1}`,
      `bytes=${SLICE}-${2 * SLICE - 1}`,
      `bytes=${2 * SLICE}-${3 * SLICE - 1}`,
    ]);
    expect(statusOf(await get(path))).toContain('hit');
  });

  it('RFC 9111 4.3.4: slices are validated one by one, and have new fields then', async () => {
    const path = serveFile();
    const serveSlice = behaviours.get(path) as Behaviour;
    let isNew = false;
    behaviours.set(path, (count, fields) => {
      const served = serveSlice(count, fields);
      const headers = { ...served.headers, 'Cache-Control': 'max-age=1' };
      if (fields['if-none-match'] === undefined) return { ...served, headers };
      isNew = true;
      return { status: 304, headers: { 'Cache-Control': 'max-age=600', ETag: '"v1"', 'X-New': 'yes' } };
    });
    await get(path);
    await delay(2100);
    for (let round = 0; round < 2; round++) {
      const answer = await get(path);
      expect(answer).toMatchObject({ status: 200, headers: { 'content-length': String(bytes.length) } });
      expect(answer.body === bytes.toString('latin1')).toBe(true);
      expect(answer.headers['x-new']).toBe('yes');
    }
    expect(isNew).toBe(true);
    const part = await get(path, { headers: { Range: `bytes=${SLICE - 2}-${SLICE + 1}` } });
    expect(part).toMatchObject({ status: 206, body: bytes.toString('latin1', SLICE - 2, SLICE + 2) });
  });

  it('counts as fetched where any slice of it is, and as a hit where none is', async () => {
    const path = serveFile();
    const outcomes = () => edge.control.rows.filter((row) => row.path === path).map((row) => row.cache);
    await get(path, { headers: { Range: 'bytes=0-9' } });
    await get(path);
    await get(path);
    await vi.waitFor(() => expect(outcomes()).toEqual(['miss', 'miss', 'hit']), { timeout: 10_000 });
  });

  it('RFC 9110 14.1.2: a range behind its end is refused', async () => {
    expect((await get(serveFile(), { headers: { Range: 'bytes=99999999-' } })).status).toBe(416);
  });

  it('comes as a whole where its origin sends no parts, or parts that nothing says to belong together', async () => {
    const modified = { 'Last-Modified': 'Mon, 01 Jan 2024 00:00:00 GMT' };
    for (const fields of [{ 'Accept-Ranges': 'none' }, {}, modified, { ...modified, ETag: 'W/"v1"' }]) {
      const path = serveFile(() => fields as Record<string, string>);
      for (let round = 0; round < 3; round++) expect((await get(path)).body === bytes.toString('latin1')).toBe(true);
      expect(ranges.get(path)?.length).toBe(2);
      expect(ranges.get(path)?.[1]).toBe('undefined');
    }
  });

  it.each([
    ['tag', 'films'],
    ['prefix', '/film-'],
    ['all', ''],
  ])('is cleared in all its slices (%s)', async (kind, value) => {
    const path = serveFile();
    await get(path);
    await get(path);
    expect(ranges.get(path)).toHaveLength(3);
    await clear(kind, value);
    await get(path);
    expect(ranges.get(path)).toHaveLength(6);
    await get(path);
    expect(ranges.get(path)).toHaveLength(6);
  });

  it('RFC 9111 4.4: what changes it invalidates all its slices', async () => {
    const path = serveFile();
    await get(path);
    await get(path, { method: 'PUT', body: 'x' });
    const before = ranges.get(path)?.length ?? 0;
    await get(path);
    expect(ranges.get(path)).toHaveLength(before + 3);
  });

  it('has versions of its own for each variant', async () => {
    const path = serveFile();
    const file = behaviours.get(path) as Behaviour;
    behaviours.set(path, (count, fields) => {
      const made = file(count, fields);
      return { ...made, headers: { ...made.headers, ETag: `"${fields['cordon-device']}"` } };
    });
    const part = (agent: string) => get(path, { host: KEYED, headers: { 'User-Agent': agent, Range: 'bytes=0-3' } });
    for (let round = 0; round < 3; round++)
      for (const agent of ['Mozilla/5.0 (X11)', 'Mozilla/5.0 (iPhone) Mobile']) await part(agent);
    expect(ranges.get(path)).toHaveLength(2);
  });

  it('of another version is never mixed with what is stored of the former', async () => {
    let version = 1;
    const path = serveFile(
      () => ({ ETag: `"v${version}"` }),
      () => (version === 1 ? bytes : others),
    );
    await get(path, { headers: { Range: 'bytes=0-9' } });
    version = 2;
    // The first answer finds out, and is broken off.
    await expect(get(path)).rejects.toThrow();
    const whole = await get(path);
    expect(whole.headers.etag).toBe('"v2"');
    expect(whole.body === others.toString('latin1')).toBe(true);
  });

  it('comes as a whole where several origins have entity tags of their own for it', async () => {
    let asking = 0;
    const path = serveFile(() => ({ ETag: asking++ % 2 === 0 ? '"of-one"' : '"of-the-other"' }));
    const bodies: (string | undefined)[] = [];
    for (let round = 0; round < 4; round++)
      bodies.push(
        await get(path).then(
          ({ body }) => body,
          () => undefined,
        ),
      );
    const whole = bytes.toString('latin1');
    // Broken off, or whole: never a part that calls itself all of it.
    expect(bodies.filter((body) => body !== undefined && body !== whole)).toEqual([]);
    expect(bodies.at(-1) === whole).toBe(true);
    expect(ranges.get(path)?.at(-1)).toBe('undefined');
    expect(statusOf(await get(path))).toContain('hit');
  });

  it('of another version is not mixed either where nobody remembers the former: one answer is broken off', async () => {
    let version = 1;
    const path = serveFile(() => ({ ETag: `"v${version}"` }));
    await get(path, { headers: { Range: 'bytes=0-9' } });
    // What it had in memory is gone with it, what is on the disk is not.
    await killNginx();
    version = 2;
    await get(path, { headers: { Range: `bytes=${SLICE}-${SLICE + 4}` } });
    await expect(get(path)).rejects.toThrow();
    const whole = await get(path);
    expect(whole.headers.etag).toBe('"v2"');
    expect(whole.body === bytes.toString('latin1')).toBe(true);
    const before = ranges.get(path)?.length;
    // A visitor who leaves has nothing made void.
    await new Promise<void>((resolve, reject) => {
      const call = httpRequest({ port: edge.httpPort, path, headers: { host: HOST } }, (response) => {
        response.once('data', () => resolve(void call.destroy()));
        response.on('error', () => undefined);
      });
      call.on('error', reject);
      call.end();
    });
    expect((await get(path)).body === bytes.toString('latin1')).toBe(true);
    expect(ranges.get(path)).toHaveLength(before ?? 0);
  });
});

describe('directives of requests, where they are obeyed', () => {
  const fresh: Behaviour = () => ({ headers: { 'Cache-Control': 'max-age=60' } });
  const ask = (path: string, cacheControl: string, host = OBEYING) =>
    get(path, { host, headers: { 'Cache-Control': cacheControl } });

  it.each([
    ['5.2.1.4', 'no-cache'],
    ['5.2.1.1', 'max-age=0'],
    ['5.2.1.3', 'min-fresh=120'],
  ])('RFC 9111 %s: %s has the origin asked, and what it answers stored', async (_, directive) => {
    const path = serve(fresh);
    await get(path, { host: OBEYING });
    const asksAgain = await ask(path, directive);
    expect(asksAgain.body).toBe('answer 2');
    expect(statusOf(asksAgain)).toMatch(/^Cordon; fwd=request; fwd-status=200; stored; ttl=(60|5\d)$/);
    expect((await get(path, { host: OBEYING })).body).toBe('answer 2');
  });

  it('RFC 9111 5.2.1.5: nor is it where that is said in another line', async () => {
    const path = serve(fresh);
    const answer = await get(path, { host: OBEYING, headers: { 'Cache-Control': ['x', 'no-store'] } });
    expect(statusOf(answer)).toContain('detail=request_no_store');
  });

  it('RFC 9111 5.4: so has Pragma: no-cache where there is no Cache-Control', async () => {
    const path = serve(fresh);
    await get(path, { host: OBEYING });
    expect((await get(path, { host: OBEYING, headers: { Pragma: 'no-cache' } })).body).toBe('answer 2');
  });

  it('RFC 9111 5.2.1.7: only-if-cached is answered from what is stored, or with 504', async () => {
    const path = serve(fresh);
    expect((await ask(path, 'only-if-cached')).status).toBe(504);
    await get(path, { host: OBEYING });
    expect(await ask(path, 'only-if-cached')).toMatchObject({ status: 200, body: 'answer 1' });
    expect(asked(path)).toBe(1);
  });

  it('RFC 9111 5.2.1.2: max-stale takes a stale answer, unless that must be validated', async () => {
    const path = serve(() => ({ headers: { 'Cache-Control': 'max-age=1', 'X-Own': 'yes' } }));
    const strict = serve(() => ({ headers: { 'Cache-Control': 'max-age=1, must-revalidate' } }));
    for (const one of [path, strict]) await get(one, { host: OBEYING });
    await delay(2100);
    const stale = await ask(path, 'max-stale=60');
    expect(stale).toMatchObject({
      status: 200,
      body: 'answer 1',
      headers: { 'x-own': 'yes', 'cache-control': 'max-age=1' },
    });
    expect(statusOf(stale)).toMatch(/^Cordon; hit; ttl=-/);
    expect((await ask(strict, 'max-stale')).body).toBe('answer 2');
  });

  it('RFC 9111 5.2.1.5: an answer to no-store is not stored', async () => {
    const path = serve(fresh);
    expect(statusOf(await ask(path, 'no-store'))).toContain('detail=request_no_store');
    expect((await get(path, { host: OBEYING })).body).toBe('answer 2');
  });

  it('elsewhere they change nothing', async () => {
    const path = serve(fresh);
    for (const directive of ['no-store', 'no-cache', 'max-age=0', 'only-if-cached'])
      expect((await ask(path, directive, HOST)).body).toBe('answer 1');
  });
});

describe('nothing reaches another visitor', () => {
  it('rules are asked of the very request, also where no plugin before has had a say', async () => {
    await edge.deploy(
      testRoute({
        hosts: ['ruled.test'],
        upstream: testUpstream([testTarget(origin.port)]),
        plugins: [
          // Without an entry in its feed it is not asked.
          cachePlugin('ban'),
          cachePlugin('advance-proxy-cache', {
            bypass_rules: [{ on: 'path', pattern: '^/object-\\d+/private' }],
          }),
        ],
      }),
    );
    const path = serve(() => ({ headers: { 'Cache-Control': 'max-age=60' } }));
    behaviours.set(`${path}/private`, () => ({ headers: { 'Cache-Control': 'max-age=60' } }));
    for (let round = 0; round < 2; round++) {
      const secret = await edge.request('ruled.test', { path: `${path}/private` });
      expect(statusOf(secret)).toBe('Cordon; fwd=bypass; detail=rule');
      await get(path);
      expect(statusOf(await get(path, { host: 'ruled.test' }))).not.toContain('bypass');
    }
  });

  it('what asks for another method, has a condition for its origin, or a body, passes by', async () => {
    const path = serve(() => ({ headers: { 'Cache-Control': 'max-age=60' } }));
    const strange: Record<string, string>[] = [
      ...METHOD_OVERRIDE_FIELDS.map((name) => ({ [name]: 'DELETE' })),
      ...ORIGIN_CONDITION_FIELDS.map((name) => ({ [name]: '"x"' })),
      { 'Content-Length': '1' },
    ];
    for (const headers of strange) {
      const answer = await get(path, { headers, ...('Content-Length' in headers ? { body: 'x' } : {}) });
      expect(statusOf(answer)).toBe('Cordon; fwd=bypass; detail=request');
    }
    expect((await get(path)).body).toBe(`answer ${strange.length + 1}`);
  });

  it('fields that no key has do not reach the origin', async () => {
    const seen: unknown[] = [];
    const path = serve((_, fields) => {
      seen.push(fields['x-forwarded-host'], fields['x-original-url'], fields['x-host'], fields['x-forwarded-scheme']);
      return { headers: { 'Cache-Control': 'max-age=60' } };
    });
    await get(path, {
      headers: {
        'X-Forwarded-Host': 'evil.test',
        'X-Original-URL': '/evil',
        'X-Host': 'evil.test',
        'X-Forwarded-Scheme': 'nothttps',
      },
    });
    expect(seen).toEqual([HOST, undefined, undefined, undefined]);
  });

  it('nobody but nginx’s cache is served by the fetching server', async () => {
    const path = serve(() => ({}));
    const status = await new Promise((resolve, reject) => {
      const call = httpRequest(
        { socketPath: fetchSocketIn(edge.runDir), path, headers: { Host: HOST, 'Cordon-Fetch-Key': 'x' } },
        (response) => resolve(response.resume().statusCode),
      );
      call.on('error', reject);
      call.end();
    });
    expect(status).toBe(403);
    expect(asked(path)).toBe(0);
  });

  it('an origin cannot speak as the fetching server', async () => {
    const path = serve(() => ({
      headers: {
        'Cache-Control': 'max-age=60',
        'Cordon-Again': '1',
        'Cordon-Failed': 'x',
        'Cordon-Served': '1',
        'Cordon-Stored': '0000000000 0000000000 9999999999 0000000000 0000000000 0',
        'X-Accel-Expires': '86400',
        'X-Accel-Redirect': '/../error',
      },
    }));
    const answer = await get(path);
    expect(answer).toMatchObject({ status: 200, body: 'answer 1' });
    expect(statusOf(answer)).toMatch(/^Cordon; fwd=uri-miss; fwd-status=200; stored; ttl=(60|5\d)$/);
    expect(asked(path)).toBe(1);
  });

  it('RFC 9111 3.5: an answer to Authorization is for others only where it says so', async () => {
    const path = serve(() => ({ headers: { 'Cache-Control': 'max-age=60' } }));
    const open = serve(() => ({ headers: { 'Cache-Control': 'public, max-age=60' } }));
    const headers = { Authorization: 'Basic eDp5' };
    expect(statusOf(await get(path, { headers }))).toContain('detail=authorization');
    await get(open, { headers });
    expect((await get(path)).body).toBe('answer 2');
    expect((await get(open)).body).toBe('answer 1');
  });

  it.each(['no-cache', 'private'])(
    'RFC 9111 5.2.2: fields that %s names go to who has asked, and to nobody else',
    async (directive) => {
      const path = serve((count) => ({
        headers: {
          'Cache-Control': `max-age=60, ${directive}="X-Secret, Set-Cookie"`,
          'X-Secret': String(count),
          'Set-Cookie': [`a=${count}`, `b=${count}`],
        },
      }));
      expect((await get(path)).headers).toMatchObject({ 'x-secret': '1', 'set-cookie': ['a=1', 'b=1'] });
      const hit = await get(path);
      expect(statusOf(hit)).toContain('hit');
      expect([hit.headers['x-secret'], hit.headers['set-cookie']]).toEqual([undefined, undefined]);
    },
  );

  it('RFC 9111 7.3: nor does an answer that sets a cookie', async () => {
    const path = serve((count) => ({ headers: { 'Cache-Control': 'max-age=60', 'Set-Cookie': `session=${count}` } }));
    expect((await get(path)).headers['set-cookie']).toEqual(['session=1']);
    expect((await get(path)).headers['set-cookie']).toEqual(['session=2']);
  });
});

describe('the log', () => {
  it('has the path of each request, also of those that waited for the answer to another', async () => {
    const path = serve(() => ({ headers: { 'Cache-Control': 'max-age=60' }, delayMs: 300 }));
    const answers = await Promise.all(Array.from({ length: 5 }, () => get(path)));
    for (const { headers } of answers) {
      const row = await edge.control.row(({ request_id }) => request_id === headers['x-request-id'], 'the row');
      expect(row.path).toBe(path);
    }
    expect(asked(path)).toBe(1);
  });

  it('says what the cache had to do with each request, and which origin was asked', async () => {
    const path = serve(() => ({ headers: { 'Cache-Control': 'max-age=60' } }));
    const secret = serve(() => ({ headers: { 'Cache-Control': 'private' } }));
    const answers = [
      await get(path),
      await get(path),
      await get(secret),
      await get(path, { method: 'POST', body: 'x' }),
    ];
    const rows = [];
    for (const { headers } of answers)
      rows.push(await edge.control.row(({ request_id }) => request_id === headers['x-request-id'], 'the row'));
    expect(rows.map(({ cache, cache_reason }) => [cache, cache_reason])).toEqual([
      ['miss', ''],
      ['hit', ''],
      ['miss', 'private'],
      ['bypass', 'method'],
    ]);
    expect(rows[0]).toMatchObject({ upstream_address: `127.0.0.1:${origin.port}`, upstream_status: 200 });
    expect(rows[1]).toMatchObject({ upstream_address: '', upstream_status: 0 });
  });

  it.each([
    ['with the head that is stored', {}],
    ['with a new field', { 'X-Id': 'new' }],
  ])('says which answers an origin was asked for and has found to be valid: %s', async (_, fields) => {
    const stated = { 'Cache-Control': 'max-age=1', ETag: '"a"' };
    const path = serve((count) =>
      count === 1 ? { headers: stated } : { status: 304, headers: { ...stated, ...fields } },
    );
    await get(path);
    await delay(2100);
    const { status, headers } = await get(path);
    expect(status).toBe(200);
    expect(headers['cache-status']).toMatch(/^Cordon; fwd=stale; fwd-status=304; stored/);
    const row = await edge.control.row(({ request_id }) => request_id === headers['x-request-id'], 'the row');
    expect(row).toMatchObject({ cache: 'revalidated', upstream_status: 304 });
  });

  it.each([
    ['while a newer answer is fetched', HOST, 'stale-while-revalidate=60', undefined, 0],
    ['as its request takes it', OBEYING, 'no-transform', 'max-stale=60', 0],
    ['where the origin fails', HOST, 'stale-if-error=60', undefined, 503],
    ['where it fails, and the request takes it', OBEYING, 'no-transform', 'stale-if-error=60', 503],
  ])(
    'says which answers were stale, and what the origin that was asked has answered: %s',
    async (_, host, directives, cacheControl, status) => {
      const path = serve((count) =>
        count === 1 ? { headers: { 'Cache-Control': `max-age=1, ${directives}` } } : { status: 503 },
      );
      await get(path, { host });
      await delay(2100);
      const { body, headers } = await get(path, {
        host,
        headers: cacheControl === undefined ? {} : { 'Cache-Control': cacheControl },
      });
      expect(body).toBe('answer 1');
      expect(headers['cache-status']).toMatch(
        status === 0 ? /^Cordon; hit; ttl=-/ : /^Cordon; fwd=stale; fwd-status=503; ttl=-/,
      );
      const row = await edge.control.row(({ request_id }) => request_id === headers['x-request-id'], 'the row');
      expect(row).toMatchObject({
        cache: 'stale',
        upstream_status: status,
        upstream_address: status === 0 ? '' : `127.0.0.1:${origin.port}`,
      });
    },
  );
});

describe('tags of answers reach no visitor', () => {
  const TAGGED = { 'Cache-Tag': 'red', 'Surrogate-Key': 'blue green', 'X-Other': '1' };
  const expectUntagged = ({ headers }: EdgeAnswer) => {
    expect(headers['x-other']).toBe('1');
    expect([headers['cache-tag'], headers['surrogate-key']]).toEqual([undefined, undefined]);
  };

  it('whether what they are of is stored, passes by the cache, or has none', async () => {
    await edge.deploy(testRoute({ hosts: ['uncached.test'], upstream: testUpstream([testTarget(origin.port)]) }));
    const path = serve(() => ({ headers: { 'Cache-Control': 'max-age=60', ...TAGGED } }));
    const answers = [
      await get(path),
      await get(path),
      await get(path, { method: 'POST', body: 'x' }),
      await get(path, { method: 'OPTIONS' }),
      await get(path, { host: 'uncached.test' }),
      await get(path, { host: 'uncached.test', method: 'POST', body: 'x' }),
    ];
    for (const answer of answers) expectUntagged(answer);
  });

  it('nor where the origin sends Early Hints', async () => {
    const fields = Object.entries({ 'Cache-Control': 'no-store', 'Content-Length': '2', ...TAGGED });
    const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', () =>
        socket.end(
          `HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 200 OK\r\n${head}Connection: close\r\n\r\nok`,
        ),
      );
    });
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    await edge.deploy(testRoute({ hosts: ['hinting-tags.test'], upstream: testUpstream([testTarget(port)]) }));
    // By the first one the edge learns of them.
    expect((await edge.request('hinting-tags.test', { path: '/' })).status).toBe(307);
    const answer = await edge.request('hinting-tags.test', { path: '/' });
    expect(answer).toMatchObject({ status: 200, body: 'ok' });
    expectUntagged(answer);
    server.close();
    releasePort(port);
  });
});

describe('what nginx takes no answers of', () => {
  it('RFC 8297: an origin that sends Early Hints is read otherwise, and its answer stored', async () => {
    const server = createServer((socket) => {
      // The edge breaks off what it gives up.
      socket.on('error', () => {});
      socket.on('data', (data) => {
        const path = String(data).split(' ')[1] ?? '';
        counts.set(path, asked(path) + 1);
        socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n');
        socket.end(
          'HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 6\r\nConnection: close\r\n\r\nhinted',
        );
      });
    });
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    await edge.deploy(
      testRoute({
        hosts: ['hinting.test'],
        upstream: testUpstream([testTarget(port)]),
        plugins: [cachePlugin('advance-proxy-cache')],
      }),
    );
    for (let round = 0; round < 3; round++)
      expect(await edge.request('hinting.test', { path: '/hinted' })).toMatchObject({ status: 200, body: 'hinted' });
    expect(asked('/hinted')).toBeLessThanOrEqual(2);
    server.close();
    releasePort(port);
  });
});

describe('a restart', () => {
  it('of a journal that has grown long, and is written anew', async () => {
    const behaviour: Behaviour = () => ({ headers: { 'Cache-Control': 'max-age=600', 'Cache-Tag': 'long' } });
    const [kept, url, tagged] = [serve(behaviour), serve(behaviour), serve(behaviour)];
    for (const path of [url, tagged]) await get(path);
    await clear('url', `${HOST}${url}`);
    await clear('tag', 'long');
    await get(kept);
    const journal = () => statSync(join(edge.dir, 'logs/cache/clears.journal')).size;
    const lengths: number[] = [];
    for (let at = 0; at < 500; at++) {
      await clear('url', `${HOST}/gone-${at % 20}-${'x'.repeat(100)}`);
      lengths.push(journal());
    }
    expect(Math.max(...lengths)).toBeLessThan(JOURNAL_BYTES + 1000);
    expect(Math.min(...lengths.slice(250))).toBeLessThan(JOURNAL_BYTES / 2);
    await killNginx();
    expect((await get(kept)).body).toBe('answer 1');
    for (const path of [url, tagged]) expect((await get(path)).body).toBe('answer 2');
  });

  it('takes no line ends in a path for what was cleared', async () => {
    const path = serve(() => ({ headers: { 'Cache-Control': 'max-age=600' } }));
    const forged = `/x%0a9999%09${Math.floor(Date.now() / 1000)}%09${route.id}%09all%090%09`;
    behaviours.set(forged, () => ({ headers: { 'Cache-Control': 'max-age=600' } }));
    await get(path);
    await get(forged);
    await get(forged, { method: 'POST', body: 'x' });
    await clear('prefix', decodeURIComponent(forged));
    expect((await get(path)).body).toBe('answer 1');
    await killNginx();
    expect((await get(path)).body).toBe('answer 1');
    expect((await get(forged)).body).not.toBe('answer 1');
  });

  it('of a killed nginx leaves what is stored, and what was cleared stays so', async () => {
    const behaviour: Behaviour = () => ({ headers: { 'Cache-Control': 'max-age=600', 'Cache-Tag': 'kept' } });
    const [kept, all, tagged] = [serve(behaviour), serve(behaviour), serve(behaviour)];
    await get(tagged);
    await clear('tag', 'kept');
    for (const path of [kept, all]) await get(path);
    await clear('url', `${HOST}${all}`);
    await killNginx();
    expect((await get(kept)).body).toBe('answer 1');
    expect((await get(all)).body).toBe('answer 2');
    expect((await get(tagged)).body).toBe('answer 2');
  });
});
