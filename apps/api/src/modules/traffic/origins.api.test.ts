import { afterAll, beforeAll, expect, it } from 'vitest';
import { ndjson, nodeOf, rowOf, startTraffic, type TestTraffic } from './testing/start-traffic.ts';

let test: TestTraffic;
beforeAll(async () => {
  test = await startTraffic();
});
afterAll(() => test.stop());

it('tells of each address by node when it answered last, and since when it fails', async () => {
  const accountId = await test.addAccount();
  const routeId = await test.addRoute(accountId);
  const other = await test.addRoute(accountId);
  const now = Math.floor(Date.now() / 1000);
  const row = (seconds: number, more: object) =>
    rowOf({ account_id: accountId, route_id: routeId, time: now - seconds, ...more });
  const [one, two] = [nodeOf('free01'), nodeOf('free01')];
  const A = { upstream_address: '192.0.2.1:443' };
  const failed = { ...A, status: 502, upstream_status: 502 };
  await test.traffic.storeAccessLog(
    one,
    'one',
    ndjson(
      row(500, { ...failed, reason: 'origin_tls_name' }),
      row(400, { ...A, upstream_ms: 10 }),
      row(300, { ...failed, status: 504, upstream_status: 504 }),
      row(200, { ...failed, reason: 'origin_tls_expired' }),
      row(100, { upstream_address: '192.0.2.2:443', upstream_ms: 7.5 }),
      row(90, { upstream_address: '', upstream_status: 0, status: 403, action: 'block', reason: 'x' }),
      row(3000, { upstream_address: '192.0.2.3:443' }),
      row(50, { route_id: other, upstream_address: '192.0.2.4:443' }),
    ),
  );
  await test.traffic.storeAccessLog(two, 'two', ndjson(row(10, { ...A, status: 404, upstream_status: 404 })));

  const found = await test.traffic.readOriginTraffic(accountId, routeId, 15);
  const of = (nodeId: string, address: string) =>
    found.find((entry) => entry.node_id === nodeId && entry.address === address);
  expect(found).toHaveLength(3);
  expect(of(one.id, '192.0.2.1:443')).toEqual({
    node_id: one.id,
    address: '192.0.2.1:443',
    requests: 4,
    answered_at: now - 400,
    response_ms: 10,
    failed_at: now - 200,
    failing_since: now - 300,
    failed_status: 502,
    failed_reason: 'origin_tls_expired',
  });
  expect(of(one.id, '192.0.2.2:443')).toMatchObject({ requests: 1, failed_at: 0, failing_since: 0 });
  expect(of(two.id, '192.0.2.1:443')).toMatchObject({ answered_at: now - 10, failed_at: 0 });
  const foreign = await test.addAccount();
  expect(await test.traffic.readOriginTraffic(foreign, routeId, 15)).toEqual([]);
});
