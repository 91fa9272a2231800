import { createHmac, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer as createTlsServer, request as requestTls } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import type { EdgeClear, EdgeRoute, EdgeSettings } from '@cordon/contract/edge-config';
import { definitions } from '@cordon/plugins/definitions';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { slowdown } from '../../../tests/support/slowness.ts';
import { makeShieldCertificate, shieldName, signingKey } from './agent/shield-certificate.ts';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { freePort, releasePort } from './testing/ports.ts';
import { testRoute, testSettings, testTarget, testUpstream } from './testing/routes.ts';
import { type EdgeAnswer, type EdgeRequestOptions, startEdge, type TestEdge } from './testing/start-edge.ts';

/** Two nodes that fetch through a third one. */

const HOST = 'shielded.test';
const OTHER = 'other.test';
const CZONE = 'free01';
/** By visitors, of a domain, that a node notes. */
const CHANGES_MAX = 60;
const KEY = Buffer.from('key of the shields of the tests!').toString('base64url');

let origin: TestOrigin;
let shield: TestEdge;
let one: TestEdge;
let two: TestEdge;
let route: EdgeRoute;
let other: EdgeRoute;

type Respond = (body: string, status?: number) => void;
/** What the origin does with a path: answers with a number that rises, unless a test says otherwise. */
const answers = new Map<string, (request: TestOrigin['requests'][number], respond: Respond) => void>();
const fields = new Map<string, Record<string, string>>();
let count = 0;
const asked = (path: string) => origin.requests.filter(({ url }) => url === path);

const config = definitions
  .find(({ name }) => name === 'advance-proxy-cache')
  ?.schema.parse({ enable_cache_control: false }) as Record<string, unknown>;

function shieldedSettings(isSelf: boolean, port = shield.httpsPort, isLive = true): EdgeSettings {
  const node = { address: '127.0.0.1', port, is_live: isLive, is_self: isSelf };
  return { ...testSettings(), shields: [{ czone: CZONE, key: KEY, nodes: [node] }] };
}

const BIG = Buffer.alloc(9 * 1024 * 1024, 'x');

beforeAll(async () => {
  origin = await startOrigin((request, response) => {
    const path = request.url ?? '';
    if (path.endsWith('.mp4')) {
      const [, from = 0, to = 0] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
      const last = Math.min(Number(to), BIG.length - 1);
      response.writeHead(206, {
        'content-type': 'video/mp4',
        'cache-control': 'max-age=3600',
        etag: '"big"',
        'content-range': `bytes ${from}-${last}/${BIG.length}`,
      });
      response.end(BIG.subarray(Number(from), last + 1));
      return;
    }
    if (path.endsWith('.part')) {
      response.writeHead(206, { 'cache-control': 'max-age=3600', etag: '"part"', 'content-range': 'bytes 0-3/10' });
      response.end('0123');
      return;
    }
    const respond: Respond = (body, status = 200) => {
      const given = path.endsWith('.png')
        ? { 'content-type': 'image/png' }
        : { 'content-type': 'text/plain', 'cache-control': 'max-age=3600', 'cache-tag': 'shop' };
      response.writeHead(status, { ...given, ...fields.get(path) });
      response.end(status === 304 || request.method === 'HEAD' ? undefined : body);
    };
    const answer = answers.get(path);
    if (answer === undefined) respond(String(++count));
    else answer(request, respond);
  });
  const upstream = testUpstream([testTarget(origin.port)], { read_timeout_ms: 20_000 });
  const plugins = [{ name: 'advance-proxy-cache', config }];
  route = testRoute({ hosts: [HOST], upstream, plugins });
  other = testRoute({ hosts: [OTHER], upstream, plugins });
  const routes = [route, other];
  const environment = { CORDON_EDGE_LIMITS: JSON.stringify({ changes_per_domain: CHANGES_MAX }) };
  [shield, one, two] = (await Promise.all([1, 2, 3].map(() => startEdge({ routes, workers: 2, environment })))) as [
    TestEdge,
    TestEdge,
    TestEdge,
  ];
  shield.control.setSettings(shieldedSettings(true));
  for (const node of [one, two]) node.control.setSettings(shieldedSettings(false));
  // What was cleared before nodes were started has no name: for some seconds they ask origins themselves.
  for (const node of [one, two])
    await vi.waitFor(async () => expect(statusOf(await node.request(HOST, { path: newPath() }))).toContain('Shield'), {
      timeout: 30_000,
      interval: 500,
    });
});
afterAll(async () => {
  await Promise.all([one, two, shield].map((edge) => edge?.stop()));
  await origin?.stop();
});

