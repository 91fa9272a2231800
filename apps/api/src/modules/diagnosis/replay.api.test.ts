import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AccessLogRow, API_BASE } from '@cordon/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { writeAsnDatabase } from '../../testing/asn-database.ts';
import { startTestClickHouse } from '../../testing/clickhouse.ts';
import { HELD_MS_MAX, heldMs } from '../../testing/event-loop.ts';
import { type Customer, createCustomer, createDomain, eventually, startFakeNode } from '../../testing/fixtures.ts';
import { startApi } from '../../testing/start-api.ts';
import { many, rowOf } from '../traffic/testing/start-traffic.ts';

const asnFile = join(tmpdir(), `cordon-asn-${randomUUID()}.mmdb`);
writeAsnDatabase(asnFile);
const engine = await startTestClickHouse();
const test = await startApi({ CLICKHOUSE_URL: engine.url, CORDON_ASN_DATABASE: asnFile });
const node = await startFakeNode(test);
const customer = await createCustomer(test, { plan: 'vip-enterprise' });
afterAll(async () => {
  node.stop();
  await test.stop();
  await engine.stop();
  rmSync(asnFile);
});

async function log(rows: readonly AccessLogRow[]): Promise<void> {
  const body = rows.map((row) => JSON.stringify(row)).join('\n');
  const batch = randomUUID();
  await eventually(async () => {
    const response = await fetch(`${test.url}${API_BASE}edge/logs/?batch=${batch}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${node.credential}`, 'content-type': 'application/x-ndjson' },
      body,
    });
    return response.ok;
  });
}
/** A domain with these requests, the first the oldest, a second apart. */
async function domainWith(rows: readonly Partial<AccessLogRow>[]): Promise<string> {
  const { id } = await createDomain(customer);
  const start = Date.now() / 1000 - rows.length;
  await log(rows.map((row, at) => rowOf({ ...row, route_id: id, time: start + at })));
  return id;
}
type Body = Parameters<Customer['client']['replayRequests']>[0]['body'];
const replay = async (id: string, name: string, config: object, more: Partial<Body> = {}) =>
  (
    await customer.client.replayRequests({
      params: { id },
      body: { plugin: { name, enabled: true, config: config as Record<string, unknown> }, ...more },
    })
  ).result;
const rule = (name: string, condition: object, more: object = {}) => ({
  name,
  when: { conditions: [condition] },
  ...more,
});
const black = (id: string, ...rules: object[]) => replay(id, 'blackrules', { black_rules: rules });

