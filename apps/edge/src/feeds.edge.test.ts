import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { EdgeBan } from '@cordon/contract/edge-config';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** Feeds on a node: live at once, kept over restarts of each part, and filled by verdicts of plugins. */

const ban = { name: 'ban', config: { default_timeout: 3600 } };
const limit = {
  name: 'request-limit',
  config: { banpath: '^/login', findtime: 60, maxretry: 3, bantime: '10m', only_dynamic: false },
};
let origin: TestOrigin;
let edge: TestEdge;
let host = '';
let routeId = '';
let accountId = '';
let count = 0;

beforeAll(async () => {
  origin = await startOrigin();
  edge = await startEdge({ workers: 2 });
});
beforeEach(async () => {
  host = `feeds-${++count}.test`;
  const route = testRoute({
    hosts: [host],
    upstream: testUpstream([testTarget(origin.port)]),
    plugins: [ban, limit],
  });
  routeId = route.id;
  accountId = route.account_id;
  await edge.deploy(route);
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

const status = async (from: string, path = '/') => (await edge.request(host, { from, path })).status;
const push = (network: string, until: number | null = null, scope = routeId) =>
  edge.control.pushFeeds([{ feed: 'bans', scope, network, until }]);
/** Waits until the control plane has received so many bans of a client, so that no later test counts them. */
const untilReported = (client: string, times: number) =>
  edge.control.until(() => edge.control.bans.filter(({ network }) => network === client).length === times, 'the bans');
const now = () => Math.ceil(Date.now() / 1000);

async function eventually(check: () => Promise<boolean>, milliseconds = 10_000): Promise<void> {
  const startedAt = performance.now();
  while (!(await check())) {
    if (performance.now() - startedAt > milliseconds) throw new Error('it did not happen in time');
    await delay(10);
  }
}

it('are live at once, by address and range, for a route or all of its account', async () => {
  expect(await status('8.8.8.8')).toBe(200);
  push('8.8.8.8');
  await eventually(async () => (await status('8.8.8.8')) === 403);
  expect(await status('8.8.8.9')).toBe(200);
  push('8.8.8.0/24');
  await eventually(async () => (await status('8.8.8.9')) === 403);
  push('2606:4700::/48', null, accountId);
  await eventually(async () => (await status('2606:4700:0:1::1')) === 403);
  expect(await status('2606:4700:1::1')).toBe(200);
  push('8.8.8.8', 0);
  push('8.8.8.0/24', 0);
  push('2606:4700::/48', 0, accountId);
  await eventually(async () => (await status('8.8.8.8')) === 200 && (await status('2606:4700:0:1::1')) === 200);
});

it('are left out where they are no network, and keep no visitor from the site', async () => {
  for (const network of ['8.8.8.0/33', '0.0.0.0/0x', '::1/129', 'all', '']) push(network);
  push('8.8.8.8');
  await eventually(async () => (await status('8.8.8.8')) === 403);
  expect([await status('8.8.8.9'), await status('2606:4700::1')]).toEqual([200, 200]);
});

it('end when their time is over', async () => {
  push('8.8.4.4');
  await eventually(async () => (await status('8.8.4.4')) === 403);
  const end = now() + 2;
  push('8.8.4.4', end);
  await eventually(async () => (await status('8.8.4.4')) === 200);
  expect(now()).toBeGreaterThanOrEqual(Math.floor(end));
});

it('hold with the first request of a route that comes after them', async () => {
  const later = testRoute({ hosts: ['later.test'], upstream: testUpstream([testTarget(origin.port)]), plugins: [ban] });
  push('8.8.4.4', null, later.id);
  push('8.8.4.5', null, later.account_id);
  await edge.deploy(later);
  const answers = ['8.8.4.4', '8.8.4.5', '8.8.4.6'].map((from) => edge.request('later.test', { from }));
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([403, 403, 200]);
});

it('of a route say nothing about another', async () => {
  push('8.8.4.4', null, '00000000-0000-4000-8000-00000000dead');
  push('8.8.4.5');
  await eventually(async () => (await status('8.8.4.5')) === 403);
  expect(await status('8.8.4.4')).toBe(200);
});

it('of the allow list let a client pass all protection at once, also one that is banned, and ban it no more', async () => {
  host = 'allowed.test';
  const restriction = {
    name: 'ip-restriction',
    config: { whitelistMode: false, blacklistMode: true, allow: [], deny: ['8.8.5.0/24'], allow_spiders: false },
  };
  const allowed = testRoute({
    hosts: [host],
    upstream: testUpstream([testTarget(origin.port)]),
    plugins: [{ name: 'allow-list', config: {} }, ban, restriction, limit],
  });
  await edge.deploy(allowed);
  const pushAllowed = (network: string, until: number | null = null) =>
    edge.control.pushFeeds([{ feed: 'allowed', scope: allowed.account_id, network, until }]);
  push('8.8.5.5', null, allowed.id);
  await eventually(async () => (await status('8.8.5.5')) === 403);
  pushAllowed('8.8.5.0/28');
  await eventually(async () => (await status('8.8.5.5')) === 200);
  for (let request = 0; request < 5; request++) expect(await status('8.8.5.6', '/login')).toBe(200);
  expect(await status('8.8.5.16')).toBe(403);
  const row = await edge.control.row(({ client_address: from }) => from === '8.8.5.6', 'the row of the client');
  expect(row).toMatchObject({ action: 'allow', plugin: 'allow-list', reason: 'allow_listed' });
  pushAllowed('8.8.5.0/28', 0);
  await eventually(async () => (await status('8.8.5.5')) === 403 && (await status('8.8.5.6')) === 403);
  expect(edge.control.bans.filter(({ network }) => network === '8.8.5.6')).toEqual([]);
});

it('are kept when nginx dies, and when the agent starts without a control plane', async () => {
  push('9.9.9.9');
  await eventually(async () => (await status('9.9.9.9')) === 403);
  process.kill(edge.nginxPid, 'SIGKILL');
  await eventually(async () => (await status('9.9.9.9').catch(() => 0)) === 403, 15_000);
  await edge.control.stop();
  try {
    await edge.stopAgent();
    edge.startAgent();
    await edge.ready();
    await eventually(async () => (await status('9.9.9.9').catch(() => 0)) === 403, 15_000);
    expect(await status('9.9.9.8')).toBe(200);
  } finally {
    await edge.control.start();
    await edge.control.until(() => edge.control.streams > 0, 'the edge to come back', 15_000);
  }
});

it('of a snapshot replace what was known: what is no longer in it no longer holds', async () => {
  push('9.9.9.1');
  push('9.9.9.2');
  await eventually(async () => (await status('9.9.9.1')) === 403 && (await status('9.9.9.2')) === 403);
  edge.control.dropFeed('9.9.9.1');
  edge.control.forgetHistory();
  await eventually(async () => (await status('9.9.9.1')) === 200);
  expect(await status('9.9.9.2')).toBe(403);
});

it('take in whom a verdict bans: here at once, and the control plane hears of it', async () => {
  const client = '7.7.7.7';
  expect([await status(client, '/login'), await status(client, '/login')]).toEqual([200, 200]);
  expect(await status(client, '/login')).toBe(429);
  // The whole domain, not only the path that counts; on each of the two workers.
  for (let request = 0; request < 20; request++) expect(await status(client)).toBe(403);
  expect(await status('7.7.7.8')).toBe(200);
  await edge.control.until(() => edge.control.bans.some(({ route_id }) => route_id === routeId), 'the ban');
  const bans = edge.control.bans.filter(({ route_id }) => route_id === routeId);
  expect(bans).toMatchObject([
    {
      network: client,
      seconds: 600,
      plugin: 'request-limit',
      reason: 'too_many_requests',
      feeds_cursor: expect.stringMatching(/^\d+$/),
    },
  ]);
  const row = await edge.control.row(({ request_id }) => request_id === bans[0]?.request_id, 'the row of the ban');
  expect(row).toMatchObject({ plugin: 'request-limit', action: 'block', status: 429, client_address: client });
});

it('tell a client that has sent too much to come back, and when', async () => {
  const ask = (path: string, language: string, from: string, accept = 'text/html') =>
    edge.request(host, { from, path, headers: { 'accept-language': language, accept } });
  for (const [language, from, time, said] of [
    ['en', '7.7.7.9', 'Try again in 10 minutes.', 'does not accept requests from your address at the moment'],
    ['zh', '7.7.7.10', '请在 10 分钟后再试。', '本站暂不接受来自您 IP 的请求'],
  ] as const) {
    for (let request = 0; request < 2; request++) await ask('/login', language, from);
    const refused = await ask('/login', language, from);
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '600' } });
    expect(refused.body).toContain(time);
    for (const accept of ['text/html', 'application/json']) {
      const banned = await ask('/', language, from, accept);
      expect(banned.status).toBe(403);
      expect(banned.body).toContain(said);
      const left = Number(banned.headers['retry-after']);
      expect(left).toBeGreaterThan(500);
      expect(left).toBeLessThanOrEqual(601);
    }
  }
  push('7.7.7.11');
  await eventually(async () => (await status('7.7.7.11')) === 403);
  expect((await ask('/', 'en', '7.7.7.11')).headers).not.toHaveProperty('retry-after');
});

