import { randomUUID } from 'node:crypto';
import type { AccessLogRow } from '@cordon/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createLog } from '../../platform/log.ts';
import { createTrafficService } from './service.ts';
import { ndjson, nodeOf, rowOf, startTraffic, type TestTraffic } from './testing/start-traffic.ts';

let test: TestTraffic;
const node = nodeOf('free01');
beforeAll(async () => {
  test = await startTraffic();
});
afterAll(() => test.stop());

const send = (...rows: AccessLogRow[]) => test.traffic.storeAccessLog(node, randomUUID(), ndjson(...rows));
const NOW = () => Date.now() / 1000;
const rows = (count: number, row: Partial<AccessLogRow>) =>
  Array.from({ length: count }, () => rowOf({ time: NOW(), ...row }));
const LEAST = { requestsMin: 20, failedMin: 2, shareMin: 0.05 };
const errorsOf = async (...routes: string[]) =>
  (await test.traffic.listErrors(5, LEAST))?.filter(({ route_id }) => routes.includes(route_id));

describe('domains whose visitors get server errors', () => {
  it('are those of all accounts with enough requests and too large a share', async () => {
    const [one, other] = [await test.addAccount(), await test.addAccount()];
    const [failing, well, quiet, chance, neighbour] = [
      await test.addRoute(one),
      await test.addRoute(one),
      await test.addRoute(one),
      await test.addRoute(one),
      await test.addRoute(other),
    ];
    await send(
      ...rows(18, { route_id: failing, status: 200 }),
      ...rows(2, { route_id: failing, status: 502 }),
      ...rows(99, { route_id: well, status: 200 }),
      ...rows(1, { route_id: well, status: 500 }),
      ...rows(19, { route_id: quiet, status: 503 }),
      ...rows(19, { route_id: chance, status: 200 }),
      ...rows(1, { route_id: chance, status: 503 }),
      ...rows(20, { route_id: neighbour, status: 504 }),
    );
    expect(await errorsOf(failing, well, quiet, chance, neighbour)).toEqual([
      { route_id: neighbour, account_id: other, requests: 20, failed: 20 },
      { route_id: failing, account_id: one, requests: 20, failed: 2 },
    ]);
    expect(await test.traffic.readAnswers(one, failing, 5)).toEqual({ requests: 20, failed: 2 });
    expect(await test.traffic.readAnswers(other, failing, 5)).toEqual({ requests: 0, failed: 0 });
  });

  it('are not those that block with a server error or are off, nor those whose errors are over', async () => {
    const account = await test.addAccount();
    const addRoute = () => test.addRoute(account);
    const [blocking, past, off] = [await addRoute(), await addRoute(), await addRoute()];
    await send(
      ...rows(30, { route_id: blocking, status: 503, action: 'block', plugin: 'cc', reason: 'rate' }),
      ...rows(30, { route_id: past, status: 503, time: NOW() - 420 }),
      ...rows(30, { route_id: off, status: 503, reason: 'deactivated' }),
      ...rows(30, { route_id: off, status: 503, reason: 'suspended' }),
    );
    expect(await errorsOf(blocking, past, off)).toEqual([]);
    expect(await test.traffic.readAnswers(account, off, 5)).toEqual({ requests: 60, failed: 0 });
    expect(await test.traffic.readAnswers(account, blocking, 5)).toEqual({ requests: 30, failed: 0 });
  });

  it('cannot be told while the store is away', async () => {
    const away = createTrafficService({ clickhouse: undefined, db: test.db, log: createLog('silent') });
    expect(await away.listErrors(5, LEAST)).toBeUndefined();
    expect(await away.readAnswers(randomUUID(), randomUUID(), 5)).toBeUndefined();
  });
});

