import { createHmac, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { AdminClient } from './agent/admin-client.ts';
import { adminSocketIn } from './agent/run-dir.ts';
import { toRunnerSettings } from './agent/runner-route.ts';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testSettings, testTarget, testUpstream } from './testing/routes.ts';
import { type EdgeAnswer, startEdge, type TestEdge } from './testing/start-edge.ts';

let edge: TestEdge;
let origin: TestOrigin;
let asked: string[];
const KEY = 'key-of-the-tests';

const protectedRoute = testRoute({
  hosts: ['protected.test', { name: 'unproved.test', verified: false }],
  plugins: [
    {
      name: 'ip-restriction',
      config: { allow: [], deny: ['45.10.20.0/24'], whitelistMode: false, blacklistMode: true, allow_spiders: true },
    },
    {
      name: 'request-limit',
      config: { banpath: '^/login', findtime: 240, maxretry: 20, bantime: '3h', only_dynamic: false },
    },
    { name: 'challenge', config: { mode: 'js', path: '^/account', pass_time: '30m' } },
  ],
});
/** Asks DNS whether who claims to be a crawler is one; lets all pass. */
const waitingRoute = testRoute({
  hosts: ['waiting.test'],
  plugins: [
    {
      name: 'ip-restriction',
      config: { allow: ['45.10.20.0/24'], deny: [], whitelistMode: true, blacklistMode: false, allow_spiders: true },
    },
    {
      name: 'geoip',
      config: {
        mode: 'Blacklist',
        blacklist_countries: ['KP'],
        whitelist_countries: [],
        whitelist_ips: [],
        combine_geoip: true,
      },
    },
    {
      name: 'blackrules',
      config: {
        black_rules: [
          {
            name: 'all',
            action: 'log',
            enabled: true,
            when: {
              match: 'all',
              not: false,
              conditions: [{ field: 'path', test: 'begins_with', values: ['/'], ignore_case: false, not: false }],
            },
          },
        ],
      },
    },
  ],
});
const otherRoute = testRoute({ hosts: ['other.test'] });

beforeAll(async () => {
  asked = [];
  origin = await startOrigin((request, response) => {
    asked.push(`${request.headers.host}${request.url} ${request.headers['cordon-test'] ?? ''}`);
    response.end('origin');
  });
  const upstream = testUpstream([testTarget(origin.port)]);
  edge = await startEdge({
    routes: [
      { ...protectedRoute, upstream },
      { ...otherRoute, upstream },
      { ...waitingRoute, upstream },
    ],
  });
});

afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

const attack = (target: string, more: object = {}) => ({
  method: 'GET',
  target,
  headers: [{ name: 'User-Agent', value: 'Cordon-Test/1.0' }],
  address: '192.0.2.7',
  country: '',
  times: 1,
  ...more,
});

describe('a test attack', () => {
  it('goes through the pipeline that is live, and never to the origin', async () => {
    const results = await edge.control.runTest({
      route_id: protectedRoute.id,
      host: 'protected.test',
      requests: [
        attack('/'),
        attack('/', { address: '45.10.20.9' }),
        attack('/account', { headers: [{ name: 'Accept', value: 'text/html' }] }),
        attack('/static/%2e%2e/%2e%2e/etc/passwd'),
      ],
    });
    expect(results).toMatchObject([
      { status: 204, is_judged: true, action: '' },
      {
        status: 403,
        is_judged: true,
        plugin: 'ip-restriction',
        action: 'block',
        reason: 'in_deny_list',
        rule: '45.10.20.0/24',
      },
      { status: 403, is_judged: true, plugin: 'challenge', action: 'challenge', reason: 'proof_required' },
      { status: 400, is_judged: false },
    ]);
    expect(asked).toEqual([]);
    const row = await edge.control.row(({ request_id }) => request_id === results[1]?.request_id);
    expect(row).toMatchObject({
      ...{ route_id: protectedRoute.id, client_address: '45.10.20.9', plugin: 'ip-restriction' },
      is_test: true,
    });
  });

  it('of many requests is stopped at the last, leaves one row and no ban, and can be repeated', async () => {
    for (let round = 0; round < 2; round++) {
      const [result] = await edge.control.runTest({
        route_id: protectedRoute.id,
        host: 'protected.test',
        requests: [attack(`/login/${round}`, { times: 20, address: '203.0.113.5', country: 'DE' })],
      });
      expect(result).toMatchObject({ status: 429, plugin: 'request-limit', reason: 'too_many_requests' });
      await edge.control.row(({ request_id }) => request_id === result?.request_id);
      expect(edge.control.rows.filter(({ path }) => path === `/login/${round}`)).toMatchObject([
        { status: 429, country: 'DE', client_address: '203.0.113.5' },
      ]);
    }
    expect(await edge.takeBans()).toEqual({});
    expect(edge.control.bans).toEqual([]);
    expect(asked).toEqual([]);
  });

  it('waits for others, however many of them come at once', async () => {
    const requests = [attack('/', { address: '45.10.20.9' })];
    const all = Array.from({ length: 8 }, () =>
      edge.control.runTest({ route_id: protectedRoute.id, host: 'protected.test', requests }),
    );
    for (const [result] of await Promise.all(all)) expect(result).toMatchObject({ plugin: 'ip-restriction' });
  });

  it('is still one after a plugin has waited for DNS', async () => {
    const [result] = await edge.control.runTest({
      route_id: waitingRoute.id,
      host: 'waiting.test',
      requests: [attack('/', { headers: [{ name: 'User-Agent', value: 'Mozilla/5.0 (compatible; Googlebot/2.1)' }] })],
    });
    expect(result).toMatchObject({ status: 204, is_judged: true, action: 'log', reason: 'rule_logged' });
    expect(asked).toEqual([]);
  });

  it('of a name that is not proved goes through the pipeline, too', async () => {
    const [result] = await edge.control.runTest({
      route_id: protectedRoute.id,
      host: 'unproved.test',
      requests: [attack('/', { address: '45.10.20.9' })],
    });
    expect(result).toMatchObject({ status: 403, plugin: 'ip-restriction' });
  });
});

