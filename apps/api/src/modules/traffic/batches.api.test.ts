import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BATCH_BYTES_MAX, NO_ID } from './access-log.ts';
import { many, ndjson, nodeOf, rowOf, startTraffic, type TestTraffic } from './testing/start-traffic.ts';

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

const storedOf = (where: string) =>
  test.query<{ account_id: string; route_id: string; host: string; path: string; time: string }>(
    `SELECT account_id, route_id, host, path, toString(time) AS time FROM requests WHERE ${where} ORDER BY time, path`,
  );
const countOf = async (batch: string, from = node) =>
  (await storedOf(`batch = '${batch}' AND node_id = '${from.id}'`)).length;
const totalsOf = async (accountId: string) => (await test.traffic.readOverview(accountId, '24h')).totals;

describe('a batch is stored exactly once', () => {
  it('stores every column as it was sent', async () => {
    const row = rowOf({
      route_id: route,
      time: Math.floor(Date.now() / 1000) + 0.125,
      raw_path: '//a/../b',
      query: 'a="\\\n\t\u0000é',
      status: 499,
      version: 7,
      duration_ms: 0.001,
      plugin: 'waf',
      action: 'block',
      reason: 'sqli',
      rule: '942100',
      country: 'CN',
      bytes_sent: 2 ** 40,
      is_test: true,
      cache: 'miss',
      cache_reason: 'set_cookie',
    });
    expect(await test.traffic.storeAccessLog(node, 'columns', ndjson(row))).toEqual({ rows: 1 });
    const [stored] = await test.query<Record<string, unknown>>(
      `SELECT * EXCEPT (batch, node_id, time), toUnixTimestamp64Milli(time) / 1000 AS time FROM requests WHERE batch = 'columns'`,
    );
    expect(stored).toEqual({ ...row, account_id: account });
  });

  it('changes nothing when it is sent again, by this process or another', async () => {
    const own = await test.addAccount();
    const ownRoute = await test.addRoute(own);
    const rows = many(500, (index) => ({
      route_id: ownRoute,
      action: index % 5 ? '' : 'block',
      plugin: index % 5 ? '' : 'waf',
    }));
    const repeated = await test.counter('cordon_access_log_batches_repeated_total');
    expect(await test.traffic.storeAccessLog(node, 'again', ndjson(...rows))).toEqual({ rows: 500 });
    expect(await test.traffic.storeAccessLog(node, 'again', ndjson(...rows))).toEqual({ rows: 500 });
    expect(await (await test.another()).storeAccessLog(node, 'again', ndjson(...rows))).toEqual({ rows: 500 });
    expect(await countOf('again')).toBe(500);
    expect(await totalsOf(own)).toMatchObject({ requests: 500, blocked: 100, bytes: 500_000 });
    expect((await test.counter('cordon_access_log_batches_repeated_total')) - repeated).toBe(1);
  });

  it('takes effect once when it arrives many times at the same moment in two processes', async () => {
    const own = await test.addAccount();
    const ownRoute = await test.addRoute(own);
    const other = await test.another();
    const rows = many(2000, () => ({ route_id: ownRoute }));
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        (index % 2 ? other : test.traffic).storeAccessLog(node, 'at-once', ndjson(...rows)),
      ),
    );
    expect(answers).toEqual(Array.from({ length: 8 }, () => ({ rows: 2000 })));
    expect(await countOf('at-once')).toBe(2000);
    expect(await totalsOf(own)).toMatchObject({ requests: 2000 });
  });

  it('is remembered for longer than the engine remembers its token', async () => {
    const setWindow = (tokens: number) =>
      test.clickhouse.command({
        query: `ALTER TABLE requests MODIFY SETTING non_replicated_deduplication_window = ${tokens}`,
      });
    const rows = many(5, () => ({ route_id: route }));
    await setWindow(1);
    try {
      await test.traffic.storeAccessLog(node, 'old', ndjson(...rows));
      await test.traffic.storeAccessLog(node, 'newer', ndjson(...rows));
      expect(await test.traffic.storeAccessLog(node, 'old', ndjson(...rows))).toEqual({ rows: 5 });
      expect(await countOf('old')).toBe(5);
    } finally {
      await setWindow(1000);
    }
  });

  it('keeps equal batch names of two nodes apart', async () => {
    const second = nodeOf('free01');
    await test.traffic.storeAccessLog(node, 'same-name', ndjson(rowOf({ route_id: route })));
    await test.traffic.storeAccessLog(
      second,
      'same-name',
      ndjson(rowOf({ route_id: route }), rowOf({ route_id: route })),
    );
    expect(await countOf('same-name')).toBe(1);
    expect(await countOf('same-name', second)).toBe(2);
  });

  it('stores the days that are missing of a batch over midnight', async () => {
    const today = rowOf({ route_id: route, path: '/today' });
    const yesterday = rowOf({ route_id: route, path: '/yesterday', time: Date.now() / 1000 - 86_400 });
    // What an API killed between the two days leaves behind.
    await test.traffic.storeAccessLog(node, 'midnight', ndjson(yesterday));
    expect(await test.traffic.storeAccessLog(node, 'midnight', ndjson(yesterday, today))).toEqual({ rows: 2 });
    expect((await storedOf(`batch = 'midnight'`)).map((row) => row.path)).toEqual(['/yesterday', '/today']);
  });
});