it("keep a person's ban where a node's ends earlier", async () => {
  const short = { ...limit, config: { ...limit.config, bantime: '2s' } };
  const route = testRoute({
    hosts: ['short.test'],
    upstream: testUpstream([testTarget(origin.port)]),
    plugins: [ban, short],
  });
  await edge.deploy(route);
  const answer = async (from: string, path = '/') => (await edge.request('short.test', { from, path })).status;
  // The second one is banned after the first, by its own excess only: what ends with its ban has ended for both.
  for (const from of ['7.7.9.9', '7.7.9.8']) for (let request = 0; request < 3; request++) await answer(from, '/login');
  push('7.7.9.9', null, route.id);
  for (const from of ['7.7.9.9', '7.7.9.8']) await untilReported(from, 1);
  await eventually(async () => (await answer('7.7.9.8')) === 200);
  expect(await answer('7.7.9.9')).toBe(403);
});

it('take in the whole /64 of a client with IPv6', async () => {
  for (let request = 1; request <= 3; request++) await status(`2606:4700:7::${request}`, '/login');
  expect(await status('2606:4700:7::ffff')).toBe(403);
  expect(await status('2606:4700:7:1::1')).toBe(200);
  await edge.control.until(() => edge.control.bans.some(({ network }) => network === '2606:4700:7::/64'), 'the ban');
});