const newPath = () => `/${randomUUID()}`;
const statusOf = ({ headers }: EdgeAnswer) => String(headers['cache-status']);
const isShielded = (answer: EdgeAnswer) => statusOf(answer).startsWith('Cordon-Shield;');
const get = (node: TestEdge, path: string, options: EdgeRequestOptions = {}, host = HOST) =>
  node.request(host, { path, ...options });

let path = '';
beforeEach(() => {
  path = newPath();
});

describe('one request to the origin', () => {
  it('is made for the first ones at all nodes, which wait for it', async () => {
    answers.set(path, (_, respond) => setTimeout(() => respond('for all'), 300));
    const all = await Promise.all(
      Array.from({ length: 200 }, (_, at) => get(at % 2 === 0 ? one : two, path, { from: '198.41.0.7' })),
    );
    expect(new Set(all.map(({ status, body }) => `${status} ${body}`))).toEqual(new Set(['200 for all']));
    expect(asked(path)).toHaveLength(1);
    const [first] = asked(path);
    expect(first?.headers).toMatchObject({
      host: HOST,
      'x-forwarded-for': '198.41.0.7',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': HOST,
      'cdn-loop': 'cordon',
    });
    expect(Object.keys(first?.headers ?? {}).filter((name) => name.startsWith('cordon-'))).toEqual(['cordon-country']);
  });

  it('is said by Cache-Status, the nearest to the origin first, and counts where a visitor has caused it', async () => {
    const first = await get(one, path);
    expect(statusOf(first)).toMatch(
      /^Cordon-Shield; fwd=uri-miss; fwd-status=200; stored; ttl=3[56]\d\d, Cordon; fwd=uri-miss; fwd-status=200; stored; ttl=3[56]\d\d$/,
    );
    const second = await get(two, path);
    expect(second.body).toBe(first.body);
    expect(statusOf(second)).toMatch(
      /^Cordon-Shield; hit; ttl=3[56]\d\d, Cordon; fwd=uri-miss; fwd-status=200; stored;/,
    );
    expect(statusOf(await get(two, path))).toMatch(/, Cordon; hit; ttl=3[56]\d\d$/);
    expect((await one.control.row((row) => row.path === path)).upstream_address).toBe(`127.0.0.1:${origin.port}`);
    expect(await two.control.row((row) => row.path === path && row.cache === 'miss')).toMatchObject({
      upstream_address: '',
      upstream_status: 0,
    });
    await get(shield, '/own', {}, OTHER);
    await shield.control.row((row) => row.path === '/own');
    expect(shield.control.rows.filter((row) => row.path === path)).toEqual([]);
    expect(await shield.metrics()).toMatch(/log_rows_dropped 0$/m);
  });

  it('is made for each slice of a large file', async () => {
    const file = `${path}.mp4`;
    for (const node of [one, two]) {
      const { status, body } = await get(node, file);
      expect([status, body.length]).toEqual([200, BIG.length]);
    }
    expect(asked(file).map(({ headers }) => headers.range)).toEqual([
      'bytes=0-4194303',
      'bytes=4194304-8388607',
      'bytes=8388608-12582911',
    ]);
  });

  it('has no range for what does not come in slices: the whole is stored, of which each node answers parts', async () => {
    fields.set(path, { 'content-length': '10' });
    answers.set(path, (_, respond) => respond('0123456789'));
    const part = await get(one, path, { headers: { range: 'bytes=2-4' } });
    expect([part.status, part.body, part.headers['content-range']]).toEqual([206, '234', 'bytes 2-4/10']);
    const whole = await get(two, path);
    expect([whole.status, whole.body, isShielded(whole)]).toEqual([200, '0123456789', true]);
    expect((await get(two, path, { headers: { range: 'bytes=-1' } })).body).toBe('9');
    expect(asked(path).map(({ headers }) => headers.range)).toEqual([undefined]);
  });

  it('is passed on where its answer is a part that was not asked for, and is kept as a whole by none', async () => {
    const part = `${path}.part`;
    for (const node of [one, two, one]) {
      const { status, body, headers } = await get(node, part);
      expect([status, body, headers['cache-status']]).toEqual([206, '0123', expect.stringContaining('detail=partial')]);
    }
    expect(asked(part).map(({ headers }) => headers.range)).toEqual([undefined, undefined, undefined]);
  });

  it('is not shared by what is not stored, nor made through a shield for what is never stored', async () => {
    fields.set(path, { 'cache-control': 'no-store' });
    const bodies = await Promise.all([get(one, path), get(two, path)]);
    expect(bodies[0]?.body).not.toBe(bodies[1]?.body);
    const posted = await get(one, path, { method: 'POST', body: 'x' });
    expect(posted.status).toBe(200);
    expect(isShielded(posted)).toBe(false);
  });

  it('keeps fields of a visitor from others: who asked gets them, and nobody else', async () => {
    fields.set(path, { 'cache-control': 'max-age=60, private="X-Whose"', 'x-whose': 'his' });
    expect((await get(one, path)).headers['x-whose']).toBe('his');
    expect((await get(two, path)).headers['x-whose']).toBeUndefined();
    expect(asked(path)).toHaveLength(1);
  });
});

