import { randomUUID } from 'node:crypto';
import type { AccessLogRow } from '@cordon/contract';
import { type ClickHouseClient, createClickHouse } from '../../../platform/clickhouse.ts';
import { createDatabase, createPool, type Db } from '../../../platform/database.ts';
import { createLog } from '../../../platform/log.ts';
import { startTestClickHouse, type TestClickHouse } from '../../../testing/clickhouse.ts';
import { createTestDatabase } from '../../../testing/start-api.ts';
import { createTrafficService, type ReportingNode, type TrafficService } from '../service.ts';

export interface TestTraffic {
  readonly traffic: TrafficService;
  readonly engine: TestClickHouse;
  readonly clickhouse: ClickHouseClient;
  readonly db: Db;
  /** Another API process over the same engine and database. */
  another(retentionDays?: number): Promise<TrafficService>;
  addAccount(): Promise<string>;
  addRoute(accountId: string, czone?: string): Promise<string>;
  /** Rows of a query, 64-bit integers as numbers. */
  query<Row>(query: string): Promise<Row[]>;
  counter(name: string): Promise<number>;
  stop(): Promise<void>;
}

/** The traffic service over a real engine and a real database. */
export async function startTraffic(): Promise<TestTraffic> {
  const [engine, database] = await Promise.all([startTestClickHouse(), createTestDatabase()]);
  const log = createLog('silent');
  const pool = createPool(database.url, log, 5);
  const db = createDatabase(pool);
  const clickhouse = createClickHouse(engine.url) as ClickHouseClient;
  const services: TrafficService[] = [];
  const another = async (retentionDays?: number) => {
    const service = createTrafficService({ clickhouse, db, log, sharedMs: 0, retentionDays });
    services.push(service);
    service.start();
    await untilReady(service);
    return service;
  };
  const traffic = await another();
  return {
    traffic,
    engine,
    clickhouse,
    db,
    another,
    async addAccount() {
      const { id } = await db.insertInto('accounts').values({ name: 'test' }).returning('id').executeTakeFirstOrThrow();
      return id;
    },
    addRoute: (accountId, czone = 'free01') => addRoute(db, accountId, czone),
    async query<Row>(query: string) {
      const result = await clickhouse.query({
        query,
        format: 'JSONEachRow',
        clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
      });
      return result.json<Row>();
    },
    async counter(name) {
      const metric = traffic.metrics.find((candidate) => 'name' in candidate && candidate.name === name);
      const values = (await metric?.get())?.values ?? [];
      return values.reduce((sum, { value }) => sum + value, 0);
    },
    async stop() {
      for (const service of services) await service.stop();
      await clickhouse.close();
      await db.destroy();
      await database.drop();
      await engine.stop();
    },
  };
}

/** Resolves once the tables answer. */
export async function untilReady(service: TrafficService): Promise<void> {
  for (;;) {
    try {
      await service.check();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

async function addRoute(db: Db, accountId: string, czone: string): Promise<string> {
  const label = randomUUID();
  const subscription = await db
    .insertInto('subscriptions')
    .values({ account_id: accountId, czone, plan: 'free', cname: `${label}.edge.cordon.test` })
    .returning('id')
    .executeTakeFirstOrThrow();
  const route = await db
    .insertInto('routes')
    .values({
      account_id: accountId,
      subscription_id: subscription.id,
      czone,
      domain_name: `${label}.example`,
      domain_name_unicode: `${label}.example`,
      cname: `r.${label}.edge.cordon.test`,
      status: 'running',
      draft: '{}',
      draft_revision: 1,
      pending_changes: 0,
      upstream_summary: '',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return route.id;
}

export const nodeOf = (...czones: string[]): ReportingNode => ({ id: randomUUID(), czones });

/** A valid row of now; override what the test is about. */
export const rowOf = (row: Partial<AccessLogRow> = {}): AccessLogRow => ({
  time: Date.now() / 1000,
  request_id: randomUUID().replaceAll('-', ''),
  route_id: '',
  account_id: '',
  host: 'www.example.com',
  method: 'GET',
  path: '/',
  query: '',
  scheme: 'https',
  protocol: 'HTTP/2.0',
  status: 200,
  bytes_sent: 1000,
  bytes_received: 200,
  duration_ms: 3.25,
  client_address: '192.0.2.1',
  country: 'DE',
  user_agent: 'test',
  referer: '',
  upstream_address: '127.0.0.1:80',
  upstream_status: 200,
  upstream_ms: 2.5,
  cache: '',
  plugin: '',
  action: '',
  reason: '',
  rule: '',
  version: 1,
  ...row,
});

/** The body of a batch: rows, and lines as they are. */
export async function* ndjson(...lines: (AccessLogRow | string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const line of lines) {
    yield line instanceof Uint8Array ? line : Buffer.from(typeof line === 'string' ? line : JSON.stringify(line));
    yield Buffer.from('\n');
  }
}

export const many = (count: number, row: (index: number) => Partial<AccessLogRow>): AccessLogRow[] =>
  Array.from({ length: count }, (_, index) => rowOf(row(index)));
