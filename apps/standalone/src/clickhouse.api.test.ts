import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClickHouseClient, ClickHouseError } from '@clickhouse/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClickHouseProcess } from './testing/clickhouse-process.ts';

const directory = mkdtempSync(join(tmpdir(), 'cordon-clickhouse-'));
let server: ClickHouseProcess;
let client: ClickHouseClient;

beforeAll(async () => {
  server = await ClickHouseProcess.start(directory);
  client = server.client();
});

afterAll(async () => {
  await client.close();
  await server.end('SIGTERM');
  rmSync(directory, { recursive: true, force: true });
});

async function rows<Row>(query: string, parameters?: Record<string, unknown>): Promise<Row[]> {
  const result = await client.query({ query, format: 'JSONEachRow', query_params: parameters });
  return result.json<Row>();
}

async function failure(work: Promise<unknown>): Promise<ClickHouseError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ClickHouseError);
  return error as ClickHouseError;
}

describe('queries', () => {
  it('answers a ping, and queries in the database of the URL', async () => {
    expect(await client.ping()).toMatchObject({ success: true });
    expect(await rows('SELECT currentDatabase() AS name')).toEqual([{ name: 'cordon' }]);
  });

  it('binds parameters as values, whatever they hold', async () => {
    const text = `it's \\ "quoted"\n\ttab; DROP TABLE x -- 域名`;
    const found = await rows('SELECT {text:String} AS text, {list:Array(String)} AS list, {at:DateTime} AS at', {
      text,
      list: ["a'b", 'c\\d'],
      at: new Date('2026-01-02T03:04:05Z'),
    });
    expect(found).toEqual([{ text, list: ["a'b", 'c\\d'], at: '2026-01-02 03:04:05' }]);
  });

  it('keeps settings and parameters of one query from the next', async () => {
    await client.query({
      query: 'SELECT {secret:String}',
      query_params: { secret: 'x' },
      clickhouse_settings: { max_threads: 1 },
    });
    const error = await failure(rows('SELECT {secret:String}'));
    expect(error.code).toBe('456');
    const [after] = await rows<{ threads: number }>(`SELECT getSetting('max_threads') AS threads`);
    expect(after?.threads).not.toBe(1);
  });

  it('keeps parameters of queries that run at once apart', async () => {
    const values = Array.from({ length: 200 }, (_, at) => at);
    const found = await Promise.all(
      values.map((value) => rows<{ value: number }>('SELECT {value:UInt32} AS value, sleep(0.001)', { value })),
    );
    expect(found.map((result) => result[0]?.value)).toEqual(values);
  });

  it.each(['/ping', '/live'])('answers %s while every query slot is busy', async (path) => {
    let finished = 0;
    const busy = Array.from({ length: 6 }, () =>
      rows('SELECT sleep(2)').then(() => {
        finished += 1;
      }),
    );
    const pong = await fetch(`${server.url}${path}`);
    expect(await pong.text()).toBe('Ok.\n');
    expect(finished).toBe(0);
    await Promise.all(busy);
  });

  it('ends a query at max_execution_time', async () => {
    const long = client.query({
      query: 'SELECT count() FROM numbers(1000000000000)',
      clickhouse_settings: { max_execution_time: 1 },
    });
    expect(await failure(long)).toMatchObject({ code: '159', type: 'TIMEOUT_EXCEEDED' });
  });

  it('packs and unpacks bodies when asked', async () => {
    const packed = server.client({}, true);
    await packed.command({ query: 'CREATE TABLE packed (n UInt32) ENGINE MergeTree ORDER BY n' });
    await packed.insert({
      table: 'packed',
      values: Array.from({ length: 5000 }, (_, n) => ({ n })),
      format: 'JSONEachRow',
    });
    const result = await packed.query({ query: 'SELECT n FROM packed ORDER BY n', format: 'JSONEachRow' });
    expect(await result.json()).toHaveLength(5000);
    await packed.close();
  });
});

describe('errors', () => {
  it('names the exception by code and type, for the client to tell apart', async () => {
    expect(await failure(rows('SELEC 1'))).toMatchObject({ code: '62', type: 'SYNTAX_ERROR' });
    expect(await failure(rows('SELECT * FROM nowhere'))).toMatchObject({ code: '60', type: 'UNKNOWN_TABLE' });
    expect(
      await failure(client.query({ query: 'SELECT 1', clickhouse_settings: { no_such: 1 } as never })),
    ).toMatchObject({
      code: '115',
    });
    const bad = await fetch(`${server.url}/?user=cordon&password=of-the-test`, { method: 'POST', body: 'SELEC 1' });
    expect([bad.status, bad.headers.get('x-clickhouse-exception-code')]).toEqual([400, '62']);
  });

  it('refuses a query without the right password: the engine holds every account’s traffic', async () => {
    const attempts: Record<string, string>[] = [
      {},
      { 'X-ClickHouse-User': 'cordon' },
      { Authorization: `Basic ${btoa('cordon:wrong')}` },
    ];
    for (const headers of attempts) {
      const res = await fetch(server.url, { method: 'POST', body: 'SELECT 1', headers });
      expect([res.status, res.headers.get('x-clickhouse-exception-code')]).toEqual([403, '516']);
    }
  });

  it('takes no row of an insert of which one row is faulty', async () => {
    await client.command({ query: 'CREATE TABLE faulty (n UInt32) ENGINE MergeTree ORDER BY n' });
    await failure(insertText('faulty', '{"n":1}\n{"n":"x"}\n'));
    expect(await rows('SELECT * FROM faulty')).toEqual([]);
  });
});