it('leave a client all its requests again when the time of its ban is over, however far back requests are counted', async () => {
  const short = { ...limit, config: { ...limit.config, findtime: 3600, maxretry: 5, bantime: '1s' } };
  const client = '7.7.8.1';
  host = `feeds-short-${count}.test`;
  const upstream = testUpstream([testTarget(origin.port)]);
  await edge.deploy(testRoute({ hosts: [host], upstream, plugins: [ban, short] }));
  const logins = async (times: number) => {
    const answers: number[] = [];
    for (let request = 0; request < times; request++) answers.push(await status(client, '/login'));
    return answers;
  };
  expect(await logins(5)).toEqual([200, 200, 200, 200, 429]);
  // What is refused during the ban is no part of the next count.
  expect(await logins(3)).toEqual([403, 403, 403]);
  await eventually(async () => (await status(client)) === 200);
  expect(await logins(5)).toEqual([200, 200, 200, 200, 429]);
  await untilReported(client, 2);
});

it('come of what the rule in force has counted, not of what another one did before it', async () => {
  const client = '7.7.8.3';
  host = `feeds-rules-${count}.test`;
  const wide = { ...limit, config: { ...limit.config, banpath: '.*', maxretry: 100 } };
  const upstream = testUpstream([testTarget(origin.port)]);
  const route = testRoute({ hosts: [host], upstream, plugins: [ban, wide] });
  await edge.deploy(route);
  for (let request = 0; request < 4; request++) expect(await status(client)).toBe(200);
  await edge.deploy({ ...route, plugins: [ban, limit] });
  expect([await status(client, '/login'), await status(client, '/login')]).toEqual([200, 200]);
  expect(await status(client, '/login')).toBe(429);
  await untilReported(client, 1);
});