describe('a replay', () => {
  it('counts what each rule would decide, and names requests', async () => {
    const id = await domainWith([
      ...many(7, (at) => ({ path: '/wp-login.php', client_address: `9.9.9.${at}` })),
      { path: '/robots.txt' },
      { path: '/', method: 'POST' },
      { path: '/' },
    ]);
    const result = await black(
      id,
      rule('logins', { field: 'path', values: ['/wp-login.php'] }),
      rule('robots', { field: 'path', values: ['/robots.txt'] }, { action: 'allow' }),
      rule('posts', { field: 'method', values: ['POST'] }, { action: 'log' }),
    );
    expect(result).toMatchObject({
      plugin: 'blackrules',
      requests: 10,
      is_complete: true,
      verdicts: { block: 7, log: 1, allow: 1, redirect: 0, pass: 1 },
      newly_blocked: 7,
      newly_passed: 0,
    });
    expect(result.rules.map(({ rule: name, reason, verdict, requests }) => [name, reason, verdict, requests])).toEqual([
      ['logins', 'rule_matched', 'block', 7],
      ['robots', 'rule_allowed', 'allow', 1],
      ['posts', 'rule_logged', 'log', 1],
    ]);
    expect(result.rules[0]?.samples).toHaveLength(5);
    expect(result.rules[0]?.samples[0]).toMatchObject({
      method: 'GET',
      path: '/wp-login.php',
      client_address: '9.9.9.0',
      country: 'DE',
    });
    const times = [result.from, result.to].map((text) => Date.parse(text as string));
    expect((times[1] as number) - (times[0] as number)).toBe(9_000);
  });

  it('sees of a request what the log has: decoded path, query, country, fields, network', async () => {
    const id = await domainWith([
      { path: '/100% of/вход' },
      { query: 'a=b+c&token=REDACTED' },
      { country: 'FR' },
      { user_agent: 'BadBot/1' },
      { referer: 'https://spam.example/' },
      { client_address: '198.41.128.7' },
    ]);
    const result = await black(
      id,
      rule('path', { field: 'path', values: ['/100% of/вход'] }),
      rule('argument', { field: 'argument', name: 'a', values: ['b c'] }),
      rule('country', { field: 'country', values: ['FR'] }),
      rule('agent', { field: 'user_agent', test: 'contains', values: ['BadBot'] }),
      rule('referer', { field: 'header', name: 'Referer', test: 'contains', values: ['spam'] }),
      rule('network', { field: 'asn', values: [13335] }),
    );
    expect(result.rules.map(({ rule: name, requests }) => `${name} ${requests}`).sort()).toEqual([
      'agent 1',
      'argument 1',
      'country 1',
      'network 1',
      'path 1',
      'referer 1',
    ]);
    expect(result.unseen).toEqual([
      'header_fields',
      'cookies',
      'redacted_arguments',
      'crawlers',
      'bans',
      'other_plugins',
    ]);
  });

  it('tells what would newly be blocked, and newly pass', async () => {
    const blockedBy = (plugin: string) => ({ plugin, action: 'block', reason: 'x', status: 403 }) as const;
    const id = await domainWith([
      { path: '/a' },
      { path: '/a', ...blockedBy('blackrules') },
      { path: '/a', ...blockedBy('geoip') },
      { path: '/b', ...blockedBy('blackrules') },
      { path: '/b', ...blockedBy('geoip') },
      { path: '/b' },
    ]);
    const rules = [rule('a', { field: 'path', values: ['/a'] })];
    expect(await black(id, ...rules)).toMatchObject({
      verdicts: { block: 3, pass: 3 },
      newly_blocked: 1,
      blocked_elsewhere: 1,
      newly_passed: 1,
    });
    const plugin = { name: 'blackrules', enabled: false, config: { black_rules: rules } };
    expect(await replay(id, 'blackrules', {}, { plugin })).toMatchObject({
      verdicts: { block: 0, pass: 6 },
      newly_passed: 2,
    });
  });

  it('counts in the order of time, as a node does: bans, windows that end, and clients apart', async () => {
    const hour = 3_600;
    const start = Date.now() / 1000 - 3 * hour;
    const { id } = await createDomain(customer);
    const burst = (time: number, count: number, client_address: string) =>
      many(count, (at) => ({ route_id: id, time: time + at, client_address }));
    await log([
      ...burst(start + 2 * hour, 2, '9.9.9.9'),
      // Slices of the window have the same number as 100 slices before.
      ...burst(start + 1_000, 2, '9.9.9.9'),
      ...burst(start, 5, '8.8.8.8'),
      ...burst(start + 100, 2, '9.9.9.9'),
    ]);
    const limit = { findtime: 10, maxretry: 3, bantime: '1m', banpath: '.*', only_dynamic: false };
    const result = await replay(id, 'request-limit', limit);
    // The third of five, and those that the ban keeps out.
    expect(result.verdicts).toMatchObject({ block: 3, pass: 8 });
    expect(result.rules).toMatchObject([{ reason: 'too_many_requests', requests: 3 }]);
  });

  it('takes the newest of the last 24 hours, and says nothing where there are none', async () => {
    // Neither what nginx could not read, nor what the console sent to show the protection.
    const id = await domainWith([{ path: '/a' }, { path: '/b' }, { path: '' }, { path: '/.env', is_test: true }]);
    await log([rowOf({ route_id: id, path: '/old', time: Date.now() / 1000 - 25 * 3_600 })]);
    const all = [rule('all', { field: 'path', test: 'begins_with', values: ['/'] })];
    expect((await black(id, ...all)).requests).toBe(2);
    const newest = await replay(id, 'blackrules', { black_rules: all }, { requests: 1 });
    expect(newest.rules[0]?.samples).toMatchObject([{ path: '/b' }]);
    const quiet = await createDomain(customer);
    expect(await black(quiet.id)).toMatchObject({
      requests: 0,
      from: null,
      to: null,
      rules: [],
    });
  });

  it('refuses settings at their field, and is for the own domains only', async () => {
    const { id } = await createDomain(customer);
    const call = (plugin: object, who: Customer = customer) =>
      test.call('POST', `domain/routes/${id}/replay/`, { token: who.token, body: { plugin } });
    expect((await call({ name: 'nothing', enabled: true, config: {} })).body).toMatchObject({
      'plugin.name': 'PLUGIN_UNKNOWN',
    });
    const wrong = { black_rules: [rule('a', { field: 'path', test: 'matches', pattern: '(' })] };
    expect((await call({ name: 'blackrules', enabled: true, config: wrong })).body).toMatchObject({
      'plugin.config.black_rules.0.when.conditions.0.pattern': 'PATTERN_UNFINISHED',
    });
    const stranger = await createCustomer(test);
    expect((await call({ name: 'blackrules', enabled: true, config: {} }, stranger)).status).toBe(404);
  });
});

