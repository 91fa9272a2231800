import type pg from 'pg';
import { csvLine } from '../../platform/csv.ts';
import type { HealthService } from '../health/service.ts';
import type { RouteFilter } from './list-conditions.ts';
import { type ExportRow, readAll } from './list-repository.ts';

/** The whole list of domains that match, as lines of CSV by name. */
export type ExportDomains = (filter: RouteFilter) => AsyncIterable<string>;

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
  'suspended_since',
  'suspension_reason',
  'remarks',
  'health',
];

const lineOf = (row: ExportRow, health: string): string =>
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
    row.suspended_since,
    row.suspension_reason,
    row.remarks,
    health,
  ]);

export const createExport = (pool: pg.Pool, health: Pick<HealthService, 'judgeRoutes'>): ExportDomains =>
  async function* exportDomains(filter) {
    yield csvLine(CSV_HEADER);
    for await (const rows of readAll(pool, filter)) {
      const judged = await health.judgeRoutes(
        filter.accountId,
        rows.map(({ id }) => id),
      );
      yield rows.map((row) => lineOf(row, judged.get(row.id)?.health.state ?? '')).join('');
    }
  };