it('leave a client all its requests again when its ban is lifted', async () => {
  const client = '7.7.8.2';
  for (let request = 0; request < 3; request++) await status(client, '/login');
  expect(await status(client, '/login')).toBe(403);
  // Told of it late, the control plane would have it banned again.
  await untilReported(client, 1);
  push(client, 0);
  await eventually(async () => (await status(client)) === 200);
  expect([await status(client, '/login'), await status(client, '/login')]).toEqual([200, 200]);
  expect(await status(client, '/login')).toBe(429);
  await untilReported(client, 2);
});

it('keep a ban of this node while the control plane is away, over a restart of nginx, and tell of it afterwards', async () => {
  await edge.control.stop();
  try {
    for (let request = 0; request < 3; request++) await status('6.6.6.6', '/login');
    expect(await status('6.6.6.6')).toBe(403);
    // The agent has it, as the figure says: only then may nginx die.
    await eventually(async () => /bans_waiting 1\b/.test(await edge.metrics()));
    process.kill(edge.nginxPid, 'SIGKILL');
    await eventually(async () => (await status('6.6.6.6').catch(() => 0)) === 403, 15_000);
  } finally {
    await edge.control.start();
  }
  await edge.control.until(() => edge.control.bans.some(({ network }) => network === '6.6.6.6'), 'the ban', 15_000);
});

it('of this node are reported by the agent after one that was killed before the control plane had heard of them', async () => {
  await edge.control.stop();
  try {
    for (let request = 0; request < 3; request++) await status('6.6.6.7', '/login');
    await eventually(async () => /bans_waiting 1\b/.test(await edge.metrics()));
    // On disk, from where the next agent has it.
    await eventually(async () => readFileSync(join(edge.dir, 'state/journal.ndjson'), 'utf8').includes('6.6.6.7'));
    await edge.killAgent();
  } finally {
    await edge.control.start();
  }
  edge.startAgent();
  await edge.ready();
  await edge.control.until(() => edge.control.bans.some(({ network }) => network === '6.6.6.7'), 'the ban', 15_000);
  expect(edge.control.bans.find(({ network }) => network === '6.6.6.7')).toMatchObject({
    plugin: 'request-limit',
    reason: 'too_many_requests',
    seconds: expect.any(Number),
  });
});

it('of this node are reported by the agent after one that was killed before it had written them down', async () => {
  // Those of the agent before are on disk.
  await eventually(async () => (await edge.takeBans()).bans === undefined);
  await edge.killAgent();
  for (let request = 0; request < 3; request++) await status('6.6.6.8', '/login');
  // An agent that has taken it, and comes no further. Another one before the next does not lose it either.
  for (let agent = 0; agent < 2; agent++) expect((await edge.takeBans()).bans).toHaveLength(1);
  const [given = ''] = (await edge.takeBans()).bans ?? [];
  const { network, feeds_cursor: heard } = JSON.parse(given) as EdgeBan;
  expect([network, heard]).toEqual(['6.6.6.8', expect.stringMatching(/^\d+$/)]);
  push('6.6.6.8', 0);
  edge.startAgent();
  await edge.ready();
  await untilReported('6.6.6.8', 1);
  // Of the lift nginx has heard after its ban, whenever that is reported.
  expect(edge.control.bans.find(({ network }) => network === '6.6.6.8')?.feeds_cursor).toBe(heard);
  // Once it is on disk, nginx gives the next one.
  for (let request = 0; request < 3; request++) await status('6.6.6.9', '/login');
  await untilReported('6.6.6.9', 1);
  await eventually(async () => (await edge.takeBans()).bans === undefined);
  expect(edge.control.bans.filter(({ network }) => network === '6.6.6.8')).toHaveLength(1);
});