describe('age', () => {
  it('is what it is at the origin, and what the shield has had for long is no fresher at the node', async () => {
    fields.set(path, { 'cache-control': 'max-age=4' });
    const first = await get(one, path);
    await delay(2_200);
    const second = await get(two, path);
    expect([second.body, isShielded(second)]).toEqual([first.body, true]);
    expect(Number(second.headers.age)).toBeGreaterThanOrEqual(2);
    await delay(2_000);
    expect((await get(two, path)).body).not.toBe(first.body);
  });

  it('counts from when the shield got it, also for the lifetime that the settings give what says nothing of it', async () => {
    const image = `${path}.png`;
    await get(one, image);
    await delay(2_200);
    expect(statusOf(await get(two, image))).toMatch(/^Cordon-Shield; hit; ttl=719[678], .*; stored; ttl=719[678]$/);
  });

  it('goes on through validations, which a shield answers itself while what it has is fresh', async () => {
    const tag = { etag: '"1"' };
    fields.set(path, { 'cache-control': 'max-age=2', ...tag });
    const first = await get(one, path);
    // The shield's is newer than the node's from here on.
    await delay(2_200);
    answers.set(path, (request, respond) => respond(`validated ${request.headers['if-none-match'] ?? 'not'}`));
    fields.set(path, { 'cache-control': 'max-age=60', ...tag });
    const newer = await get(two, path);
    expect(newer.body).toBe('validated "1"');
    fields.set(path, { 'cache-control': 'max-age=60', etag: '"2"' });
    const again = await get(one, path);
    expect(again.body).toBe(first.body);
    expect(statusOf(again)).toMatch(/^Cordon-Shield; hit; ttl=\d\d, Cordon; fwd=stale;/);
    expect(asked(path)).toHaveLength(2);
    expect(statusOf(await get(one, path))).toMatch(/Cordon; hit; ttl=\d\d$/);
  });
});

