import type { bulkOperations } from '@cordon/contract';
import type pg from 'pg';
import { csvLine, sendCsv } from '../../platform/csv.ts';
import { AppError } from '../../platform/errors.ts';
import type { Handlers } from '../../platform/mount.ts';
import { createRateLimit } from '../../platform/rate-limit.ts';
import type { BulkService } from './bulk-service.ts';
import { actorOf, filterOf } from './handlers.ts';
import { type ExportRow, type RouteFilter, readAll } from './list-repository.ts';

const STARTS = { burst: 60, perMinute: 30 };
const EXPORTS = { burst: 20, perMinute: 10 };

const CSV_HEADER = [
  'domain_name',
  'domain_name_unicode',
  'status',
  'group',
  'cname',
  'subscription',
  'upstreams',
  'version_live',
  'pending_changes',
  'last_deployed',
  'created_at',
  'remarks',
];

const lineOf = (row: ExportRow): string =>
  csvLine([
    row.domain_name,
    row.domain_name_unicode,
    row.status,
    row.group_name,
    row.cname,
    row.subscription_cname,
    row.upstream_summary,
    row.version_live,
    row.pending_changes,
    row.last_deployed,
    row.created_at,
    row.remarks,
  ]);

async function* csvOf(pool: pg.Pool, filter: RouteFilter): AsyncIterable<string> {
  yield csvLine(CSV_HEADER);
  for await (const rows of readAll(pool, filter)) yield rows.map(lineOf).join('');
}

export function createBulkHandlers(bulk: BulkService, pool: pg.Pool): Handlers<typeof bulkOperations> {
  const starts = createRateLimit(STARTS);
  const exports = createRateLimit(EXPORTS);
  return {
    bulkRoutes: async ({ principal, body }) => {
      if (!starts.take(principal.account_id)) throw new AppError('TOO_MANY_REQUESTS');
      const { names, filter } = body.selection;
      const selection = names ? { names } : { filter: filterOf(principal, filter ?? {}) };
      const { action, cname, group_id, note } = body;
      return {
        success: true,
        result: await bulk.start(actorOf(principal), { action, selection, cname, group_id, note }),
      };
    },
    exportRoutes: async ({ principal, query, reply }) => {
      if (!exports.take(principal.account_id)) throw new AppError('TOO_MANY_REQUESTS');
      const day = new Date().toISOString().slice(0, 10);
      sendCsv(reply, `domains-${day}.csv`, csvOf(pool, filterOf(principal, query)));
    },
  };
}