describe('a trace', () => {
  it('finds the autonomous system by the address, unless one is given', async () => {
    const { id } = await createDomain(customer);
    const { draft_revision } = (await customer.client.getRoute({ params: { id } })).result;
    const plugins = [
      { name: 'blackrules', enabled: true, config: { black_rules: [rule('a', { field: 'asn', values: [13335] })] } },
    ];
    await customer.client.updateRoute({ params: { id }, ifMatch: draft_revision, body: { plugins } });
    const trace = async (more: object) => {
      const body = { url: '/', version: 'draft' as const, preview: true, client_address: '198.41.128.7', ...more };
      const { request, answer } = (await customer.client.traceRequest({ params: { id }, body })).result;
      return [request.asn, answer.kind];
    };
    expect(await trace({})).toEqual([13335, 'block']);
    expect(await trace({ asn: 64496 })).toEqual([64496, 'origin']);
    expect(await trace({ client_address: '9.9.9.9' })).toEqual([0, 'origin']);
  });

  it('finds the country by the address, unless one is given', async () => {
    const { id } = await createDomain(customer);
    const plugins = [{ name: 'geoip', enabled: true, config: { blacklist_countries: ['KP'] } }];
    await customer.client.updateRoute({ params: { id }, ifMatch: 1, body: { plugins } });
    const trace = async (more: object) => {
      const body = { url: '/', version: 'draft' as const, preview: true, client_address: '175.45.176.1', ...more };
      const { request, answer } = (await customer.client.traceRequest({ params: { id }, body })).result;
      return [request.country, answer.kind];
    };
    expect(await trace({})).toEqual(['KP', 'block']);
    expect(await trace({ country: 'DE' })).toEqual(['DE', 'origin']);
    expect(await trace({ country: '' })).toEqual(['', 'origin']);
    expect(await trace({ client_address: '192.0.2.1' })).toEqual(['', 'origin']);
  });
});

