import { randomUUID } from 'node:crypto';
import type { AccessLogRow, TrafficRange } from '@cordon/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../platform/log.ts';
import { cacheQuery, costlyStartQuery } from './cache-repository.ts';
import { windowOf } from './overview.ts';
import { createTrafficService } from './service.ts';
import { many, ndjson, nodeOf, rowOf, startTraffic, type TestTraffic, untilReady } from './testing/start-traffic.ts';

const RANGES: readonly TrafficRange[] = ['15m', '1h', '24h', '7d'];

let test: TestTraffic;
const node = nodeOf('free01');
beforeAll(async () => {
  test = await startTraffic();
});
afterAll(() => test.stop());

const send = (...rows: AccessLogRow[]) => test.traffic.storeAccessLog(node, randomUUID(), ndjson(...rows));
const FROM_CACHE = { upstream_address: '', upstream_status: 0, upstream_ms: 0 } as const;
const hit = (row: Partial<AccessLogRow>) => rowOf({ cache: 'hit', ...FROM_CACHE, ...row });
async function domain() {
  const account = await test.addAccount();
  return { account, route: await test.addRoute(account) };
}
const none = { requests: 0, bytes: 0 };

describe('the figures of a cache', () => {
  it.each(RANGES)('of %s have a point for every bucket, and no ratio where nothing came', async (range) => {
    const { account, route } = await domain();
    const overview = await test.traffic.readCacheOverview(account, range, route);
    const of = await test.traffic.readOverview(account, range, route);
    expect(overview.series.map(({ time }) => time)).toEqual(of.series.map(({ time }) => time));
    expect(overview.bucket_seconds).toBe(of.bucket_seconds);
    expect(overview.totals).toMatchObject({ requests: 0, bytes: 0, hit_ratio: null, saved_bytes: 0 });
    expect(overview.series.every(({ hit_ratio: ratio }) => ratio === null)).toBe(true);
  });

  it.each(RANGES)(
    'of %s count each outcome, what an origin answered without a cache, and nothing else',
    async (range) => {
      const { account, route } = await domain();
      const bytes = { route_id: route, bytes_sent: 10 };
      await send(
        ...many(5, () => hit(bytes)),
        hit({ ...bytes, cache: 'stale' }),
        ...many(2, () => ({ ...bytes, cache: 'revalidated' })),
        ...many(3, () => ({ ...bytes, cache: 'miss' })),
        rowOf({ ...bytes, cache: 'expired' }),
        ...many(4, () => ({ ...bytes, cache: 'bypass', cache_reason: 'path' })),
        ...many(6, () => bytes),
        // Blocked, challenged, redirected: no origin was asked.
        ...many(7, () => ({ ...bytes, ...FROM_CACHE, plugin: 'waf', action: 'block' as const })),
      );
      const { totals, series, previous } = await test.traffic.readCacheOverview(account, range, route);
      const of = (requests: number) => ({ requests, bytes: requests * 10 });
      expect(totals).toEqual({
        requests: 22,
        bytes: 220,
        hit_ratio: 8 / 22,
        saved_bytes: 80,
        outcomes: {
          hit: of(5),
          stale: of(1),
          revalidated: of(2),
          miss: of(3),
          expired: of(1),
          bypass: of(4),
          uncached: of(6),
        },
      });
      expect(series.reduce((sum, point) => sum + point.requests, 0)).toBe(22);
      expect(previous).toMatchObject({ requests: 0, hit_ratio: null });
    },
  );

  it('are those of the range before, too', async () => {
    const { account, route } = await domain();
    const { from } = windowOf('24h', Date.now());
    await send(
      ...many(3, () => hit({ route_id: route, time: from - 3_000 })),
      rowOf({ route_id: route, cache: 'miss', time: from - 3_000 }),
      hit({ route_id: route }),
    );
    const { totals, previous } = await test.traffic.readCacheOverview(account, '24h', route);
    expect([totals.requests, totals.hit_ratio]).toEqual([1, 1]);
    expect([previous.requests, previous.hit_ratio, previous.outcomes.bypass]).toEqual([4, 0.75, none]);
  });

  it('are of one domain alone, and of nobody else’s', async () => {
    const [own, other] = [await domain(), await domain()];
    const sibling = await test.addRoute(own.account);
    await send(
      hit({ route_id: own.route, path: '/own' }),
      ...many(2, () => ({ route_id: own.route, path: '/own' })),
      rowOf({ route_id: sibling, path: '/sibling' }),
      rowOf({ route_id: other.route, path: '/other' }),
    );
    const { totals } = await test.traffic.readCacheOverview(own.account, '1h', own.route);
    expect(totals.requests).toBe(3);
    const { paths } = await test.traffic.listCostlyPaths(own.account, '1h', own.route, 'requests');
    expect(paths.map(({ path }) => path)).toEqual(['/own']);
    const { account } = other;
    await expect(test.traffic.readCacheOverview(account, '1h', own.route)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(test.traffic.listCostlyPaths(account, '1h', own.route, 'bytes')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it.each(RANGES)('of %s are in the overview of a domain as they are by themselves', async (range) => {
    const { account, route } = await domain();
    const sibling = await test.addRoute(account);
    const { from } = windowOf(range, Date.now());
    await send(
      ...many(3, () => hit({ route_id: route })),
      ...many(2, () => ({ route_id: route, cache: 'miss' as const })),
      rowOf({ route_id: route, ...FROM_CACHE, plugin: 'waf', action: 'block' }),
      hit({ route_id: route, time: from - 1 }),
      hit({ route_id: sibling }),
    );
    const read = async () => ({
      ...(await test.traffic.readOverview(account, range, route)),
      ...(await test.traffic.readCacheOverview(account, range, route)),
    });
    let both = await read();
    // A part of the range has begun between the two.
    if (both.cache.series[0]?.time !== both.series[0]?.time) both = await read();
    const { cache, totals, previous, series } = both;
    expect([totals.requests, totals.hit_ratio]).toEqual([5, 3 / 5]);
    expect(cache).toEqual({ totals, previous, series: series.map(({ outcomes: _, ...point }) => point) });
  });

  it.each(RANGES)('of %s are those of all domains of an account, and of no other account', async (range) => {
    const [own, other] = [await domain(), await domain()];
    const sibling = await test.addRoute(own.account);
    const { from } = windowOf(range, Date.now());
    await send(
      ...many(3, () => hit({ route_id: own.route, bytes_sent: 10 })),
      ...many(2, () => ({ route_id: sibling, bytes_sent: 100, cache: 'miss' as const })),
      hit({ route_id: sibling, bytes_sent: 100, cache: 'stale' }),
      ...many(2, () => ({ route_id: sibling, bytes_sent: 1_000 })),
      // Blocked: no origin was asked.
      rowOf({ route_id: own.route, ...FROM_CACHE, plugin: 'waf', action: 'block' }),
      hit({ route_id: sibling, time: from - 1 }),
      ...many(7, () => hit({ route_id: other.route, bytes_sent: 10_000 })),
    );
    const { cache, totals } = await test.traffic.readOverview(own.account, range);
    expect(totals.requests).toBe(9);
    expect(cache.totals).toMatchObject({ requests: 8, bytes: 2_330, hit_ratio: 4 / 8, saved_bytes: 130 });
    expect(cache.totals.outcomes.uncached).toEqual({ requests: 2, bytes: 2_000 });
    expect(cache.series.reduce((sum, { saved_bytes: saved }) => sum + saved, 0)).toBe(130);
    expect([cache.previous.requests, cache.previous.hit_ratio]).toEqual([1, 1]);
    expect((await test.traffic.readOverview(other.account, range)).cache.totals).toMatchObject({
      requests: 7,
      saved_bytes: 70_000,
    });
    expect((await test.traffic.readOverview(await test.addAccount(), range)).cache.totals).toMatchObject({
      requests: 0,
      hit_ratio: null,
    });
  });

  it.each(['1h', '24h', '7d'] as const)('of %s are read from the roll-up, and not from the rows', async (range) => {
    const { account, route } = await domain();
    await send(...many(3_000, (index) => ({ route_id: route, time: Date.now() / 1000 - (index % 3_000) })));
    const window = windowOf(range, Date.now());
    const sources = [
      [cacheQuery(window, true), 'route_cache_by_minute'],
      [costlyStartQuery, 'route_cache_by_minute'],
      // However many domains the account has.
      [cacheQuery(window, false), 'account_cache_by_minute'],
    ] as const;
    for (const [query, source] of sources) {
      const plan = await test.clickhouse.query({
        query: `EXPLAIN projections = 1 ${query}`,
        query_params: {
          account,
          route,
          previous_from: window.previousFrom,
          from: window.from,
          end: window.end,
          bucket: window.bucketSeconds,
          most: 1_000,
        },
        format: 'TabSeparated',
      });
      expect(await plan.text()).toContain(`ReadFromMergeTree (${source})`);
    }
  });
});

describe('the paths that cost the origin most', () => {
  it('are ordered by bytes or by requests, with what became of most of their requests', async () => {
    const { account, route } = await domain();
    const of = (path: string, row: Partial<AccessLogRow>) => ({ route_id: route, path, ...row });
    await send(
      ...many(3, () => of('/large', { bytes_sent: 1_000, upstream_ms: 20, cache: 'bypass', cache_reason: 'path' })),
      ...many(2, () => of('/large', { bytes_sent: 1_000, cache: 'miss', cache_reason: 'private', upstream_ms: 5 })),
      ...many(4, () =>
        of('/often', { bytes_sent: 10, cache: 'miss', cache_reason: 'no_lifetime', upstream_status: 404 }),
      ),
      ...many(2, () => of('/often', { bytes_sent: 10, cache: 'miss', cache_reason: 'no_lifetime', query: 'a=1' })),
      // It is over.
      ...many(8, () => of('/often', { bytes_sent: 0, cache: 'bypass', cache_reason: 'development', upstream_ms: 0 })),
      rowOf(of('/begun', { bytes_sent: 1, cache: 'bypass', cache_reason: 'development' })),
      ...many(9, () => hit(of('/kept', { bytes_sent: 9_000 }))),
      rowOf(of('/kept', { bytes_sent: 9_000, cache: 'revalidated', upstream_status: 304 })),
      ...many(9, () => of('/blocked', { ...FROM_CACHE, plugin: 'waf', action: 'block' as const })),
      // Nginx could read none.
      rowOf(of('', {})),
    );
    const large = {
      path: '/large',
      requests: 5,
      bytes: 5_000,
      origin_ms: 70,
      cache: 'bypass',
      cache_reason: 'path',
      status: 200,
    };
    const often = {
      path: '/often',
      requests: 14,
      bytes: 60,
      origin_ms: 15,
      cache: 'miss',
      cache_reason: 'no_lifetime',
      status: 404,
    };
    const kept = {
      path: '/kept',
      requests: 1,
      bytes: 0,
      origin_ms: 2.5,
      cache: 'revalidated',
      cache_reason: '',
      status: 304,
    };
    const begun = { ...large, path: '/begun', requests: 1, bytes: 1, origin_ms: 2.5, cache_reason: 'development' };
    const list = async (sort: 'bytes' | 'requests') =>
      (await test.traffic.listCostlyPaths(account, '24h', route, sort)).paths;
    expect(await list('bytes')).toEqual([large, often, begun, kept]);
    expect(await list('requests')).toEqual([often, large, begun, kept]);
  });

  it('are twenty, in an order that stays', async () => {
    const { account, route } = await domain();
    await send(...many(30, (index) => ({ route_id: route, path: `/${String(index).padStart(2, '0')}` })));
    const { paths } = await test.traffic.listCostlyPaths(account, '1h', route, 'bytes');
    expect(paths.map(({ path }) => path)).toEqual(
      Array.from({ length: 20 }, (_, index) => `/${String(index).padStart(2, '0')}`),
    );
  });

  it('are counted in the range alone', async () => {
    const { account, route } = await domain();
    const { from } = windowOf('1h', Date.now());
    await send(rowOf({ route_id: route, path: '/old', time: from - 90 }), rowOf({ route_id: route, path: '/new' }));
    const hour = await test.traffic.listCostlyPaths(account, '1h', route, 'bytes');
    expect(hour.paths.map(({ path }) => path)).toEqual(['/new']);
    expect(Date.parse(hour.from) / 1000).toBeGreaterThanOrEqual(from);
    const day = await test.traffic.listCostlyPaths(account, '24h', route, 'bytes');
    expect(day.paths.map(({ path }) => path)).toEqual(['/new', '/old']);
  });

  it('of a domain with more requests than are read are those of the newest, and the answer says since when', async () => {
    const { account, route } = await domain();
    const now = Date.now() / 1000;
    await send(
      ...many(5, () => ({ route_id: route, path: '/old', time: now - 3_000 })),
      ...many(5, () => ({ route_id: route, path: '/new', time: now - 600 })),
      ...many(50, () => hit({ route_id: route, path: '/kept' })),
    );
    const { clickhouse, db } = test;
    const few = createTrafficService({ clickhouse, db, log: createLog('silent'), sharedMs: 0, costlyRowsMax: 4 });
    few.start();
    await untilReady(few);
    const { from, paths } = await few.listCostlyPaths(account, '24h', route, 'bytes');
    await few.stop();
    expect(paths.map(({ path, requests }) => [path, requests])).toEqual([['/new', 5]]);
    expect(Date.parse(from) / 1000).toBe(Math.floor((now - 600) / 60) * 60);
  });
});