describe('what a node has stored that is stale', () => {
  it('is never replaced by what is older, and the origin is asked once for all nodes', async () => {
    fields.set(path, { 'cache-control': 'max-age=1, stale-while-revalidate=60' });
    let version = 0;
    answers.set(path, (_, respond) => respond(String(++version)));
    const until = performance.now() + 12_000;
    const visit = async (node: TestEdge, pauseMs: number) => {
      const seen: number[] = [];
      while (performance.now() < until) {
        seen.push(Number((await get(node, path)).body));
        await delay(pauseMs);
      }
      return seen;
    };
    for (const seen of await Promise.all([visit(one, 170), visit(two, 430), visit(two, 610)])) {
      expect(seen).toEqual(seen.toSorted((a, b) => a - b));
      expect(seen.at(-1)).toBeGreaterThan(4);
    }
    expect(asked(path).length).toBeLessThan(16);
  });

  /** What a node without shields stores: newer than what the shield has, and soon stale. */
  async function storeUnshielded(node: TestEdge): Promise<string> {
    node.control.setSettings(testSettings());
    await vi.waitFor(async () => expect(isShielded(await get(node, newPath()))).toBe(false), { timeout: 10_000 });
    fields.set(path, { 'cache-control': 'max-age=1' });
    const { body } = await get(node, path);
    node.control.setSettings(shieldedSettings(false));
    await vi.waitFor(async () => expect(isShielded(await get(node, newPath()))).toBe(true), { timeout: 10_000 });
    await delay(2_000);
    return body;
  }

  it('is not answered with what is older, though that is fresh at the shield', async () => {
    const older = (await get(two, path)).body;
    await delay(1_100);
    const newer = await storeUnshielded(one);
    const newest = await get(one, path);
    expect(Number(newest.body)).toBeGreaterThan(Number(newer));
    expect(statusOf(newest)).toMatch(/^Cordon-Shield; fwd=stale; fwd-status=200; stored; .*Cordon; fwd=stale;/);
    expect([older, asked(path).length]).toEqual([(await get(two, path)).body, 3]);
  });

  it('is not replaced by an older answer for which the shield has waited: the node asks the origin', async () => {
    let release = () => {};
    answers.set(path, (_, respond) => {
      release = () => respond('older');
    });
    const slow = get(two, path);
    await vi.waitFor(() => expect(asked(path)).toHaveLength(1), { timeout: 10_000 });
    answers.set(path, (_, respond) => respond('newer'));
    await delay(1_100);
    expect(await storeUnshielded(one)).toBe('newer');
    answers.set(path, (_, respond) => respond('newest'));
    fields.set(path, { 'cache-control': 'max-age=60' });
    const waiting = get(one, path);
    await delay(300);
    release();
    const answer = await waiting;
    expect([answer.body, isShielded(answer), (await slow).body]).toEqual(['newest', false, 'older']);
    expect((await get(one, path)).body).toBe('newest');
  });

  it('is validated by one request of the shield, and fresh then', async () => {
    fields.set(path, { 'cache-control': 'max-age=2, stale-while-revalidate=60', etag: '"1"' });
    const { body } = await get(one, path);
    answers.set(path, (_, respond) => respond('', 304));
    await delay(3_100);
    const stale = await get(one, path);
    expect([stale.body, statusOf(stale)]).toEqual([body, expect.stringMatching(/Cordon; hit; ttl=-\d$/)]);
    await delay(300);
    expect(statusOf(await get(one, path))).toMatch(/Cordon; hit; ttl=[012]$/);
    expect(asked(path).map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"1"']);
  });
});

describe('a clear that a node has carried out', () => {
  it.each([
    ['all', () => []],
    ['urls', () => [`${HOST}${path}`]],
    ['prefixes', () => ['/']],
    ['tags', () => ['shop']],
  ] as const)('by %s, is never undone by a shield that has not heard of it', async (kind, values) => {
    const before = (await get(one, path)).body;
    await get(two, path);
    await one.control.cleared(route.id, kind, values());
    const after = await get(one, path);
    expect(after.body).not.toBe(before);
    expect(isShielded(after)).toBe(true);
    // Not by what others have the shield store after that either.
    expect((await get(two, path)).body).toBe(before);
    await one.control.cleared(route.id, kind, values());
    expect(Number((await get(one, path)).body)).toBeGreaterThan(Number(after.body));
  });

  it('holds for a slow answer from before it that the shield is still given', async () => {
    let release = () => {};
    answers.set(path, (_, respond) => {
      release = () => respond('old');
    });
    const slow = get(two, path);
    await vi.waitFor(() => expect(asked(path)).toHaveLength(1), { timeout: 10_000 });
    answers.set(path, (_, respond) => respond('new'));
    await one.control.cleared(route.id, 'urls', [`${HOST}${path}`]);
    expect((await get(one, path)).body).toBe('new');
    release();
    // What has become older than the other one by a second gives way to it.
    expect((await slow).body).toMatch(/^(old|new)$/);
    await one.control.cleared(route.id, 'tags', ['none']);
    await one.control.cleared(route.id, 'urls', [`${HOST}${path}`]);
    expect((await get(one, path)).body).toBe('new');
  });

  it('costs nothing more once the shield has carried it out, too', async () => {
    await get(one, path);
    const id = randomUUID();
    const clear: EdgeClear = { id, route_id: route.id, kind: 'all', values: [], soft: false };
    for (const node of [shield, one, two]) await node.control.clearAs(clear);
    const first = await get(one, path);
    const second = await get(two, path);
    expect([second.body, statusOf(second).startsWith('Cordon-Shield; hit')]).toEqual([first.body, true]);
    expect(asked(path)).toHaveLength(2);
  });

  it('has the node ask the origin itself where there were more than it can name', async () => {
    const many = testRoute({ hosts: ['many.test'], upstream: route.upstream, plugins: route.plugins });
    for (const node of [shield, one]) await node.deploy(many);
    expect(isShielded(await get(one, newPath(), {}, 'many.test'))).toBe(false);
    // What a route brings with it is cleared without a name.
    await vi.waitFor(async () => expect(isShielded(await get(one, newPath(), {}, 'many.test'))).toBe(true), {
      timeout: 20_000,
      interval: 500,
    });
    for (let at = 0; at < 21; at++) await one.control.cleared(many.id, 'urls', [`many.test/${at}`]);
    expect(isShielded(await get(one, newPath(), {}, 'many.test'))).toBe(false);
    expect(isShielded(await get(one, newPath()))).toBe(true);
  });
});

describe('what an unsafe method changes', () => {
  it('is had of the shield by the node that it passed, made after it', async () => {
    const before = (await get(one, path)).body;
    await get(two, path);
    await get(one, path, { method: 'POST', body: 'x' });
    const after = await get(one, path);
    expect([after.body === before, isShielded(after)]).toEqual([false, true]);
    expect((await get(two, path)).body).toBe(before);
  });

  it('is not had of a fetch for another node that was under way before it', async () => {
    let release: (() => void) | undefined;
    answers.set(path, ({ method }, respond) => {
      if (method === 'POST') respond('');
      else if (release === undefined) release = () => respond('before');
      else respond('after');
    });
    const waiting = get(two, path);
    await vi.waitFor(() => expect(asked(path)).toHaveLength(1));
    // The origin says when an answer was made, in whole seconds: when it was asked for is known better.
    await delay(1500);
    await get(one, path, { method: 'POST', body: 'x' });
    const asking = get(one, path);
    await delay(200);
    release?.();
    // Where the shield seems gone, on a busy machine, the origin was asked once more.
    expect(['before', 'after']).toContain((await waiting).body);
    expect((await asking).body).toBe('after');
  });

  /** Kills nginx of the node, and waits until it fetches through the shield again. */
  async function startAnew(): Promise<void> {
    process.kill(one.nginxPid, 'SIGKILL');
    await delay(500);
    await one.ready();
    await vi.waitFor(async () => expect(isShielded(await get(one, newPath()))).toBe(true), {
      timeout: 20_000,
      interval: 300,
    });
  }

  it('is so also after nginx was started anew', async () => {
    const before = (await get(two, path)).body;
    await get(one, path);
    await get(one, path, { method: 'PUT', body: 'x' });
    await startAnew();
    const after = await get(one, path);
    expect([after.status, after.body === before, isShielded(after)]).toEqual([200, false, true]);
  });

  it('is so also after nginx was started anew on a node that had nothing of it', async () => {
    const before = (await get(two, path)).body;
    await get(one, path, { method: 'DELETE' });
    await startAnew();
    const after = await get(one, path);
    expect([after.status, after.body === before]).toEqual([200, false]);
  });

  it('is so also after a start of a node that could not note all of them, which fetches what is new through the shield again', async () => {
    const before = (await get(two, path)).body;
    await get(one, path, { method: 'DELETE' });
    for (let at = 0; at <= CHANGES_MAX + 5; at++) await get(one, newPath(), { method: 'POST', body: 'x' });
    await startAnew();
    const after = await get(one, path);
    expect([after.status, after.body === before, isShielded(after)]).toEqual([200, false, true]);
  });

  it('is so also where the node had nothing of it', async () => {
    const before = (await get(two, path)).body;
    await get(one, path, { method: 'DELETE' });
    const after = await get(one, path);
    expect([after.body === before, isShielded(after)]).toEqual([false, true]);
  });

  it('leaves what the node has alone where it is of URLs that nothing is stored of, however many', async () => {
    await get(one, path);
    for (let at = 0; at <= CHANGES_MAX + 5; at++) await get(one, newPath(), { method: 'POST', body: 'x' });
    expect((await get(one, path)).headers['cache-status']).toMatch(/Cordon; hit/);
  });

  it('is so of more URLs than can be noted: what is older than the last of them is had anew, once for all', async () => {
    const unchanged = newPath();
    const [before, older] = [(await get(two, path)).body, (await get(two, unchanged)).body];
    await get(one, path, { method: 'POST', body: 'x' });
    for (let at = 0; at <= CHANGES_MAX; at++) await get(one, newPath(), { method: 'POST', body: 'x' });
    const [after, newer] = [await get(one, path), await get(one, unchanged)];
    expect([after.body === before, newer.body === older, isShielded(after), isShielded(newer)]).toEqual([
      ...[false, false],
      ...[true, true],
    ]);
    expect((await get(one, unchanged)).body).toBe(newer.body);
  });
});

/** As `signNote` of the runner. */
function sign(over: Record<string, string | number> = {}, key = KEY, method = 'GET'): string {
  const note = {
    ...{ nonce: randomUUID(), at: Math.floor(Date.now() / 1000), route: route.id, version: 1, scheme: 'http' },
    ...{ host: HOST, client: '198.41.0.9', id: randomUUID(), age: '', clears: '', target: path },
    ...over,
  };
  const { nonce, at, route: id, version, scheme, host, client, id: requestId, age, clears, target } = note;
  const text = ['2', nonce, at, id, version, scheme, host, client, requestId, age, clears].join('~');
  const signature = createHmac('sha256', signingKey(key)).update(`shield ${text}~${method} ${target}`).digest('hex');
  return `${text}~${signature}`;
}

/** @param left Ends the connection, whether an answer has come or not. */
function askShield(
  field: string | undefined,
  name = shieldName(CZONE),
  left?: AbortSignal,
): Promise<{ status: number; said: unknown; cacheStatus: unknown }> {
  return new Promise((resolve, reject) => {
    const call = requestTls(
      {
        ...{ host: '127.0.0.1', port: shield.httpsPort, path, servername: name, rejectUnauthorized: false },
        headers: { host: name, ...(field === undefined ? {} : { 'cordon-shield': field }) },
        ...{ agent: false, signal: left },
      },
      (response) => {
        response.resume();
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            said: response.headers['cordon-shielded'],
            cacheStatus: response.headers['cache-status'],
          }),
        );
      },
    );
    call.on('error', reject);
    call.end();
  });
}