describe('challenges that none of their visitors passed', () => {
  const challenged = (route_id: string) =>
    ({ route_id, status: 403, action: 'challenge', plugin: 'challenge', reason: 'proof_required' }) as const;

  it('are those of domains with many of them in the last minutes and no proof', async () => {
    const account = await test.addAccount();
    const addRoute = () => test.addRoute(account);
    const at = NOW() - 120;
    const minuteOf = (seconds: number) => Math.floor(seconds / 60) * 60;
    const [stuck, well, few, old] = await Promise.all([addRoute(), addRoute(), addRoute(), addRoute()]);
    await send(
      ...rows(49, { ...challenged(stuck), time: at - 300 }),
      ...rows(1, { ...challenged(stuck), time: at }),
      // Later, but no challenge.
      ...rows(9, { route_id: stuck }),
      ...rows(1, { route_id: stuck, reason: 'challenge_met', time: NOW() - 20 * 60 }),
      ...rows(1, { route_id: stuck, reason: 'challenge_met', time: NOW() - 77 * 60 }),
      ...rows(3, { route_id: stuck, status: 403, reason: 'challenge_failed' }),
      ...rows(90, challenged(well)),
      ...rows(1, { route_id: well, reason: 'challenge_met' }),
      ...rows(49, challenged(few)),
      ...rows(90, { ...challenged(old), time: NOW() - 20 * 60 }),
    );
    const unmet = await test.traffic.listUnmetChallenges(15, 50);
    expect(unmet?.filter(({ account_id }) => account_id === account)).toEqual([
      {
        account_id: account,
        route_id: stuck,
        challenged: 50,
        passed: 0,
        challenged_at: minuteOf(at),
        passed_before: 1,
      },
    ]);
    const challenges = (of: string, route: string) => test.traffic.readChallenges(of, route, 15);
    expect(await challenges(account, stuck)).toEqual({
      challenged: 50,
      passed: 0,
      challenged_at: minuteOf(at),
      passed_before: 1,
    });
    expect(await challenges(account, well)).toMatchObject({ challenged: 90, passed: 1 });
    expect(await challenges(await test.addAccount(), stuck)).toEqual({
      challenged: 0,
      passed: 0,
      challenged_at: 0,
      passed_before: 0,
    });
  });

  it('are none of those whose visitors only wait, nor is a wait that is over a proof', async () => {
    const account = await test.addAccount();
    const [waiting, stuck] = [await test.addRoute(account), await test.addRoute(account)];
    const wait = { status: 403, action: 'challenge', plugin: 'seclink', reason: 'wait_required' } as const;
    await send(
      ...rows(65, { ...wait, route_id: waiting }),
      ...rows(60, challenged(stuck)),
      ...rows(9, { ...wait, route_id: stuck }),
      ...rows(9, { reason: 'wait_met', route_id: stuck }),
    );
    const unmet = await test.traffic.listUnmetChallenges(15, 50);
    expect(
      unmet?.filter(({ account_id }) => account_id === account).map((one) => [one.route_id, one.challenged]),
    ).toEqual([[stuck, 60]]);
    expect(await test.traffic.readChallenges(account, waiting, 15)).toMatchObject({ challenged: 0, challenged_at: 0 });
    const day = await test.traffic.listDomainTraffic(account, [waiting, stuck]);
    expect(day.map((one) => [one.requests, one.challenged, one.passed])).toEqual([
      [65, 0, 0],
      [78, 60, 0],
    ]);
  });

  it('are not known while the store is away', async () => {
    const away = createTrafficService({ clickhouse: undefined, db: test.db, log: createLog('silent') });
    expect(await away.listUnmetChallenges(15, 50)).toBeUndefined();
    expect(await away.readChallenges(randomUUID(), randomUUID(), 15)).toBeUndefined();
  });
});

describe('domains with many requests a minute now', () => {
  const busyOf = async (account: string) =>
    (await test.traffic.listBusyRoutes(100, 'under-attack')).filter(({ account_id }) => account_id === account);
  const minutesAgo = (minutes: number) => (Math.floor(NOW() / 60) - minutes) * 60 + 1;

  it('come with what is usual for them, the busiest first', async () => {
    const account = await test.addAccount();
    const [surging, fresh, calm] = [
      await test.addRoute(account),
      await test.addRoute(account),
      await test.addRoute(account),
    ];
    const history = Array.from({ length: 60 }, (_, at) =>
      rows(at < 58 ? 3 : 40, { route_id: surging, time: minutesAgo(61 + at) }),
    ).flat();
    await send(...history);
    await send(
      ...rows(200, { route_id: surging, time: minutesAgo(1) }),
      ...rows(50, {
        route_id: surging,
        time: minutesAgo(1),
        status: 403,
        action: 'block',
        plugin: 'ban',
        reason: 'banned',
      }),
      ...rows(300, { route_id: fresh, time: minutesAgo(0), status: 403, action: 'challenge', plugin: 'under-attack' }),
      ...rows(99, { route_id: calm, time: minutesAgo(1) }),
      ...rows(500, { route_id: calm, time: minutesAgo(2) }),
    );
    expect(await busyOf(account)).toEqual([
      { account_id: account, route_id: fresh, requests: 300, usual: null },
      { account_id: account, route_id: surging, requests: 200, usual: 3 },
    ]);
  });

  it('are measured by a history without the last hour, and without minutes in which the plugin had a verdict', async () => {
    const account = await test.addAccount();
    const route_id = await test.addRoute(account);
    const attack = {
      route_id,
      status: 403,
      action: 'challenge',
      plugin: 'under-attack',
      reason: 'under_attack',
    } as const;
    const each = (count: number, from: number, minutes: number, row: Partial<AccessLogRow>) =>
      Array.from({ length: minutes }, (_, at) => rows(count, { ...row, time: minutesAgo(from + at) })).flat();
    await send(...each(3, 200, 70, { route_id }));
    // A run-up, and an attack of which some got past the mode.
    await send(...each(60, 5, 54, { route_id }));
    await send(...each(50, 70, 60, attack), ...each(90, 70, 60, { route_id }));
    await send(...rows(200, { ...attack, time: minutesAgo(1) }));
    expect(await busyOf(account)).toEqual([{ account_id: account, route_id, requests: 200, usual: 3 }]);
  });

  it('are none where all of it is blocked already, and none while the store is away', async () => {
    const account = await test.addAccount();
    const blocked = { status: 403, action: 'block', plugin: 'ban', reason: 'banned' } as const;
    await send(...rows(200, { route_id: await test.addRoute(account), ...blocked }));
    expect(await busyOf(account)).toEqual([]);
    const away = createTrafficService({ clickhouse: undefined, db: test.db, log: createLog('silent') });
    expect(await away.listBusyRoutes(1, 'under-attack')).toEqual([]);
  });
});