describe('inserts', () => {
  beforeAll(async () => {
    await client.command({
      query: `CREATE TABLE raw (at DateTime, domain UInt32, n UInt64) ENGINE MergeTree ORDER BY (domain, at)
              SETTINGS non_replicated_deduplication_window = 1000`,
    });
    await client.command({
      query: `CREATE TABLE by_domain (domain UInt32, requests UInt64) ENGINE SummingMergeTree ORDER BY domain
              SETTINGS non_replicated_deduplication_window = 1000`,
    });
    await client.command({
      query:
        'CREATE MATERIALIZED VIEW to_by_domain TO by_domain AS SELECT domain, count() AS requests FROM raw GROUP BY domain',
    });
  });

  const batch = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ at: 1_700_000_000 + n, domain: n % 7, n }));
  const exactlyOnce = (token: string) => ({
    insert_deduplication_token: token,
    insert_deduplicate: 1 as const,
    deduplicate_blocks_in_dependent_materialized_views: 1 as const,
  });
  const counts = async () => {
    const [found] = await rows<{ raw: string; rolled: string }>(
      'SELECT toString((SELECT count() FROM raw)) AS raw, toString((SELECT sum(requests) FROM by_domain)) AS rolled',
    );
    return [Number(found?.raw), Number(found?.rolled)];
  };
  const insert = (token: string, count: number, settings: Record<string, number> = {}) =>
    client.insert({
      table: 'raw',
      values: batch(count),
      format: 'JSONEachRow',
      clickhouse_settings: { ...exactlyOnce(token), ...settings },
    });

  it('stores a batch once, also in the roll-up, however often it is sent under one token', async () => {
    for (let attempt = 0; attempt < 3; attempt += 1) await insert('one', 100);
    expect(await counts()).toEqual([100, 100]);
  });

  it('stores equal rows under another token: the token says what is the same, not the content', async () => {
    await insert('two', 100);
    expect(await counts()).toEqual([200, 200]);
  });

  it('stores a batch of several blocks once', async () => {
    const inBlocks = { max_insert_block_size: 5000, min_insert_block_size_rows: 5000, min_insert_block_size_bytes: 0 };
    for (let attempt = 0; attempt < 2; attempt += 1) await insert('blocks', 20_000, inBlocks);
    expect(await counts()).toEqual([20_200, 20_200]);
  });

  it('stores one batch that is sent twice at the same time once', async () => {
    await Promise.all([insert('race', 1000), insert('race', 1000), insert('race', 1000)]);
    expect(await counts()).toEqual([21_200, 21_200]);
  });

  it('takes bytes that are no UTF-8, and skips fields it does not know when told to', async () => {
    await client.command({ query: 'CREATE TABLE texts (s String) ENGINE MergeTree ORDER BY s' });
    const url = `${server.url}/?query=${encodeURIComponent('INSERT INTO cordon.texts FORMAT JSONEachRow')}&input_format_skip_unknown_fields=1&user=cordon&password=of-the-test`;
    const res = await fetch(url, { method: 'POST', body: Buffer.from('{"s":"\xff\xfe","other":1}\n', 'latin1') });
    expect(res.status).toBe(200);
    expect(JSON.parse(res.headers.get('x-clickhouse-summary') ?? '{}')).toMatchObject({ written_rows: '1' });
    expect(await rows('SELECT hex(s) AS hex FROM texts')).toEqual([{ hex: 'FFFE' }]);
  });

  it('counts an empty insert as done', async () => {
    const before = await counts();
    await client.insert({ table: 'raw', values: [], format: 'JSONEachRow' });
    await insertText('raw', '');
    expect(await counts()).toEqual(before);
  });
});

function insertText(table: string, text: string): Promise<void> {
  const url = new URL(`${server.url}/?database=cordon&user=cordon&password=of-the-test`);
  url.searchParams.set('query', `INSERT INTO ${table} FORMAT JSONEachRow`);
  return new Promise((resolve, reject) => {
    const req = request(url, { method: 'POST' }, (res) => {
      let body = '';
      res.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
      });
      res.on('end', () =>
        res.statusCode === 200
          ? resolve()
          : reject(
              new ClickHouseError({
                message: body,
                code: String(res.headers['x-clickhouse-exception-code']),
                type: undefined,
              }),
            ),
      );
    });
    req.on('error', reject);
    req.end(text);
  });
}