it('leave room for bans of the node, whatever the control plane sends, and tell when there is none for more', async () => {
  const small = await startEdge({ environment: { CORDON_EDGE_FEEDS_MB: '1' } });
  try {
    const strict = { ...limit, config: { ...limit.config, maxretry: 2 } };
    const full = testRoute({
      hosts: ['full.test'],
      upstream: testUpstream([testTarget(origin.port)]),
      plugins: [ban, strict],
    });
    await small.deploy(full);
    const entries = Array.from({ length: 20_000 }, (_, at) => ({
      feed: 'bans',
      scope: full.id,
      network: `20.${at >> 16}.${(at >> 8) & 255}.${at & 255}`,
      until: null,
    }));
    small.control.pushFeeds(entries);
    const answer = async (from: string, path = '/') => (await small.request('full.test', { from, path })).status;
    await eventually(async () => (await answer('20.0.0.0')) === 403);
    await eventually(async () => Number(/feed_entries_failed (\d+)/.exec(await small.metrics())?.[1]) > 0);
    await eventually(async () => /^cordon_edge_feeds_full 1$/m.test(await small.metrics()));
    const ready = (await (await fetch(`http://127.0.0.1:${small.agentPort}/readyz`)).json()) as {
      ready: boolean;
      parts: { name: string; isReady: boolean }[];
    };
    expect(ready).toMatchObject({
      ready: true,
      parts: expect.arrayContaining([expect.objectContaining({ name: 'feeds', isReady: false })]),
    });
    expect(await answer('20.0.0.0')).toBe(403);
    expect(await answer('30.0.0.1')).toBe(200);
    expect([await answer('30.0.0.2', '/login'), await answer('30.0.0.2', '/login'), await answer('30.0.0.2')]).toEqual([
      200, 429, 403,
    ]);
    // A switch for all visitors of another domain, as Under Attack mode is one.
    const attacked = testRoute({
      hosts: ['attacked.test'],
      upstream: testUpstream([testTarget(origin.port)]),
      plugins: [ban],
    });
    await small.deploy(attacked);
    small.control.pushFeeds([{ feed: 'bans', scope: attacked.id, network: '0.0.0.0/0', until: null }]);
    await eventually(async () => (await small.request('attacked.test', { from: '40.0.0.1' })).status === 403);

    // Until there is no room for bans of the node either: they are reported, and nothing else is given up for them.
    const reported = (network: string) => small.control.bans.some((given) => given.network === network);
    let last = '';
    for (let at = 0; at < 4000 && (last === '' || (await answer(last)) === 403); at++) {
      last = `31.0.${at >> 8}.${at & 255}`;
      await answer(last, '/login');
      expect(await answer(last, '/login')).toBe(429);
    }
    expect(await answer(last)).toBe(200);
    await small.control.until(() => reported(last), 'the ban that found no room');
    await eventually(async () => small.stderr.includes('a ban is not kept on this node: no memory'));
    expect([await answer('20.0.0.0'), await answer('30.0.0.2')]).toEqual([403, 403]);
  } finally {
    await small.stop();
  }
});