describe('the event loop', () => {
  const LONGEST = 2_048;
  const conditions = (count: number, each: (at: number) => object) => ({
    black_rules: Array.from({ length: count / 20 }, (_, at) => ({
      name: `r${at}`,
      when: { match: 'any', conditions: Array.from({ length: 20 }, (_, of) => each(at * 20 + of)) },
    })),
  });

  it.each<[string, object]>([
    ['one rule', conditions(20, () => ({ field: 'path', values: ['/x'] }))],
    [
      'patterns that take long elsewhere',
      conditions(100, (at) => ({ field: 'path', test: 'matches', pattern: `^(a|aa|a*b)*[^a${at}]$` })),
    ],
    [
      'all texts that rules may have, each nearly found',
      conditions(500, (at) => ({
        field: 'path',
        test: 'contains',
        values: Array.from({ length: 4 }, (_, value) => `${'a'.repeat(20)}b${at}${value}`),
        ignore_case: at % 2 === 0,
      })),
    ],
  ])('is held by no replay of 10,000 requests: %s', async (_, config) => {
    const { id } = await createDomain(customer);
    const start = Date.now() / 1000 - 20_000;
    const path = `/${'a'.repeat(LONGEST - 1)}`;
    for (let batch = 0; batch < 5; batch++)
      await log(many(2_000, (at) => ({ route_id: id, time: start + batch * 2_000 + at, path })));
    let result: Awaited<ReturnType<typeof replay>> | undefined;
    const held = await heldMs(async () => {
      result = await replay(id, 'blackrules', config);
    });
    expect(held).toBeLessThan(HELD_MS_MAX);
    expect(result?.requests).toBeGreaterThan(0);
  });

  it('is not held by more rules than there may be', async () => {
    const { id } = await createDomain(customer);
    const values = Array.from({ length: 90 }, (_, at) => `9.9.9.${at}`);
    const body = {
      plugin: { name: 'blackrules', enabled: true, config: conditions(500, () => ({ field: 'address', values })) },
    };
    const answers: unknown[] = [];
    const held = await heldMs(async () => {
      answers.push((await test.call('POST', `domain/routes/${id}/replay/`, { token: customer.token, body })).body);
    });
    expect(answers[0]).toMatchObject({ 'plugin.config.black_rules': 'TOO_MANY_ADDRESSES' });
    expect(held).toBeLessThan(HELD_MS_MAX);
  });
});