describe('a node reports only what is its own', () => {
  it('drops and counts rows of routes outside of its czones, and of routes that do not exist', async () => {
    const foreign = await test.addRoute(await test.addAccount(), 'vip01');
    const before = await test.counter('cordon_access_log_rows_dropped_total');
    const rows = [rowOf({ route_id: route }), rowOf({ route_id: foreign }), rowOf({ route_id: randomUUID() })];
    expect(await test.traffic.storeAccessLog(node, 'foreign', ndjson(...rows))).toEqual({ rows: 1 });
    expect((await storedOf(`batch = 'foreign'`)).map((row) => row.route_id)).toEqual([route]);
    expect((await test.counter('cordon_access_log_rows_dropped_total')) - before).toBe(2);
  });

  it('gives a row the account of its route, whatever the node says', async () => {
    const victim = await test.addAccount();
    await test.traffic.storeAccessLog(
      node,
      'forged',
      ndjson(rowOf({ route_id: route, account_id: victim }), rowOf({ account_id: victim })),
    );
    expect((await storedOf(`batch = 'forged'`)).map((row) => row.account_id).sort()).toEqual([NO_ID, account].sort());
    expect(await totalsOf(victim)).toMatchObject({ requests: 0 });
  });

  it('keeps rows without a route apart, with no account', async () => {
    await test.traffic.storeAccessLog(
      node,
      'unknown',
      ndjson(rowOf({ host: 'scanner.invalid', status: 421, reason: 'unknown_host' })),
    );
    expect(await storedOf(`batch = 'unknown'`)).toMatchObject([
      { account_id: NO_ID, route_id: NO_ID, host: 'scanner.invalid' },
    ]);
  });
});

describe('a bad line never holds up its batch', () => {
  it('drops lines that are no rows, and stores the rest', async () => {
    const good = rowOf({ route_id: route });
    const bad: (string | Uint8Array)[] = [
      'not json',
      '[]',
      'null',
      '{"time":1}',
      '',
      '   ',
      JSON.stringify({ ...good, status: 'ok' }),
      JSON.stringify({ ...good, path: 'x'.repeat(2049) }),
      JSON.stringify({ ...good, action: 'explode' }),
      JSON.stringify({ ...good, route_id: 'no-uuid' }),
      JSON.stringify({ ...good, route_id: "' OR 1=1 --" }),
      JSON.stringify(good).replace(/"time":[\d.]+/, '"time":1e999'),
      JSON.stringify({ ...good, time: 0 }),
      JSON.stringify({ ...good, time: Date.now() / 1000 + 86_400 }),
      JSON.stringify({ ...good, time: Date.now() / 1000 - 31 * 86_400 }),
      `{"time":${'9'.repeat(70_000)}}`,
      '{"time":',
      JSON.stringify(good).slice(0, -1),
    ];
    expect(await test.traffic.storeAccessLog(node, 'lines', ndjson(...bad, good))).toEqual({ rows: 1 });
  });

  it('takes bytes that are no UTF-8, half surrogate pairs and numbers out of range', async () => {
    const text = JSON.stringify(
      rowOf({
        route_id: route,
        path: '/PATH',
        user_agent: 'HALF',
        query: '\\ud83d \u{1F600}',
        status: 99_999,
        bytes_sent: -5,
      }),
    );
    const [before = '', after = ''] = text.replace('HALF', '\\ud83d\\ude00 \\ud83d x').split('PATH');
    const line = Buffer.concat([Buffer.from(before), Buffer.from([0xff, 0xfe, 0xc3]), Buffer.from(after)]);
    expect(await test.traffic.storeAccessLog(node, 'bytes', ndjson(line, rowOf({ route_id: route })))).toEqual({
      rows: 2,
    });
    const rows = await test.query(
      `SELECT path, user_agent, query, status, bytes_sent FROM requests WHERE batch = 'bytes' AND path != '/'`,
    );
    expect(rows).toEqual([
      {
        path: '/\ufffd\ufffd\ufffd',
        user_agent: '\u{1F600} \ufffd x',
        query: '\\ud83d \u{1F600}',
        status: 65_535,
        bytes_sent: 0,
      },
    ]);
  });

  it('acknowledges a batch of which nothing is left', async () => {
    expect(await test.traffic.storeAccessLog(node, 'empty', ndjson())).toEqual({ rows: 0 });
    expect(await test.traffic.storeAccessLog(node, 'rubbish', ndjson('rubbish'))).toEqual({ rows: 0 });
  });

  it('refuses a batch over its bounds whole', async () => {
    const tooMany = many(20_001, () => ({ route_id: route }));
    await expect(test.traffic.storeAccessLog(node, 'many', ndjson(...tooMany))).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
    });
    const tooLong = 'x'.repeat(BATCH_BYTES_MAX + 1);
    await expect(test.traffic.storeAccessLog(node, 'long', ndjson(tooLong))).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
    });
    expect((await countOf('many')) + (await countOf('long'))).toBe(0);
  });
});

describe('retention', () => {
  const keptFor = async () =>
    (await test.query<{ engine_full: string }>(`SELECT engine_full FROM system.tables WHERE name = 'requests'`))[0]
      ?.engine_full;

  it('is what the setting says, and a shorter one takes hold of the rows that are there', async () => {
    expect(await keptFor()).toContain('toIntervalDay(30)');
    const days = [1, 20].map((day) =>
      rowOf({ route_id: route, time: Date.now() / 1000 - day * 86_400, path: `/${day}` }),
    );
    await test.traffic.storeAccessLog(node, 'ages', ndjson(...days));
    expect(await countOf('ages')).toBe(2);
    await test.another(7);
    expect(await keptFor()).toContain('toIntervalDay(7)');
    await expect.poll(() => countOf('ages'), { timeout: 20_000 }).toBe(1);
    expect((await storedOf(`batch = 'ages'`)).map((row) => row.path)).toEqual(['/1']);
  });
});