interface Mark {
  readonly route?: string;
  readonly expiry?: number;
  readonly run?: string;
  readonly requests?: number;
  readonly address?: string;
  readonly key?: string;
}

function mark({
  route = protectedRoute.id,
  expiry = Date.now() / 1000 + 10,
  run = randomBytes(16).toString('hex'),
  requests = 1,
  address = '45.10.20.9',
  key = KEY,
}: Mark) {
  const text = `${route}~${Math.floor(expiry)}~${run}~${requests}~${address}~~0`;
  return `${text}~${createHmac('sha256', key).update(`test ${text}`).digest('hex')}`;
}

describe('the mark of a test attack', () => {
  beforeAll(async () => {
    const admin = new AdminClient(adminSocketIn(edge.runDir));
    await admin.putSettings(toRunnerSettings(testSettings(), KEY));
    admin.close();
  });
  const send = (host: string, value: string, path = '/') =>
    edge.request(host, { path, headers: { 'Cordon-Test': value } });
  const expectRefused = (answer: EdgeAnswer) => {
    expect(answer).toMatchObject({ status: 503, body: '', headers: { 'cordon-test-refused': '1' } });
    expect(answer.headers['cordon-test-verdict']).toBeUndefined();
    expect(asked).toEqual([]);
  };

  it("that is good makes as many requests ones of a test as its run has, and no other a visitor's", async () => {
    const good = mark({ requests: 3 });
    for (let sent = 0; sent < 3; sent++) expect(await send('protected.test', good)).toMatchObject({ status: 403 });
    const over = await send('protected.test', good);
    expectRefused(over);
    // The row of a later request is there once those before it are.
    const last = await edge.request('protected.test', { from: '45.10.20.9' });
    await edge.control.row(({ request_id }) => request_id === last.headers['x-request-id']);
    expect(edge.control.rows.filter(({ request_id }) => request_id === over.headers['x-request-id'])).toEqual([]);
  });

  it.each([
    ['forged', 'protected.test', () => mark({ key: 'another key' })],
    ['without a signature', 'protected.test', () => mark({}).replace(/[^~]*$/, '')],
    ['of more requests than were signed', 'protected.test', () => mark({}).replace('~1~', '~9~')],
  ])('that is %s leaves an ordinary visitor, and no origin sees it', async (_, host, value) => {
    const answer = await send(host, value());
    expect(answer).toMatchObject({ status: 200, body: 'origin' });
    expect(answer.headers['cordon-test-verdict']).toBeUndefined();
    expect(asked.splice(0)).toEqual([`${host}/ `]);
  });

  it.each([
    ['expired', 'protected.test', () => mark({ expiry: Date.now() / 1000 - 1 })],
    ['for another route', 'other.test', () => mark({})],
  ])('that is good but %s is refused, and no origin is asked', async (_, host, value) => {
    expectRefused(await send(host, value()));
  });

  it('that comes with thousands of others is refused where no room is left, and locks out no visitor', async () => {
    let statuses: number[] = [];
    // As nothing that the agent does: it sends one run after the other.
    for (let round = 0; round < 120 && !statuses.includes(503); round++)
      statuses = await Promise.all(
        Array.from({ length: 64 }, async () => (await send('protected.test', mark({ address: '192.0.2.9' }))).status),
      );
    expect(statuses).toContain(503);
    for (let sent = 0; sent < 4; sent++) expectRefused(await send('protected.test', mark({}), '/.env'));
    // The agent's own are refused as well, and it says so. Its key is nginx's again with settings that are new.
    edge.control.setSettings({ ...testSettings(), cdn_loop_id: 'another' });
    await vi.waitFor(
      async () => {
        const [result] = await edge.control.runTest({
          route_id: protectedRoute.id,
          host: 'unproved.test',
          requests: [attack('/.env', { times: 3 })],
        });
        expect(result).toMatchObject({ status: 0, is_judged: false });
      },
      { timeout: 10_000 },
    );
    expect(asked).toEqual([]);
    expect(await edge.takeBans()).toEqual({});
    expect(await edge.request('other.test')).toMatchObject({ status: 200, body: 'origin' });
  });
});