describe('the replay of a whole draft', () => {
  const rows: Partial<AccessLogRow>[] = [
    { path: '/old', client_address: '9.9.9.5' },
    { path: '/old/2', client_address: '9.9.9.5' },
    { path: '/new', client_address: '9.9.9.6' },
    { path: '/shop', client_address: '9.9.9.7' },
    { path: '/shop', client_address: '9.9.9.8', country: 'KP' },
  ];
  const blackrules = (...rules: object[]) => ({ name: 'blackrules', enabled: true, config: { black_rules: rules } });
  const begins = (value: string) => ({ field: 'path', test: 'begins_with', values: [value] });
  const replayDraft = async (id: string, requests = 10_000) =>
    (await customer.client.replayDraft({ params: { id }, body: { requests } })).result;
  async function deployedWith(...plugins: object[]): Promise<string> {
    const id = await domainWith(rows);
    await customer.client.updateRoute({ params: { id }, ifMatch: 1, body: { plugins: plugins as never } });
    await customer.client.deployRoute({ params: { id }, ifMatch: 2, body: {} });
    await eventually(() => node.routes.has(id));
    return id;
  }
  const save = (id: string, ...plugins: object[]) =>
    customer.client.updateRoute({ params: { id }, ifMatch: 2, body: { plugins: plugins as never } });

  it('says what plugins that are brought would do beside the draft, of a rule and of another domain, and saves nothing', async () => {
    const id = await deployedWith(blackrules(rule('old', begins('/old'))));
    await save(id, blackrules(rule('old', begins('/old'))), {
      name: 'geoip',
      enabled: true,
      config: { blacklist_countries: ['KP'] },
    });
    const plugins = [blackrules(rule('new', begins('/new')), rule('shop', begins('/shop'), { action: 'challenge' }))];
    const { client, cname } = customer;
    const made = await client.createRule({ body: { cname, name: `brought ${id}`, plugins } });
    const other = await deployedWith(...plugins);
    const before = (await client.getRoute({ params: { id } })).result;
    const bring = async (brought: object) =>
      (await client.replayDraft({ params: { id }, body: { brought: brought as never } })).result;
    const counts = { newly_blocked: 2, newly_challenged: 1, newly_passed: 2 };
    expect(await replayDraft(id)).toMatchObject({ newly_blocked: 1, newly_challenged: 0, newly_passed: 0 });
    expect(await bring({ rule_id: made.result.id })).toMatchObject(counts);
    expect(await bring({ route_id: other, plugins: ['blackrules'] })).toMatchObject(counts);
    expect((await client.getRoute({ params: { id } })).result).toMatchObject({
      draft_revision: before.draft_revision,
      draft: before.draft,
    });
    const stranger = await createCustomer(test);
    const { result: foreign } = await stranger.client.createRule({
      body: { cname: stranger.cname, name: 'x', plugins },
    });
    const notFound = { code: 'NOT_FOUND' };
    await expect(bring({ rule_id: foreign.id })).rejects.toMatchObject(notFound);
    const { id: theirs } = await createDomain(stranger);
    await expect(bring({ route_id: theirs, plugins: ['blackrules'] })).rejects.toMatchObject(notFound);
  });

  it('says what would newly be blocked, challenged and pass, and by which rule', async () => {
    const id = await deployedWith(blackrules(rule('old', begins('/old'))));
    await save(id, blackrules(rule('new', begins('/new')), rule('shop', begins('/shop'), { action: 'challenge' })), {
      name: 'geoip',
      enabled: true,
      config: { blacklist_countries: ['KP'] },
    });
    const result = await replayDraft(id);
    expect(result).toMatchObject({
      requests: 5,
      is_complete: true,
      newly_blocked: 2,
      newly_challenged: 1,
      newly_passed: 2,
    });
    expect(result.unseen).not.toContain('other_plugins');
    expect(result.changes[0]).toMatchObject({
      before: 'block',
      after: 'pass',
      plugin: 'blackrules',
      rule: 'old',
      requests: 2,
      samples: [{ path: '/old' }, { path: '/old/2' }],
    });
    expect(result.changes.slice(1)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ before: 'pass', after: 'block', plugin: 'blackrules', rule: 'new', requests: 1 }),
        expect.objectContaining({
          before: 'pass',
          after: 'challenge',
          plugin: 'blackrules',
          rule: 'shop',
          requests: 1,
        }),
        expect.objectContaining({ before: 'pass', after: 'block', plugin: 'geoip', requests: 1 }),
      ]),
    );
  });

  it('tells apart what became of requests by one plugin of what is live and by another', async () => {
    const challenged = blackrules(rule('asked', begins('/new'), { action: 'challenge' }));
    const challenge = { name: 'challenge', enabled: true, config: { mode: 'js', path: '^/shop' } };
    const id = await deployedWith(challenged, challenge);
    await save(id, challenged, challenge, {
      name: 'ip-restriction',
      enabled: true,
      config: { deny: ['9.9.9.0/24'], blacklistMode: true },
    });
    const { changes } = await replayDraft(id);
    const lines = changes.map(
      (one) => `${one.before} ${one.before_plugin} → ${one.after} ${one.plugin} ${one.requests}`,
    );
    expect(lines.sort()).toEqual([
      'challenge blackrules → block ip-restriction 1',
      'challenge challenge → block ip-restriction 2',
      'pass  → block ip-restriction 2',
    ]);
  });

  it('lets addresses of the allow list pass', async () => {
    const id = await deployedWith(blackrules(rule('old', begins('/old'))));
    await save(id, blackrules(rule('new', begins('/new')), rule('shop', begins('/shop'))));
    expect((await replayDraft(id)).newly_blocked).toBe(3);
    await customer.client.allowNetworks({ body: { networks: ['9.9.9.6', '9.9.9.8/31'] } });
    expect(await replayDraft(id)).toMatchObject({ newly_blocked: 1, newly_passed: 2 });
    await customer.client.removeAllowedNetworks({ body: { q: '' } });
    expect((await replayDraft(id)).newly_blocked).toBe(3);
  });

  it('has nothing to say of a draft that decides as what is live does', async () => {
    const id = await deployedWith(blackrules(rule('old', begins('/old'))));
    expect(await replayDraft(id)).toMatchObject({ requests: 5, changes: [], newly_blocked: 0, newly_passed: 0 });
    await save(id, blackrules(rule('renamed', begins('/old'))));
    expect(await replayDraft(id)).toMatchObject({ requests: 5, changes: [] });
    expect(await replayDraft(id, 2)).toMatchObject({ requests: 2 });
  });

  it('is of one’s own domains only', async () => {
    const id = await domainWith(rows);
    const stranger = await createCustomer(test);
    await expect(stranger.client.replayDraft({ params: { id }, body: { requests: 10 } })).rejects.toMatchObject({
      status: 404,
    });
  });
});