it('of a node leave room for other accounts, however many clients one account bans, and are given back when they end', async () => {
  const small = await startEdge({ environment: { CORDON_EDGE_FEEDS_MB: '1' }, workers: 2 });
  try {
    const rule = (bantime: string) => [ban, { ...limit, config: { ...limit.config, maxretry: 2, bantime } }];
    const upstream = testUpstream([testTarget(origin.port)]);
    const free = (name: string, bantime = '30d', more = {}) =>
      testRoute({ hosts: [name], tier: 'free', upstream, plugins: rule(bantime), ...more });
    const greedy = free('greedy.test');
    const second = free('second.test', '30d', { account_id: greedy.account_id });
    const [other, short] = [free('other.test'), free('short.test', '8s')];
    for (const route of [greedy, second, other, short]) await small.deploy(route);
    const answer = async (name: string, from: string, path = '/') => (await small.request(name, { from, path })).status;
    /** Of two requests, the second of which is one too many. */
    const exceed = async (name: string, from: string) => {
      await answer(name, from, '/login');
      return answer(name, from, '/login');
    };
    const exceedAll = async (names: readonly string[], network: string, clients: number) => {
      const answers = new Set<number>();
      for (let at = 0; at < clients; at += 50) {
        const some = Array.from({ length: 50 }, (_, of) => at + of);
        const given = some.map((of) => exceed(names[of % names.length] ?? '', `${network}.${of >> 8}.${of & 255}`));
        for (const status of await Promise.all(given)) answers.add(status);
      }
      return [...answers];
    };

    await exceedAll(['short.test'], '30.0', 1200);
    expect([await exceed('short.test', '30.1.0.0'), await answer('short.test', '30.1.0.0')]).toEqual([429, 200]);

    // All are refused, a thousand are banned.
    expect(await exceedAll(['greedy.test', 'second.test'], '31.0', 2000)).toEqual([429]);
    expect([await answer('greedy.test', '31.0.0.0'), await answer('second.test', '31.0.0.1')]).toEqual([403, 403]);
    expect(await answer('second.test', '31.0.7.207')).toBe(200);
    const ofGreedy = small.control.bans.filter(({ route_id }) => route_id === greedy.id || route_id === second.id);
    expect(ofGreedy.length).toBeLessThan(1100);

    small.control.pushFeeds([{ feed: 'bans', scope: other.id, network: '8.8.8.8', until: null }]);
    await eventually(async () => (await answer('other.test', '8.8.8.8')) === 403);
    expect([await exceed('other.test', '9.9.9.9'), await answer('other.test', '9.9.9.9')]).toEqual([429, 403]);

    const isBanned = async (name: string, from: string) => {
      await exceed(name, from);
      return (await answer(name, from)) === 403;
    };
    await eventually(() => isBanned('short.test', '30.1.0.0'), 15_000);
    // The control plane has taken them over, and counts them itself.
    small.control.pushFeeds(
      ofGreedy.map(({ route_id, network }) => ({ feed: 'bans', scope: route_id, network, until: now() + 600 })),
    );
    await eventually(() => isBanned('greedy.test', '31.1.0.0'));
  } finally {
    await small.stop();
  }
});

it('of a route that the node no longer serves are forgotten: with the route the control plane tells all of them again', async () => {
  const leaving = testRoute({
    hosts: ['leaving.test'],
    upstream: testUpstream([testTarget(origin.port)]),
    plugins: [ban],
  });
  const stays = testRoute({
    hosts: ['stays.test'],
    upstream: leaving.upstream,
    plugins: [ban],
    account_id: leaving.account_id,
  });
  const answer = async (name: string, from: string) => (await edge.request(name, { from })).status;
  const answers = async () => [
    await answer('leaving.test', '8.8.4.4'),
    await answer('leaving.test', '8.8.4.5'),
    await answer('stays.test', '8.8.4.5'),
  ];
  await edge.deploy(leaving);
  await edge.deploy(stays);
  push('8.8.4.4', null, leaving.id);
  push('8.8.4.5', null, leaving.account_id);
  await eventually(async () => (await answers()).join() === '403,403,403');
  await edge.remove(leaving.id);
  edge.control.dropFeed('8.8.4.4');
  await edge.deploy({ ...leaving, version: 2 });
  expect(await answers()).toEqual([200, 403, 403]);
  await edge.remove(leaving.id);
  await edge.remove(stays.id);
  edge.control.dropFeed('8.8.4.5');
  // Nothing of it is left on disk either.
  await edge.stopAgent();
  edge.startAgent();
  await edge.ready();
  await edge.deploy({ ...stays, version: 2 });
  expect(await answer('stays.test', '8.8.4.5')).toBe(200);
});

it('of this node are kept over a snapshot that does not tell of them', async () => {
  for (let request = 0; request < 3; request++) await status('5.5.5.5', '/login');
  await untilReported('5.5.5.5', 1);
  push('5.5.5.6');
  await eventually(async () => (await status('5.5.5.6')) === 403);
  edge.control.dropFeed('5.5.5.6');
  expect(edge.control.bans.filter(({ network }) => network === '5.5.5.5')).toHaveLength(1);
  edge.control.forgetHistory();
  // The snapshot cannot include its lift: the control plane answers the report with it.
  await untilReported('5.5.5.5', 2);
  await eventually(async () => (await status('5.5.5.6')) === 200);
  expect(await status('5.5.5.5')).toBe(403);
  push('5.5.5.5', 0);
  await eventually(async () => (await status('5.5.5.5')) === 200);
});
