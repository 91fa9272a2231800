import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { many, ndjson, nodeOf, rowOf, startTraffic, type TestTraffic, untilReady } from './testing/start-traffic.ts';

const BATCHES = 24;
const KILLS_MAX = 8;

let test: TestTraffic;
let account: string;
let route: string;
const node = nodeOf('free01');
beforeAll(async () => {
  test = await startTraffic();
  account = await test.addAccount();
  route = await test.addRoute(account);
});
afterAll(() => test.stop());

const countOf = async (batch: string) =>
  (await test.query<{ rows: number }>(`SELECT count() AS rows FROM requests WHERE batch = '${batch}'`))[0]?.rows;
const requestsOf = async (accountId: string) => (await test.traffic.readOverview(accountId, '24h')).totals.requests;

/** As an agent does: again and again until it is acknowledged. */
async function sendUntilStored(batch: string, rows: ReturnType<typeof many>): Promise<number> {
  for (;;) {
    try {
      return (await test.traffic.storeAccessLog(node, batch, ndjson(...rows))).rows;
    } catch (error) {
      if ((error as { status?: unknown }).status !== 503) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

describe('while ClickHouse is down', () => {
  it('answers TRAFFIC_UNAVAILABLE, acknowledges nothing, and comes back without a restart of the API', async () => {
    await test.traffic.storeAccessLog(node, 'before', ndjson(rowOf({ route_id: route })));
    await test.engine.kill();
    await expect(test.traffic.readOverview(account, '15m')).rejects.toMatchObject({
      code: 'TRAFFIC_UNAVAILABLE',
      status: 503,
    });
    await expect(test.traffic.storeAccessLog(node, 'down', ndjson(rowOf({ route_id: route })))).rejects.toMatchObject({
      code: 'TRAFFIC_UNAVAILABLE',
    });
    await expect(test.traffic.check()).rejects.toThrow();
    await test.engine.restart();
    await untilReady(test.traffic);
    expect(await countOf('before')).toBe(1);
    expect(await countOf('down')).toBe(0);
    expect(await test.traffic.storeAccessLog(node, 'down', ndjson(rowOf({ route_id: route })))).toEqual({ rows: 1 });
  });

  it('makes the tables again in an engine that lost its data', async () => {
    await test.engine.kill();
    await rm(test.engine.directory, { recursive: true, force: true });
    await test.engine.restart();
    await untilReady(test.traffic);
    expect(await test.traffic.storeAccessLog(node, 'empty-engine', ndjson(rowOf({ route_id: route })))).toEqual({
      rows: 1,
    });
  });
});

describe('exactly once over kill -9 of the engine', () => {
  it('stores a batch whose token was spent on a part that the kill took away', async () => {
    const own = await test.addAccount();
    const ownRoute = await test.addRoute(own);
    const rows = many(10, () => ({ route_id: ownRoute }));
    await test.traffic.storeAccessLog(node, 'lost', ndjson(...rows));
    const [part] = await test.query<{ path: string }>(
      `SELECT path FROM system.parts WHERE active AND table = 'requests' AND name IN (SELECT _part FROM requests WHERE batch = 'lost')`,
    );
    // The engine logs the token, then renames the part to its name. A kill between the two leaves the token alone.
    await test.engine.kill();
    await rm(part?.path as string, { recursive: true });
    await test.engine.restart();
    await untilReady(test.traffic);
    expect(await countOf('lost')).toBe(0);
    expect(await sendUntilStored('lost', rows)).toBe(10);
    expect(await sendUntilStored('lost', rows)).toBe(10);
    expect(await countOf('lost')).toBe(10);
    expect(await requestsOf(own)).toBe(10);
  });

  it('loses and doubles nothing, rows and roll-ups, when killed at any moment of many batches', async () => {
    const own = await test.addAccount();
    const ownRoute = await test.addRoute(own);
    const batches = Array.from({ length: BATCHES }, (_, index) => ({
      name: `storm-${index}`,
      rows: many(300, (row) => ({
        route_id: ownRoute,
        action: row % 3 ? '' : 'block',
        plugin: 'waf',
        reason: 'r',
        country: 'FR',
      })),
    }));
    let isStoring = true;
    let kills = 0;
    const killing = (async () => {
      for (let pause = 5; isStoring && kills < KILLS_MAX; pause = (pause * 7) % 211) {
        await new Promise((resolve) => setTimeout(resolve, pause));
        await test.engine.kill();
        kills += 1;
        await test.engine.restart();
        await untilReady(test.traffic);
      }
    })();
    const send = async (from: number) => {
      for (const { name, rows } of batches.filter((_, index) => index % 4 === from))
        expect(await sendUntilStored(name, rows)).toBe(300);
    };
    await Promise.all([0, 1, 2, 3].map(send));
    isStoring = false;
    await killing;
    expect(kills).toBeGreaterThan(1);
    const counts = await test.query<{ batch: string; rows: number; unique: number }>(
      `SELECT batch, count() AS rows, uniqExact(request_id) AS unique FROM requests WHERE startsWith(batch, 'storm-') GROUP BY batch`,
    );
    expect(counts).toHaveLength(BATCHES);
    expect(counts.filter(({ rows, unique }) => rows !== 300 || unique !== 300)).toEqual([]);
    for (const range of ['15m', '1h', '24h', '7d'] as const) {
      const overview = await test.traffic.readOverview(own, range);
      expect(overview.totals).toMatchObject({
        requests: BATCHES * 300,
        blocked: BATCHES * 100,
        status_2xx: BATCHES * 300,
        bytes: BATCHES * 300_000,
      });
      expect(overview.countries).toEqual([{ country: 'FR', requests: BATCHES * 300, blocked: BATCHES * 100 }]);
      expect(overview.stopped_by_reason).toEqual([
        { plugin: 'waf', reason: 'r', action: 'block', requests: BATCHES * 100 },
      ]);
    }
  }, 120_000);
});
