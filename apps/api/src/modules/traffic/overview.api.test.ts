import { randomUUID } from 'node:crypto';
import type { AccessLogRow, TrafficRange } from '@cordon/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../platform/log.ts';
import { windowOf } from './overview.ts';
import { overviewQuery, type TopDomainsMatch, topDomainsQuery } from './overview-repository.ts';
import { startQuery } from './request-repository.ts';
import { createTrafficService } from './service.ts';
import { many, ndjson, nodeOf, rowOf, startTraffic, type TestTraffic, untilReady } from './testing/start-traffic.ts';

const RANGES: readonly TrafficRange[] = ['15m', '1h', '24h', '7d'];
const SECONDS: Record<TrafficRange, number> = { '15m': 900, '1h': 3600, '24h': 86_400, '7d': 604_800 };

let test: TestTraffic;
const node = nodeOf('free01');
beforeAll(async () => {
  test = await startTraffic();
});
afterAll(() => test.stop());

const send = (...rows: AccessLogRow[]) => test.traffic.storeAccessLog(node, randomUUID(), ndjson(...rows));
const ago = (seconds: number) => Date.now() / 1000 - seconds;
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

describe('an overview', () => {
  it.each(RANGES)('of %s has a point for every bucket although nothing happened', async (range) => {
    const overview = await test.traffic.readOverview(await test.addAccount(), range);
    const step = overview.bucket_seconds * 1000;
    expect(overview.series).toHaveLength(SECONDS[range] / overview.bucket_seconds);
    expect(overview.series[0]?.time).toBe(overview.from);
    overview.series.forEach((point, index) => {
      expect(Date.parse(point.time)).toBe(Date.parse(overview.from) + index * step);
      expect(point).toMatchObject({ requests: 0, bytes: 0, blocked: 0, status_2xx: 0 });
    });
    // `to` is the moment of the reading, inside of the last bucket.
    const last = Date.parse(overview.series.at(-1)?.time as string);
    expect(Date.parse(overview.to)).toBeGreaterThanOrEqual(last);
    expect(Date.parse(overview.to)).toBeLessThan(last + step);
    expect(overview).toMatchObject({
      countries: [],
      stopped_by_reason: [],
      top_domains: [],
      totals: { requests: 0 },
      previous: { requests: 0 },
    });
  });

  it.each(RANGES)('of %s shows a request as soon as it is stored', async (range) => {
    const account = await test.addAccount();
    const route = await test.addRoute(account);
    await send(rowOf({ route_id: route, time: Date.now() / 1000 }));
    const overview = await test.traffic.readOverview(account, range);
    expect(overview.totals).toEqual({
      requests: 1,
      bytes: 1000,
      blocked: 0,
      challenged: 0,
      passed: 0,
      status_2xx: 1,
      status_3xx: 0,
      status_4xx: 0,
      status_5xx: 0,
    });
    expect(sumOf(overview.series.slice(-2).map((point) => point.requests))).toBe(1);
  });

  it.each(RANGES)('of %s counts what lies in it, and before it what lies before', async (range) => {
    const account = await test.addAccount();
    const route = await test.addRoute(account);
    const { previousFrom, from, end } = windowOf(range, Date.now());
    await send(
      ...many(1, () => ({ route_id: route, time: previousFrom - 0.001 })),
      ...many(2, () => ({ route_id: route, time: previousFrom })),
      ...many(3, () => ({ route_id: route, time: from - 0.001 })),
      ...many(4, () => ({ route_id: route, time: from })),
      ...many(5, () => ({ route_id: route, time: ago(0) })),
    );
    const overview = await test.traffic.readOverview(account, range);
    // The clock may have passed into the next bucket since: then the oldest bucket of each range has left it.
    const moved = (Date.parse(overview.from) / 1000 - from) / overview.bucket_seconds;
    expect(moved).toBeLessThanOrEqual(1);
    expect(overview.totals.requests).toBe(moved ? 5 : 9);
    expect(overview.previous.requests).toBe(moved ? 7 : 5);
    expect(end - from).toBe(SECONDS[range]);
    expect(overview.series[0]?.requests).toBe(moved ? 0 : 4);
  });

  it.each(RANGES)(
    'of %s shows what came in the last second of its last bucket, and nothing from after it',
    async (range) => {
      const account = await test.addAccount();
      const route = await test.addRoute(account);
      // The bucket before the one that fills now.
      const end = windowOf(range, Date.now()).end - windowOf(range, 0).bucketSeconds;
      const times = [end - 1, end - 0.999, end - 0.5, end - 0.001, end];
      // Each in a part of its own: ClickHouse skips a part by its smallest and its largest key.
      for (const time of times) await send(rowOf({ route_id: route, time }));
      const { clickhouse, db } = test;
      const log = createLog('silent');
      const then = createTrafficService({ clickhouse, db, log, sharedMs: 0, now: () => (end - 0.001) * 1000 });
      then.start();
      await untilReady(then);
      const overview = await then.readOverview(account, range);
      await then.stop();
      expect(overview.series.at(-1)?.requests).toBe(4);
      expect(overview.totals.requests).toBe(4);
      expect(overview.top_domains.map(({ requests }) => requests)).toEqual([4]);
    },
  );

  it('has roll-ups that equal the rows, by every measure', async () => {
    const account = await test.addAccount();
    const routes = await Promise.all(Array.from({ length: 12 }, () => test.addRoute(account)));
    const pick = <Value>(values: readonly Value[], index: number) => values[index % values.length] as Value;
    for (let batch = 0; batch < 4; batch += 1) {
      await send(
        ...many(1500, (index) => ({
          route_id: pick(routes, index % 23),
          // Days cost an insert each: only the first batch goes back further than one.
          time: ago((index * 997 * (batch + 1)) % (batch === 0 ? 7 * 86_400 : 86_400)),
          status: pick([200, 204, 301, 304, 404, 429, 502, 503, 101], index),
          bytes_sent: index,
          country: pick(['DE', 'US', 'CN', '', 'FR'], index * 7),
          plugin: pick(['', '', 'waf', 'geoip'], index),
          action: pick(['', 'log', 'block', 'challenge'] as const, index),
          reason: pick(['', 'challenge_met', 'sqli', 'country', 'xss'], index),
        })),
      );
    }
    for (const range of RANGES) {
      for (const route of [undefined, routes[3] as string]) {
        const overview = await test.traffic.readOverview(account, range, route);
        const scope = `account_id = '${account}'${route ? ` AND route_id = '${route}'` : ''}
          AND time >= parseDateTime64BestEffort('${overview.from}', 3, 'UTC')`;
        const raw = async <Row>(columns: string, rest = '') =>
          test.query<Row>(
            `SELECT ${columns} FROM requests WHERE ${scope} ${rest} SETTINGS optimize_use_projections = 0`,
          );
        const [totals] = await raw<
          typeof overview.totals
        >(`count() AS requests, sum(bytes_sent) AS bytes, countIf(action = 'block') AS blocked,
          countIf(action = 'challenge') AS challenged, countIf(reason = 'challenge_met' AND plugin = '') AS passed,
          countIf(intDiv(status, 100) = 2) AS status_2xx, countIf(intDiv(status, 100) = 3) AS status_3xx,
          countIf(intDiv(status, 100) = 4) AS status_4xx, countIf(intDiv(status, 100) = 5) AS status_5xx`);
        expect(overview.totals).toEqual(totals);
        expect(sumOf(overview.series.map((point) => point.requests))).toBe(overview.totals.requests);
        expect(sumOf(overview.countries.map((entry) => entry.requests))).toBe(overview.totals.requests);
        expect(sumOf(overview.stopped_by_reason.map((entry) => entry.requests))).toBe(
          overview.totals.blocked + overview.totals.challenged,
        );
        expect(overview.countries).toEqual(
          await raw(
            `country, count() AS requests, countIf(action = 'block') AS blocked`,
            'GROUP BY country ORDER BY requests DESC, country',
          ),
        );
        expect(overview.stopped_by_reason).toEqual(
          await raw(
            'plugin, reason, action, count() AS requests',
            `AND action IN ('block', 'challenge') GROUP BY plugin, reason, action ORDER BY requests DESC, plugin, reason, action`,
          ),
        );
        const top = await raw<{ route_id: string; requests: number }>(
          'toString(route_id) AS route_id, count() AS requests',
          'GROUP BY route_id ORDER BY requests DESC, route_id LIMIT 10',
        );
        expect(overview.top_domains.map(({ route_id, requests }) => ({ route_id, requests }))).toEqual(top);
      }
    }
  });

  it('is answered from the smallest roll-ups, not from the rows', async () => {
    const account = await test.addAccount();
    const route = await test.addRoute(account);
    await send(...many(20_000, (index) => ({ route_id: route, time: ago(index % 3000) })));
    const sourcesOf = async (range: TrafficRange, hasRoute: boolean) => {
      const window = windowOf(range, Date.now());
      const result = await test.clickhouse.query({
        query: `EXPLAIN projections = 1 ${overviewQuery(window, hasRoute)}`,
        query_params: {
          account,
          route,
          previous_from: window.previousFrom,
          from: window.from,
          end: window.end,
          bucket: window.bucketSeconds,
        },
        format: 'TabSeparated',
      });
      return new Set([...(await result.text()).matchAll(/ReadFromMergeTree \(([\w.]+)\)/g)].map((match) => match[1]));
    };
    for (const range of ['24h', '7d'] as const) {
      expect(await sourcesOf(range, false)).toEqual(
        new Set([
          'account_figures_by_quarter_hour',
          'route_figures_by_quarter_hour',
          'account_country_by_quarter_hour',
        ]),
      );
      expect(await sourcesOf(range, true)).toEqual(
        new Set(['route_figures_by_quarter_hour', 'route_country_by_quarter_hour']),
      );
    }
    // Countries of one hour come from the rows: a roll-up by minute and country would be as large.
    expect(await sourcesOf('1h', false)).toEqual(new Set(['account_route_figures_by_minute', 'cordon.requests']));
  });

  it('names the top domains by the account, most requests first, ten at most', async () => {
    const account = await test.addAccount();
    const routes = await Promise.all(Array.from({ length: 12 }, () => test.addRoute(account)));
    await send(...routes.flatMap((route, index) => many(index + 1, () => ({ route_id: route, bytes_sent: 10 }))));
    const { top_domains } = await test.traffic.readOverview(account, '1h');
    expect(top_domains.map((entry) => entry.requests)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
    const names = await test.db
      .selectFrom('routes')
      .select(['id', 'domain_name'])
      .where('account_id', '=', account)
      .execute();
    for (const entry of top_domains)
      expect(entry.domain_name).toBe(names.find(({ id }) => id === entry.route_id)?.domain_name);
    expect(top_domains[0]).toMatchObject({ route_id: routes[11], bytes: 120, blocked: 0 });
  });

  it('is one reading shared by all that ask within a second', async () => {
    let now = Date.now();
    let reads = 0;
    const counting = {
      ...test.clickhouse,
      query: (...given: unknown[]) => {
        reads += 1;
        return (test.clickhouse.query as (...all: unknown[]) => unknown)(...given);
      },
      command: test.clickhouse.command.bind(test.clickhouse),
    };
    const { log } = { log: { warn: () => undefined } as never };
    const shared = createTrafficService({
      clickhouse: counting as unknown as typeof test.clickhouse,
      db: test.db,
      log,
      now: () => now,
    });
    shared.start();
    await untilReady(shared);
    const account = await test.addAccount();
    reads = 0;
    await Promise.all(Array.from({ length: 50 }, () => shared.readOverview(account, '15m')));
    // Of all requests, and of the cache.
    expect(reads).toBe(2);
    now += 1001;
    await shared.readOverview(account, '15m');
    expect(reads).toBe(4);
    await shared.stop();
  });
});

describe('the domains with most blocked', () => {
  const blocked = { plugin: 'geoip', reason: 'country', action: 'block' } as const;

  it.each(RANGES)('of %s come first, by country or by reason, with the sums of the overview', async (range) => {
    const account = await test.addAccount();
    const [much, little, none] = [
      await test.addRoute(account),
      await test.addRoute(account),
      await test.addRoute(account),
    ];
    await send(
      ...many(2, () => ({ ...blocked, route_id: little, country: 'US' })),
      ...many(9, () => ({ route_id: little, country: 'DE' })),
      ...many(3, () => ({ ...blocked, route_id: much, country: 'US' })),
      ...many(1, () => ({ ...blocked, route_id: much, country: '', plugin: '', reason: 'loop' })),
      ...many(5, () => ({ route_id: none, country: 'US' })),
      ...many(7, () => ({ ...blocked, route_id: little, time: ago(15 * 86_400) })),
    );
    const list = async (match: object) => {
      const { domains, count } = await test.traffic.listTopDomains(account, range, match);
      expect(count).toBe(domains.length);
      return domains.map(({ route_id, requests, blocked }) => [route_id, requests, blocked]);
    };
    expect(await list({})).toEqual([
      [much, 4, 4],
      [little, 11, 2],
    ]);
    // The number of a country is of requests: those with nothing blocked are among them.
    expect(await list({ country: 'US' })).toEqual([
      [none, 5, 0],
      [much, 3, 3],
      [little, 2, 2],
    ]);
    expect(await list({ country: '' })).toEqual([[much, 1, 1]]);
    expect(await list({ plugin: 'geoip', reason: 'country' })).toEqual([
      [much, 3, 3],
      [little, 2, 2],
    ]);
    expect(await list({ plugin: '', reason: 'loop' })).toEqual([[much, 1, 1]]);
    expect(await list({ country: 'FR' })).toEqual([]);
    const [first] = (await test.traffic.listTopDomains(account, range, {})).domains;
    expect(first?.domain_name).not.toBe('');
  });

  it.each(RANGES)(
    'of %s are ordered by requests, bytes or a class of status, with the sums of the overview',
    async (range) => {
      const account = await test.addAccount();
      const [busy, heavy] = [await test.addRoute(account), await test.addRoute(account)];
      await send(
        ...many(5, () => ({ route_id: busy, bytes_sent: 10, status: 200 })),
        ...many(2, () => ({ route_id: busy, bytes_sent: 10, status: 502 })),
        ...many(3, () => ({ route_id: heavy, bytes_sent: 1000, status: 404 })),
      );
      const list = async (match: TopDomainsMatch) =>
        (await test.traffic.listTopDomains(account, range, match)).domains.map(({ route_id, value }) => [
          route_id,
          value,
        ]);
      expect(await list({ by: 'requests' })).toEqual([
        [busy, 7],
        [heavy, 3],
      ]);
      expect(await list({ by: 'bytes' })).toEqual([
        [heavy, 3000],
        [busy, 70],
      ]);
      expect(await list({ status: '2xx' })).toEqual([[busy, 5]]);
      expect(await list({ status: '3xx' })).toEqual([]);
      expect(await list({ status: '4xx' })).toEqual([[heavy, 3]]);
      expect(await list({ status: '5xx' })).toEqual([[busy, 2]]);
      const last = await test.traffic.listRequests(account, { routeId: busy, action: 'all', status: '5xx', limit: 10 });
      expect(last.map(({ status }) => status)).toEqual([502, 502]);
    },
  );

  it('are those with most challenged where these are asked for, each request as what it was', async () => {
    const account = await test.addAccount();
    const [asked, kept] = [await test.addRoute(account), await test.addRoute(account)];
    const doubt = { plugin: 'blackrules', reason: 'rule_in_doubt' } as const;
    await send(
      ...many(5, () => ({ ...doubt, action: 'challenge' as const, route_id: asked, status: 403 })),
      ...many(2, () => ({ ...doubt, action: 'block' as const, route_id: asked, status: 403 })),
      ...many(3, () => ({ ...blocked, route_id: kept })),
      ...many(4, () => ({ reason: 'challenge_met', route_id: asked })),
    );
    const list = async (match: TopDomainsMatch) =>
      (await test.traffic.listTopDomains(account, '1h', match)).domains.map(({ route_id, value }) => [route_id, value]);
    expect(await list({ by: 'challenged' })).toEqual([[asked, 5]]);
    expect(await list({})).toEqual([
      [kept, 3],
      [asked, 2],
    ]);
    expect(await list(doubt)).toEqual([[asked, 2]]);
    expect(await list({ ...doubt, by: 'challenged' })).toEqual([[asked, 5]]);
    const last = await test.traffic.listRequests(account, { action: 'challenge', limit: 10 });
    expect(last.map(({ action }) => action)).toEqual(Array(5).fill('challenge'));
    const overview = await test.traffic.readOverview(account, '1h');
    expect(overview.totals).toMatchObject({ requests: 14, blocked: 5, challenged: 5, passed: 4 });
    expect(overview.stopped_by_reason).toEqual([
      { ...doubt, action: 'challenge', requests: 5 },
      { plugin: 'geoip', reason: 'country', action: 'block', requests: 3 },
      { ...doubt, action: 'block', requests: 2 },
    ]);
    expect(overview.top_domains[0]).toMatchObject({ route_id: asked, blocked: 2, challenged: 5, passed: 4 });
  });

  it('are a hundred at most, and all are counted', async () => {
    const account = await test.addAccount();
    const routes = await Promise.all(Array.from({ length: 102 }, () => test.addRoute(account)));
    await send(...routes.map((route) => rowOf({ ...blocked, route_id: route })));
    const { domains, count } = await test.traffic.listTopDomains(account, '1h', {});
    expect([domains.length, count]).toEqual([100, 102]);
  });

  it('and the last of their requests are found by roll-ups, whatever they are filtered by', async () => {
    const account = await test.addAccount();
    const route = await test.addRoute(account);
    await send(...many(20_000, (index) => ({ route_id: route, time: ago(index % 3000) })));
    const sourcesOf = async (query: string, window = windowOf('24h', Date.now())) => {
      const { from, end } = window;
      const result = await test.clickhouse.query({
        query: `EXPLAIN projections = 1 ${query}`,
        query_params: { account, route, from, end, country: 'US', plugin: 'geoip', reason: 'country', limit: 100 },
        format: 'TabSeparated',
      });
      return [...(await result.text()).matchAll(/ReadFromMergeTree \(([\w.]+)\)/g)].map((match) => match[1]);
    };
    const cause = { plugin: 'geoip', reason: 'country' };
    for (const range of ['24h', '7d'] as const) {
      const window = windowOf(range, Date.now());
      expect(await sourcesOf(topDomainsQuery(window, {}))).toEqual(['route_figures_by_quarter_hour']);
      for (const match of [
        cause,
        { status: '5xx' },
        { by: 'requests' },
        { by: 'bytes' },
        { by: 'challenged' },
      ] as const)
        expect(await sourcesOf(topDomainsQuery(window, match))).toEqual(['route_figures_by_quarter_hour']);
      expect(await sourcesOf(topDomainsQuery(window, { country: 'US' }))).toEqual(['route_country_by_quarter_hour']);
    }
    expect(await sourcesOf(topDomainsQuery(windowOf('1h', Date.now()), cause))).toEqual([
      'account_route_figures_by_minute',
    ]);
    const filter = { routeId: route, action: 'block', limit: 100 } as const;
    expect(await sourcesOf(startQuery({ ...filter, country: 'US' }))).toEqual(['route_country_by_quarter_hour']);
    expect(await sourcesOf(startQuery({ ...filter, ...cause }))).toEqual(['route_figures_by_quarter_hour']);
    expect(await sourcesOf(startQuery({ ...filter, action: 'challenge' }))).toEqual(['route_figures_by_quarter_hour']);
    expect(await sourcesOf(startQuery({ ...filter, action: 'all', status: '5xx' }))).toEqual([
      'route_figures_by_quarter_hour',
    ]);
  });
});

describe('the last requests', () => {
  it('are the newest of the account first, with the filters applied', async () => {
    const account = await test.addAccount();
    const [one, two] = [await test.addRoute(account), await test.addRoute(account)];
    const rows = many(150, (index) => ({
      route_id: index % 2 ? one : two,
      time: ago(index * 60),
      path: `/${index}`,
      action: index % 10 ? '' : 'block',
      plugin: index % 10 ? '' : 'waf',
    }));
    await send(...rows);
    const list = (filter: object) => test.traffic.listRequests(account, { action: 'all', limit: 100, ...filter });
    const paths = async (filter: object) => (await list(filter)).map((row) => row.path);
    const expected = (keep: (index: number) => boolean, limit = 100) =>
      rows
        .map((row) => row.path)
        .filter((_, index) => keep(index))
        .slice(0, limit);
    expect(await paths({})).toEqual(expected(() => true));
    expect(await paths({ limit: 7 })).toEqual(expected(() => true, 7));
    expect(await paths({ routeId: one })).toEqual(expected((index) => index % 2 === 1));
    expect(await paths({ action: 'block' })).toEqual(expected((index) => index % 10 === 0));
    expect(await paths({ requestId: rows[149]?.request_id })).toEqual(['/149']);
    expect(await paths({ requestId: 'nothing' })).toEqual([]);
    expect(await paths({ country: 'DE', limit: 2 })).toEqual(['/0', '/1']);
    expect(await paths({ country: '' })).toEqual([]);
    expect(await paths({ plugin: 'waf', reason: '' })).toEqual(expected((index) => index % 10 === 0));
    expect(await paths({ plugin: 'waf', reason: 'sqli' })).toEqual([]);
    const [first] = await list({});
    expect(first).toEqual({
      time: new Date(Math.round((rows[0]?.time ?? 0) * 1000)).toISOString(),
      request_id: rows[0]?.request_id,
      referer: '',
      route_id: rows[0]?.route_id,
      domain_name: 'www.example.com',
      method: 'GET',
      path: '/0',
      raw_path: '',
      query: '',
      scheme: 'https',
      status: 200,
      bytes_sent: 1000,
      duration_ms: 3.25,
      client_address: '192.0.2.1',
      country: 'DE',
      user_agent: 'test',
      plugin: 'waf',
      action: 'block',
      reason: '',
      rule: '',
      upstream_status: 200,
      version: 1,
      is_test: false,
    });
  });

  it('say which are of a test attack', async () => {
    const account = await test.addAccount();
    const route_id = await test.addRoute(account);
    await send(...many(2, (index) => ({ route_id, path: `/${index}`, ...(index === 1 && { is_test: true }) })));
    const rows = await test.traffic.listRequests(account, { action: 'all', limit: 9 });
    expect(Object.fromEntries(rows.map(({ path, is_test }) => [path, is_test]))).toEqual({ '/0': false, '/1': true });
  });

  it('are empty where there are none', async () => {
    expect(await test.traffic.listRequests(await test.addAccount(), { action: 'all', limit: 100 })).toEqual([]);
  });
});

describe('plugin effects', () => {
  it('count what each plugin decided in the last 24 hours', async () => {
    const account = await test.addAccount();
    const route = await test.addRoute(account);
    await send(
      ...many(5, () => ({ route_id: route, plugin: 'waf', action: 'block' as const })),
      ...many(2, () => ({ route_id: route, plugin: 'geoip', action: 'block' as const, time: ago(80_000) })),
      ...many(3, () => ({ route_id: route, plugin: 'geoip', time: ago(90_000) })),
      ...many(4, () => ({ route_id: route })),
    );
    expect(await test.traffic.readPluginEffects(account, route)).toEqual([
      { plugin: 'waf', requests: 5, challenged: 0, passed: null },
      { plugin: 'geoip', requests: 2, challenged: 0, passed: null },
    ]);
  });

  it.each(['24h', '1h', '15m'] as const)('add up in %s to the blocked requests of the same reading', async (range) => {
    const account = await test.addAccount();
    const route = await test.addRoute(account);
    const block = { route_id: route, action: 'block' as const };
    await send(
      ...many(5, () => ({ ...block, plugin: 'waf' })),
      ...many(2, () => ({ ...block, plugin: 'geoip', time: ago(60) })),
      ...many(4, () => ({ route_id: route })),
      // Of the range before.
      ...many(3, () => ({ ...block, plugin: 'ban', time: ago(range === '24h' ? 90_000 : 4_000) })),
    );
    const { plugins, totals } = await test.traffic.readOverview(account, range, route);
    expect(plugins.map(({ plugin, requests }) => [plugin, requests])).toEqual([
      ['waf', 5],
      ['geoip', 2],
    ]);
    expect(totals.blocked).toBe(7);
  });

  it('count challenges and those that were passed, which are of no plugin where several challenge', async () => {
    const account = await test.addAccount();
    const route = await test.addRoute(account);
    const challenged = { route_id: route, action: 'challenge' as const };
    await send(
      ...many(6, () => ({ ...challenged, plugin: 'challenge' })),
      ...many(1, () => ({ route_id: route, plugin: 'challenge', action: 'block' as const })),
      ...many(2, () => ({ route_id: route, reason: 'challenge_met' })),
      ...many(1, () => ({ route_id: route, reason: 'challenge_failed' })),
    );
    const own = { plugin: 'challenge', requests: 7, challenged: 6 };
    expect(await test.traffic.readPluginEffects(account, route)).toEqual([{ ...own, passed: 2 }]);
    await send(...many(3, () => ({ ...challenged, plugin: 'blackrules' })));
    expect(await test.traffic.readPluginEffects(account, route)).toEqual([
      { ...own, passed: null },
      { plugin: 'blackrules', requests: 3, challenged: 3, passed: null },
    ]);
  });
});

describe('waits', () => {
  const plugin = 'seclink';
  const wait = { plugin, action: 'challenge', reason: 'wait_required', status: 403 } as const;

  it('are counted at their plugin and by their reason, and as no challenges', async () => {
    const account = await test.addAccount();
    const [both, waiting] = [await test.addRoute(account), await test.addRoute(account)];
    await send(
      ...many(6, () => ({ ...wait, route_id: waiting })),
      ...many(1, () => ({ ...wait, action: 'block' as const, reason: 'link_invalid', route_id: waiting })),
      ...many(4, () => ({ reason: 'wait_met', route_id: waiting })),
      ...many(5, () => ({ ...wait, route_id: both })),
      ...many(3, () => ({
        plugin: 'challenge',
        action: 'challenge' as const,
        reason: 'proof_required',
        route_id: both,
      })),
      ...many(2, () => ({ reason: 'challenge_met', route_id: both })),
      ...many(1, () => ({ reason: 'wait_met', route_id: both })),
    );
    for (const range of RANGES) {
      const { totals, series, top_domains, stopped_by_reason } = await test.traffic.readOverview(account, range);
      expect(totals).toMatchObject({ requests: 22, blocked: 1, challenged: 3, passed: 2 });
      expect(series.reduce((sum, { challenged }) => sum + challenged, 0)).toBe(3);
      expect(top_domains).toMatchObject(
        [
          { route_id: both, requests: 11, challenged: 3, passed: 2 },
          { route_id: waiting, requests: 11, blocked: 1, challenged: 0, passed: 0 },
        ].sort((a, b) => (a.route_id < b.route_id ? -1 : 1)),
      );
      expect(stopped_by_reason).toContainEqual({ plugin, reason: 'wait_required', action: 'challenge', requests: 11 });
      expect((await test.traffic.readOverview(account, range, waiting)).totals).toMatchObject({
        challenged: 0,
        passed: 0,
      });
      const list = async (match: TopDomainsMatch) =>
        (await test.traffic.listTopDomains(account, range, match)).domains.map((one) => [one.route_id, one.value]);
      expect(await list({ by: 'challenged' })).toEqual([[both, 3]]);
      expect(await list({ by: 'challenged', plugin, reason: 'wait_required' })).toEqual([
        [waiting, 6],
        [both, 5],
      ]);
    }
    expect(await test.traffic.readPluginEffects(account, waiting)).toEqual([
      { plugin, requests: 7, challenged: 6, passed: 4 },
    ]);
    expect(await test.traffic.readPluginEffects(account, both)).toEqual([
      { plugin, requests: 5, challenged: 5, passed: 1 },
      { plugin: 'challenge', requests: 3, challenged: 3, passed: 2 },
    ]);
    const last = async (filter: object) =>
      (await test.traffic.listRequests(account, { action: 'challenge', limit: 100, ...filter })).length;
    expect(await last({})).toBe(3);
    expect(await last({ routeId: waiting })).toBe(0);
    expect(await last({ plugin, reason: 'wait_required' })).toBe(11);
  });
});

describe('tenants: no account sees rows of another', () => {
  it('answers 404 for the route of another account, and only own rows without one', async () => {
    const [mine, theirs] = [await test.addAccount(), await test.addAccount()];
    const [myRoute, theirRoute] = [await test.addRoute(mine), await test.addRoute(theirs)];
    const secret = rowOf({ route_id: theirRoute, path: '/secret', plugin: 'waf', action: 'block' });
    await send(rowOf({ route_id: myRoute, path: '/mine' }), secret);
    const denied = { code: 'NOT_FOUND', status: 404 };
    for (const range of RANGES) {
      await expect(test.traffic.readOverview(mine, range, theirRoute)).rejects.toMatchObject(denied);
      await expect(test.traffic.readOverview(mine, range, randomUUID())).rejects.toMatchObject(denied);
      const overview = await test.traffic.readOverview(mine, range);
      expect(overview.totals).toMatchObject({ requests: 1, blocked: 0 });
      expect(overview.top_domains.map((entry) => entry.route_id)).toEqual([myRoute]);
      expect((await test.traffic.listTopDomains(mine, range, {})).domains).toEqual([]);
      const { domains } = await test.traffic.listTopDomains(mine, range, { country: 'DE' });
      expect(domains).toMatchObject([{ route_id: myRoute, requests: 1, blocked: 0 }]);
    }
    await expect(test.traffic.readPluginEffects(mine, theirRoute)).rejects.toMatchObject(denied);
    await expect(
      test.traffic.listRequests(mine, { action: 'all', limit: 100, routeId: theirRoute }),
    ).rejects.toMatchObject(denied);
    const list = (filter: object) => test.traffic.listRequests(mine, { action: 'all', limit: 100, ...filter });
    expect((await list({})).map((row) => row.path)).toEqual(['/mine']);
    expect(await list({ requestId: secret.request_id })).toEqual([]);
    expect(await list({ action: 'block' })).toEqual([]);
  });
});
