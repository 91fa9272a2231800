import { type ClickHouseClient, createClient } from '@clickhouse/client';

export type { ClickHouseClient } from '@clickhouse/client';

/** Client of CLICKHOUSE_URL (user and password in it); undefined where none is set. */
export function createClickHouse(clickhouseUrl: string | undefined): ClickHouseClient | undefined {
  if (clickhouseUrl === undefined) return undefined;
  return createClient({
    url: clickhouseUrl,
    application: 'cordon-api',
    request_timeout: 60_000,
    max_open_connections: 10,
    keep_alive: { enabled: true, idle_socket_ttl: 2_000 },
    log: { level: 127 },
  });
}
