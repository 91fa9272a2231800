import { API_BASE } from '@cordon/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestClickHouse, type TestClickHouse } from '../../testing/clickhouse.ts';
import {
  type Customer,
  createCustomer,
  createDomain,
  eventually,
  type FakeNode,
  startFakeNode,
} from '../../testing/fixtures.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';
import { rowOf } from './testing/start-traffic.ts';

let engine: TestClickHouse;
let test: TestApi;
let node: FakeNode;
let owner: Customer;
let otherCustomer: Customer;
beforeAll(async () => {
  engine = await startTestClickHouse();
  test = await startApi({ CLICKHOUSE_URL: engine.url });
  node = await startFakeNode(test);
  [owner, otherCustomer] = [await createCustomer(test), await createCustomer(test)];
});
afterAll(async () => {
  node.stop();
  await test.stop();
  await engine.stop();
});

const post = (batch: string, body: string) =>
  fetch(`${test.url}${API_BASE}edge/logs/?batch=${batch}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${node.credential}`, 'content-type': 'application/x-ndjson' },
    body,
  });

it('carries a request from the node to its owner, and to no other account', async () => {
  const { id, domain_name } = await createDomain(owner);
  await eventually(async () => (await post('probe', '')).ok);
  const body = `${JSON.stringify(rowOf({ route_id: id, path: '/bought', plugin: 'waf', action: 'block', reason: 'sqli' }))}\nrubbish\n`;
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const response = await post('node-epoch-1', body);
    expect([response.status, await response.json()]).toEqual([200, { success: true, rows: 1 }]);
  }
  const { result } = await owner.client.getTrafficOverview({ query: { range: '15m' } });
  expect(result).toMatchObject({
    totals: { requests: 1, blocked: 1 },
    stopped_by_reason: [{ plugin: 'waf', reason: 'sqli', action: 'block', requests: 1 }],
    top_domains: [{ route_id: id, domain_name, requests: 1 }],
  });
  const last = await owner.client.listRecentRequests({ query: { route_id: id, action: 'block' } });
  expect(last.result).toMatchObject([{ route_id: id, path: '/bought', reason: 'sqli' }]);
  const top = await owner.client.listTopDomains({ query: { plugin: 'waf', reason: 'sqli' } });
  expect(top.result).toEqual({ domains: [{ route_id: id, domain_name, requests: 1, blocked: 1, value: 1 }], count: 1 });
  const listed = async (match: object) =>
    (await owner.client.listRecentRequests({ query: { route_id: id, ...match } })).result.length;
  expect([await listed({ country: 'DE' }), await listed({ country: '' })]).toEqual([1, 0]);
  expect((await otherCustomer.client.listTopDomains({ query: {} })).result).toEqual({ domains: [], count: 0 });
  for (const unmatched of ['plugin=waf', 'reason=sqli', 'country=DE&plugin=waf&reason=sqli'])
    for (const path of ['stats/top/', 'stats/requests/']) {
      const { status } = await test.call('GET', `${path}?${unmatched}`, { token: owner.token });
      expect(status, `${path}?${unmatched}`).toBe(422);
    }
  expect((await owner.client.getPluginEffects({ query: { route_id: id } })).result).toEqual([
    { plugin: 'waf', requests: 1, challenged: 0, passed: null },
  ]);
  const figures = await owner.client.getCacheOverview({ params: { id }, query: { range: '1h' } });
  expect(figures.result.totals).toMatchObject({ requests: 1, hit_ratio: 0, outcomes: { uncached: { requests: 1 } } });
  const { cache } = (await owner.client.getTrafficOverview({ query: { range: '24h' } })).result;
  expect(cache.totals).toEqual(figures.result.totals);
  const others = (await otherCustomer.client.getTrafficOverview({ query: { range: '24h' } })).result;
  expect(others.cache.totals).toMatchObject({ requests: 0, hit_ratio: null, saved_bytes: 0 });
  const costly = await owner.client.listCostlyPaths({ params: { id }, query: {} });
  expect(costly.result.paths).toMatchObject([
    { path: '/bought', requests: 1, cache: '', cache_reason: '', status: 200 },
  ]);
  expect((await otherCustomer.client.getTrafficOverview({ query: {} })).result.totals.requests).toBe(0);
  for (const path of [
    `stats/overview/?route_id=${id}`,
    `stats/requests/?route_id=${id}`,
    `stats/plugins/?route_id=${id}`,
    `domain/routes/${id}/cache/overview/`,
    `domain/routes/${id}/cache/costly-paths/`,
  ])
    expect((await test.call('GET', path, { token: otherCustomer.token })).status).toBe(404);
});

it('says what it counted, and whether the tables answer', async () => {
  const metrics = await (await fetch(`${test.url}/metrics`)).text();
  expect(metrics).toMatch(/^cordon_access_log_rows_stored_total 1$/m);
  expect(metrics).toMatch(/^cordon_access_log_batches_repeated_total 1$/m);
  expect(metrics).toMatch(/^cordon_access_log_rows_dropped_total\{reason="invalid"\} 1$/m);
  const { parts } = (await (await fetch(`${test.url}/readyz`)).json()) as { parts: { name: string; ok: boolean }[] };
  expect(parts).toContainEqual(expect.objectContaining({ name: 'traffic', ok: true }));
});

it('answers 503 while ClickHouse is down, and then again the numbers, without a restart', async () => {
  await engine.kill();
  const down = await test.call('GET', 'stats/overview/?range=1h', { token: owner.token });
  expect([down.status, down.body.code]).toEqual([503, 'TRAFFIC_UNAVAILABLE']);
  expect((await post('while-down', `${JSON.stringify(rowOf())}\n`)).status).toBe(503);
  // The result of a check from just before may still be reported.
  const isReady = await eventually(async () => {
    const { ok, parts } = (await (await fetch(`${test.url}/readyz`)).json()) as {
      ok: boolean;
      parts: { name: string; ok: boolean }[];
    };
    return parts.some((part) => part.name === 'traffic' && !part.ok) && { ok };
  });
  expect(isReady).toEqual({ ok: true });
  await engine.restart();
  const up = await eventually(async () => {
    const answer = await test.call('GET', 'stats/overview/?range=1h', { token: owner.token });
    return answer.status === 200 && answer;
  });
  expect(up.body.result.totals.requests).toBe(1);
});