it('what is fetched for a node that is gone by then is stored for the others that wait for it', async () => {
  const released: (() => void)[] = [];
  answers.set(path, (_, respond) => released.push(() => respond('for all')));
  const leaving = new AbortController();
  const gone = askShield(sign(), shieldName(CZONE), leaving.signal).catch(() => 'gone');
  await vi.waitFor(() => expect(released).toHaveLength(1), { timeout: 5_000 });
  const waiting = get(two, path);
  await delay(200);
  leaving.abort();
  expect(await gone).toBe('gone');
  await delay(100);
  const answeredAt = performance.now();
  for (const release of released) release();
  const answer = await waiting;
  expect((performance.now() - answeredAt) / slowdown()).toBeLessThan(1_500);
  expect([answer.status, answer.body, isShielded(answer)]).toEqual([200, 'for all', true]);
  expect(asked(path)).toHaveLength(1);
});

it('nodes that have what a shield has wait for one request of it to the origin, however fresh that is', async () => {
  fields.set(path, { etag: '"1"' });
  const known = await askShield(sign());
  answers.set(path, (_, respond) => setTimeout(() => respond('', 304), 300));
  const all = await Promise.all(Array.from({ length: 20 }, () => askShield(sign({ age: '0.000' }))));
  expect(asked(path).map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"1"']);
  expect(known.said).toMatch(/^answer 0\./);
  for (const { said, cacheStatus } of all) {
    expect(said).toMatch(/^(stored|answer) [01]\./);
    expect(cacheStatus).toMatch(/^Cordon-Shield; (hit|fwd=stale; fwd-status=304; stored); ttl=3[56]\d\d$/);
  }
  expect(all.filter(({ cacheStatus }) => String(cacheStatus).includes('304'))).toHaveLength(1);
});

describe('a shield answers nobody but nodes of its czone', () => {
  it('for one request, once, for some seconds, and for the route that is signed', async () => {
    const good = sign();
    expect(await askShield(good)).toMatchObject({
      status: 200,
      said: expect.stringMatching(/^answer 0\.\d+ 3(600|599)\./),
    });
    const before = asked(path).length;
    const refused = { status: 421, said: undefined, cacheStatus: undefined };
    expect(await askShield(good)).toEqual(refused);
    expect(await askShield(undefined)).toEqual(refused);
    expect(await askShield('1~2~3')).toEqual(refused);
    expect(await askShield(`${sign().slice(0, -1)}x`)).toEqual(refused);
    expect(await askShield(sign({}, Buffer.from('another key').toString('base64url')))).toEqual(refused);
    expect(await askShield(sign({ at: Math.floor(Date.now() / 1000) - 60 }))).toEqual(refused);
    expect(await askShield(sign({ at: Math.floor(Date.now() / 1000) + 60 }))).toEqual(refused);
    expect(await askShield(sign({ target: '/another' }))).toEqual(refused);
    expect(await askShield(sign({}, KEY, 'POST'))).toEqual(refused);
    expect(await askShield(sign(), shieldName('vip01'))).toEqual(refused);
    expect(await askShield(sign({ host: OTHER }))).toMatchObject({ status: 421, said: 'refused route' });
    expect(await askShield(sign({ version: 2 }))).toMatchObject({ status: 421, said: 'refused route' });
    expect(asked(path)).toHaveLength(before);
  });

  it('is not deceived by a visitor, whose field no origin sees', async () => {
    const answer = await get(shield, path, {
      headers: { 'Cordon-Shield': sign(), 'Cordon-Shielded': 'answer 0 9 0 0 0' },
    });
    expect([answer.status, isShielded(answer), answer.headers['cordon-shielded']]).toEqual([200, false, undefined]);
    expect(asked(path)[0]?.headers['cordon-shield']).toBeUndefined();
    expect(asked(path)[0]?.headers['x-forwarded-for']).toBe('127.0.0.1');
    await shield.control.row((row) => row.path === path);
  });

  it('is known to nodes by the certificate of the key: who shows another is told nothing', async () => {
    const { certificate, privateKey } = makeShieldCertificate(CZONE, Buffer.from('another').toString('base64url'));
    let handshakes = 0;
    let requests = 0;
    const impostor = createTlsServer({ cert: certificate, key: privateKey }, (_, response) => {
      requests++;
      response.writeHead(200, { 'cordon-shielded': 'answer 0 3600 0 0 0', 'cache-control': 'max-age=3600' });
      response.end('forged');
    });
    impostor.on('connection', () => handshakes++);
    const port = await freePort();
    await new Promise<void>((resolve) => impostor.listen(port, '127.0.0.1', resolve));
    try {
      one.control.setSettings(shieldedSettings(false, port));
      await vi.waitFor(
        async () => {
          const answer = await get(one, newPath());
          expect([answer.status, answer.body === 'forged', handshakes > 0]).toEqual([200, false, true]);
        },
        { timeout: 10_000 },
      );
      expect(requests).toBe(0);
    } finally {
      one.control.setSettings(shieldedSettings(false));
      impostor.close();
      releasePort(port);
    }
    await vi.waitFor(async () => expect(isShielded(await get(one, newPath()))).toBe(true), { timeout: 10_000 });
  });
});

describe('a shield that does not answer', () => {
  const restored = async () => {
    for (const node of [one, two])
      await vi.waitFor(async () => expect(isShielded(await get(node, newPath()))).toBe(true), {
        timeout: 25_000,
        interval: 300,
      });
  };

  beforeEach(restored);

  function freeze(): () => void {
    const children = readFileSync(`/proc/${shield.nginxPid}/task/${shield.nginxPid}/children`, 'utf8');
    const pids = [shield.nginxPid, ...children.trim().split(' ').map(Number)];
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    return () => {
      // Who hangs for long is ended by the agent.
      for (const pid of pids) if (existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGCONT');
    };
  }

  /** Of visits at once, which are all answered: how long each took, in milliseconds. */
  const timesOf = (count: number, visit: (at: number) => Promise<EdgeAnswer>): Promise<number[]> =>
    Promise.all(
      Array.from({ length: count }, async (_, at) => {
        const began = performance.now();
        expect((await visit(at)).status).toBe(200);
        return performance.now() - began;
      }),
    );

  it('is frozen while many ask for what is stale and what is new: each node asks the origin once, and nobody waits long', async () => {
    const fresh = newPath();
    answers.set(fresh, (_, respond) => setTimeout(() => respond('new'), 300));
    fields.set(path, { 'cache-control': 'max-age=1, stale-while-revalidate=60' });
    for (const node of [one, two]) await get(node, path);
    const before = asked(path).length;
    await delay(2_100);
    fields.set(path, {});
    const thaw = freeze();
    try {
      const times = await timesOf(100, (at) => get(at % 2 === 0 ? one : two, at % 4 < 2 ? path : fresh));
      expect(Math.max(...times)).toBeLessThan(1_000 + 500 * slowdown());
      await vi.waitFor(
        async () => {
          for (const node of [one, two]) expect(statusOf(await get(node, path))).toMatch(/ttl=3[56]\d\d$/);
        },
        { timeout: 20_000 },
      );
      expect(asked(fresh).length).toBeLessThanOrEqual(2);
      expect(asked(path).length - before).toBeLessThanOrEqual(2);
    } finally {
      thaw();
    }
  });

  it('is gone in the middle of a request: the node asks the origin, and no visitor sees it', async () => {
    let isFirst = true;
    answers.set(path, (_, respond) => {
      if (isFirst) isFirst = false;
      else respond('from the origin');
    });
    const waiting = get(one, path);
    await vi.waitFor(() => expect(asked(path)).toHaveLength(1), { timeout: 10_000 });
    process.kill(shield.nginxPid, 'SIGKILL');
    const began = performance.now();
    const next = await get(two, newPath());
    expect(next.status).toBe(200);
    expect((performance.now() - began) / slowdown()).toBeLessThan(1_000);
    const answer = await waiting;
    expect([answer.status, answer.body, isShielded(answer)]).toEqual([200, 'from the origin', false]);
    expect((await one.control.row((row) => row.path === path)).upstream_address).toBe(`127.0.0.1:${origin.port}`);
    await vi.waitFor(
      async () => {
        const metrics = await one.metrics();
        expect(metrics).toMatch(/^cordon_edge_shield_requests_total [1-9]/m);
        expect(metrics).toMatch(/^cordon_edge_shield_failures_total [1-9]/m);
      },
      { timeout: 5000 },
    );
    await shield.ready();
  });

  it('is frozen, and its connections stay: those that wait for it ask the origin within a second or little more', async () => {
    // Connections to it are kept.
    await Promise.all(Array.from({ length: 20 }, () => get(one, newPath())));
    const thaw = freeze();
    try {
      const times = await timesOf(20, async () => {
        const answer = await get(one, newPath());
        expect(isShielded(answer)).toBe(false);
        return answer;
      });
      expect(Math.max(...times)).toBeLessThan(1_000 + 300 * slowdown());
    } finally {
      thaw();
    }
  });

  it('is one of two: the other one is asked in its place', async () => {
    const port = await freePort();
    const settings = shieldedSettings(false);
    const [shields] = settings.shields ?? [];
    const [live] = shields?.nodes ?? [];
    if (shields === undefined || live === undefined) throw new Error('no shields');
    const nodes = [{ ...live, port }, live, { ...live, port: 1, is_live: false }];
    one.control.setSettings({ ...settings, shields: [{ ...shields, nodes }] });
    await delay(300);
    const asked = Array.from({ length: 12 }, () => get(one, newPath()));
    expect((await Promise.all(asked)).map(isShielded)).toEqual(asked.map(() => true));
    one.control.setSettings(settings);
    releasePort(port);
  });

  it('has no control plane for 5 s: it refuses, and nodes ask the origin', async () => {
    await get(one, path);
    await shield.control.stop();
    try {
      await vi.waitFor(async () => expect(isShielded(await get(two, newPath()))).toBe(false), {
        timeout: 10_000,
        interval: 100,
      });
      const answer = await get(two, path);
      expect([answer.status, isShielded(answer)]).toEqual([200, false]);
      await vi.waitFor(async () => expect(await two.metrics()).toMatch(/^cordon_edge_shield_refusals_total [1-9]/m), {
        timeout: 5000,
      });
    } finally {
      await shield.control.start();
    }
  });

  it('waits for an origin that stalls, for one URL alone', async () => {
    answers.set(path, (_, respond) => setTimeout(() => respond('late'), 3_000));
    const slow = get(one, path);
    await vi.waitFor(() => expect(asked(path)).toHaveLength(1), { timeout: 10_000 });
    const began = performance.now();
    for (const host of [HOST, OTHER]) {
      const answer = await get(two, newPath(), {}, host);
      expect([answer.status, isShielded(answer)]).toEqual([200, true]);
    }
    expect((performance.now() - began) / slowdown()).toBeLessThan(1_500);
    expect((await slow).body).toBe('late');
  });
});