describe('the last 24 hours of domains', () => {
  it('come in the order of the ids, by the hour, with zeros where nothing happened', async () => {
    const account = await test.addAccount();
    const [busy, idle] = [await test.addRoute(account), await test.addRoute(account)];
    await send(
      ...rows(3, { route_id: busy, status: 200 }),
      ...rows(2, { route_id: busy, status: 403, action: 'block', plugin: 'cc', reason: 'rate' }),
      ...rows(4, { route_id: busy, status: 403, action: 'challenge', plugin: 'challenge', reason: 'proof_required' }),
      ...rows(2, { route_id: busy, reason: 'challenge_met' }),
      ...rows(1, { route_id: busy, status: 502, time: NOW() - 23 * 3600 }),
      ...rows(1, { route_id: busy, status: 502, time: NOW() - 24 * 3600 }),
    );
    const [first, second, ...more] = await test.traffic.listDomainTraffic(account, [idle, busy.toUpperCase(), idle]);
    expect(more).toEqual([]);
    expect(first).toMatchObject({ route_id: idle, requests: 0, blocked: 0, bytes: 0, status_5xx: 0 });
    expect(first?.series).toEqual(Array(24).fill({ requests: 0, blocked: 0 }));
    expect(second).toMatchObject({ route_id: busy, requests: 12, blocked: 2, challenged: 4, passed: 2, status_5xx: 1 });
    expect(second?.series.at(-1)).toEqual({ requests: 11, blocked: 2 });
    expect(second?.series[0]).toEqual({ requests: 1, blocked: 0 });
  });

  it('are of the account alone', async () => {
    const [account, other] = [await test.addAccount(), await test.addAccount()];
    const route = await test.addRoute(account);
    await send(...rows(3, { route_id: route, cache: 'hit' }), ...rows(1, { route_id: route, action: 'block' }));
    expect(await test.traffic.listDomainTraffic(other, [route])).toEqual([]);
    expect(await test.traffic.listDomainTraffic(account, [randomUUID()])).toEqual([]);
    for (const figure of ['requests', 'blocked', 'hit_ratio'] as const) {
      expect((await test.traffic.readDomainFigures(account, figure)).ids).toBe(`{${route}}`);
      expect(await test.traffic.readDomainFigures(other, figure)).toEqual({ ids: '{}', figures: '{}' });
    }
  });

  it('cannot be read while the store is away', async () => {
    const away = createTrafficService({ clickhouse: undefined, db: test.db, log: createLog('silent') });
    await expect(away.listDomainTraffic(randomUUID(), [randomUUID()])).rejects.toMatchObject({
      code: 'TRAFFIC_UNAVAILABLE',
    });
  });
});

it('is read from the roll-ups, not from the rows', async () => {
  const account = await test.addAccount();
  const route = await test.addRoute(account);
  await send(...Array.from({ length: 20_000 }, (_, index) => rowOf({ route_id: route, time: NOW() - (index % 3000) })));
  const query = vi.spyOn(test.clickhouse, 'query');
  await test.traffic.listErrors(5, LEAST);
  await test.traffic.readAnswers(account, route, 5);
  await test.traffic.listUnmetChallenges(15, 50);
  await test.traffic.readChallenges(account, route, 15);
  await test.traffic.listBusyRoutes(100, 'under-attack');
  await test.traffic.listDomainTraffic(account, [route]);
  await test.traffic.readDomainFigures(account, 'requests');
  await test.traffic.readDomainFigures(account, 'blocked');
  await test.traffic.readDomainFigures(account, 'hit_ratio');
  const statements = query.mock.calls.map(([statement]) => statement);
  query.mockRestore();
  const sources = await Promise.all(
    statements.map(async (statement) => {
      const plan = await test.clickhouse.query({
        ...statement,
        query: `EXPLAIN projections = 1 ${statement.query}`,
        format: 'TabSeparated',
      });
      return [...(await plan.text()).matchAll(/ReadFromMergeTree \(([\w.]+)\)/g)].map((match) => match[1]);
    }),
  );
  expect(sources).toEqual([
    ...Array(6).fill(['account_route_figures_by_minute']),
    // Of the rows of a page, the numbers, and beside them the hit ratio.
    ['route_figures_by_quarter_hour'],
    ['route_cache_by_minute'],
    ...Array(2).fill(['route_figures_by_quarter_hour']),
    Array(3).fill('route_cache_by_minute'),
  ]);
});
