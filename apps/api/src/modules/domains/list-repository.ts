import type { DomainStatus, RouteSort, RouteSummary, RunningOperation } from '@cordon/contract';
import { DEVELOPMENT_FEED, SWITCH_NETWORK } from '@cordon/plugin-kit/feeds';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { FACT_COLUMNS, FACT_JOINS, type Facts, type HealthService, type RouteHealth } from '../health/service.ts';
import { type SuspensionColumns, suspensionOf } from '../routes/service.ts';
import { type Conditions, conditionsOf, type ListFilter, type RouteFilter } from './list-conditions.ts';
import { areWorstMany, FEW, ORDER_OF_NAMES, orderOf, pageAndCount, type Reads, readsOf, TOTAL } from './list-page.ts';

/** Row of the list as PostgreSQL answers it: the columns of the summary, operation and suspension apart. */
type SummaryRow = Omit<RouteSummary, 'operation' | 'suspension' | keyof RouteHealth> &
  SuspensionColumns &
  Facts & {
    op_id: string | null;
    op_finished_at: string | null;
  };

/** When the development mode of `r` ends. */
const DEVELOPMENT_END = `(SELECT ends_at FROM feed_entries
  WHERE scope = r.id AND feed = '${DEVELOPMENT_FEED}' AND network = '${SWITCH_NETWORK}' AND ends_at > clock_timestamp())`;

const COLUMNS = `r.id, r.domain_name, r.domain_name_unicode, r.cname, s.cname AS subscription_cname, r.status, r.last_deployed,
  r.version_live, r.pending_changes, r.draft->>'traffic_action' AS traffic_action, r.upstream_summary, r.ownership_state, r.group_id,
  r.remarks, r.suspended_at, r.suspended_reason, a.suspended_at AS account_suspended_at, a.suspended_reason AS account_suspended_reason,
  (r.paused_at IS NOT NULL AND (r.paused_until IS NULL OR r.paused_until > now())) AS is_paused, ${DEVELOPMENT_END} AS development_ends_at, r.created_at, r.updated_at, o.id AS op_id, o.action AS op_action, o.state AS op_state,
  o.started_at AS op_started_at, o.finished_at AS op_finished_at, o.error AS op_error, ${FACT_COLUMNS}`;

/**
 * One statement, because a second round trip costs more than the page itself: which rows, how many match, then what is
 * shown of them. An empty page is one row that holds the count only.
 */
const statement = (conditions: Conditions, sort: RouteSort, reads: Reads, few: number): string =>
  `WITH ${pageAndCount(conditions, sort, reads, few)}
    SELECT counted.count, ${reads === 'texts' ? `${TOTAL} AS total, pg_current_snapshot()::text AS snapshot, ` : ''}shown.* FROM counted LEFT JOIN LATERAL (
      SELECT ${COLUMNS} FROM page JOIN routes r ON r.id = page.id
        JOIN subscriptions s ON s.id = r.subscription_id JOIN accounts a ON a.id = r.account_id LEFT JOIN operations o ON o.id = r.operation_id ${FACT_JOINS}
      ORDER BY ${sort === 'health' || reads === 'figures' ? 'page.place, ' : ''}${orderOf(sort, 'r')}) AS shown ON true`;

/** Written out, because taking fields off a row by rest properties costs as much as reading it. */
function toSummary(
  row: SummaryRow,
  { health, certificate_expires_at, certificate_finding }: RouteHealth,
): RouteSummary {
  return {
    id: row.id,
    domain_name: row.domain_name,
    domain_name_unicode: row.domain_name_unicode,
    cname: row.cname,
    subscription_cname: row.subscription_cname,
    status: row.status,
    last_deployed: row.last_deployed,
    version_live: row.version_live,
    pending_changes: row.pending_changes,
    traffic_action: row.traffic_action,
    upstream_summary: row.upstream_summary,
    ownership_state: row.ownership_state,
    group_id: row.group_id,
    remarks: row.remarks,
    operation:
      row.op_id === null
        ? null
        : {
            id: row.op_id,
            action: row.op_action as RunningOperation['action'],
            state: row.op_state as RunningOperation['state'],
            started_at: row.op_started_at as string,
            finished_at: row.op_finished_at,
            error: row.op_error,
          },
    suspension: suspensionOf(row, {
      suspended_at: row.account_suspended_at,
      suspended_reason: row.account_suspended_reason,
    }),
    is_paused: row.is_paused,
    development_ends_at: row.development_ends_at,
    certificate_expires_at,
    certificate_finding,
    health,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** A count, of how many domains in all, and which transactions it has seen. */
interface Counted {
  readonly count: number;
  readonly total: number;
  readonly snapshot: string;
}
const COUNTS_KEPT = 1_000;

/**
 * One page of an account's domains, and how many match. Prepared, one statement per shape of filter and order; a search
 * and an order by numbers are not, because how to read them depends on how common the text is and on how many have one.
 */
export function createRouteList(pool: pg.Pool, health: Pick<HealthService, 'judgeFacts'>, few = FEW) {
  const counts = new LRUCache<string, Counted>({ max: COUNTS_KEPT });
  const keep = (key: string, { count, total, snapshot }: Counted) => {
    if (count >= few) counts.set(key, { count, total, snapshot });
    else counts.delete(key);
  };
  return async (filter: ListFilter): Promise<{ results: RouteSummary[]; count: number }> => {
    const conditions = conditionsOf(filter);
    const reads = readsOf(conditions, filter.sort);
    const isByText = reads === 'texts';
    // A deploy leaves the texts as they are, and so does what is found of its health: by them a count is known to hold.
    const isCountKept = isByText && !filter.isPending && filter.batchId === undefined && filter.health === undefined;
    const key = JSON.stringify([filter.accountId, conditions.name, ...conditions.ofFilter]);
    const known = isCountKept ? counts.get(key) : undefined;
    const { rows } = await pool.query<SummaryRow & Counted>({
      ...(conditions.isSearch || reads === 'figures'
        ? {}
        : {
            name: `routes-${conditions.name}-${filter.sort}${conditions.isOnlyWorst ? '-only' : ''}${areWorstMany(conditions, few) ? '-many' : ''}`,
          }),
      text: statement(conditions, filter.sort, reads, few),
      values: [
        filter.accountId,
        filter.limit,
        filter.offset,
        ...conditions.values,
        ...(isByText ? [known?.count, known?.total, known?.snapshot] : []),
      ],
    });
    if (isCountKept && rows[0]) keep(key, rows[0]);
    const found = rows.filter((row) => row.id !== null);
    const judged = await health.judgeFacts(found);
    return {
      results: found.map((row, index) => toSummary(row, judged[index] as RouteHealth)),
      count: rows[0]?.count ?? 0,
    };
  };
}

/** A domain of a selection, with what says what a bulk action would do to it. */
export interface Selected {
  readonly id: string;
  readonly name: string;
  readonly subscription_id: string;
  readonly group_id: string | null;
  readonly status: DomainStatus;
  readonly version_live: number | null;
  readonly pending_changes: number;
  readonly draft_revision: number;
  readonly is_suspended: boolean;
  /** Its subscription has a free plan. */
  readonly is_free: boolean;
  /** Its newest operation failed. */
  readonly has_failed: boolean;
  /** Of a selection by a batch: its draft is another than that left. */
  readonly is_changed_since: boolean;
}

/** What the batch left of `r`; remarks have a revision too, and the same draft. */
const batchItem = (batch: string) =>
  `LEFT JOIN batch_items i ON i.batch_id = ${batch} AND i.route_id = r.id AND i.state = 'successful'
   LEFT JOIN route_drafts d ON d.route_id = r.id AND d.revision = (i.undo->>'revision')::int`;
const CHANGED_SINCE = `coalesce(r.draft_revision > (i.undo->>'revision')::int AND d.config IS DISTINCT FROM r.draft, false)`;

const selected = (where: string, batch?: string): string =>
  `SELECT r.id, r.domain_name AS name, r.subscription_id, r.group_id, r.status, r.version_live, r.pending_changes,
     r.draft_revision, r.suspended_at IS NOT NULL AS is_suspended,
     (SELECT p.tier = 'free' FROM subscriptions s JOIN plans p ON p.name = s.plan WHERE s.id = r.subscription_id) AS is_free,
     coalesce(o.state = 'failed', false) AS has_failed,
     ${batch ? CHANGED_SINCE : 'false'} AS is_changed_since
   FROM routes r LEFT JOIN operations o ON o.id = r.operation_id ${batch ? batchItem(batch) : ''}
   WHERE r.id IN (SELECT id FROM routes WHERE account_id = $1 AND status <> 'deleted'${where})
   ORDER BY ${orderOf('domain_name', 'r')}`;

/** Every domain that matches, by name. */
export async function findMatching(pool: pg.Pool, filter: RouteFilter): Promise<Selected[]> {
  const conditions = conditionsOf(filter, 2);
  const values = [filter.accountId, ...conditions.values];
  const { batchId } = filter;
  const { rows } = await (batchId === undefined
    ? pool.query<Selected>(selected(conditions.sql), values)
    : pool.query<Selected>(selected(conditions.sql, `$${values.length + 1}`), [...values, batchId]));
  return rows;
}

/** Domains by their main names. */
export async function findNamed(pool: pg.Pool, accountId: string, names: readonly string[]): Promise<Selected[]> {
  const { rows } = await pool.query<Selected>(
    selected(" AND id IN (SELECT route_id FROM names WHERE account_id = $1 AND name = ANY($2) AND kind = 'main')"),
    [accountId, names],
  );
  return rows;
}

/** Domains by their ids. */
export async function findByIds(pool: pg.Pool, accountId: string, ids: readonly string[]): Promise<Selected[]> {
  const { rows } = await pool.query<Selected>(selected(' AND id = ANY($2)'), [accountId, ids]);
  return rows;
}

/** A row of the CSV file. */
export interface ExportRow {
  readonly id: string;
  readonly domain_name: string;
  readonly domain_name_unicode: string;
  readonly status: DomainStatus;
  readonly group_name: string | null;
  readonly cname: string;
  readonly subscription_cname: string;
  readonly upstream_summary: string;
  readonly version_live: number | null;
  readonly pending_changes: number;
  readonly last_deployed: string | null;
  readonly created_at: string;
  readonly suspended_since: string | null;
  readonly suspension_reason: string | null;
  readonly remarks: string;
}

/** Read, judged and written in one turn of the event loop. */
const EXPORT_AT_ONCE = 200;

/** The whole list by name, in pieces of one statement each: a reader that is slow holds nothing. */
export async function* readAll(pool: pg.Pool, filter: RouteFilter): AsyncGenerator<ExportRow[]> {
  const conditions = conditionsOf(filter, 4);
  let last: ExportRow | undefined;
  do {
    const { rows } = await pool.query<ExportRow>(
      `SELECT r.id, r.domain_name, r.domain_name_unicode, r.status, g.name AS group_name, r.cname,
         s.cname AS subscription_cname, r.upstream_summary, r.version_live, r.pending_changes, r.last_deployed,
         r.created_at, coalesce(r.suspended_at, a.suspended_at) AS suspended_since,
         CASE WHEN r.suspended_at IS NULL THEN a.suspended_reason ELSE r.suspended_reason END AS suspension_reason, r.remarks
       FROM (SELECT * FROM routes WHERE account_id = $1 AND status <> 'deleted'${conditions.sql}
           AND ($2::uuid IS NULL OR (${ORDER_OF_NAMES}, id) > ($3 COLLATE "und-x-icu", $2::uuid))
         ORDER BY ${orderOf('domain_name', 'routes')} LIMIT ${EXPORT_AT_ONCE}) r
         JOIN subscriptions s ON s.id = r.subscription_id JOIN accounts a ON a.id = r.account_id LEFT JOIN groups g ON g.id = r.group_id
       ORDER BY ${orderOf('domain_name', 'r')}`,
      [filter.accountId, last?.id ?? null, last?.domain_name_unicode ?? '', ...conditions.values],
    );
    if (rows.length > 0) yield rows;
    last = rows.length < EXPORT_AT_ONCE ? undefined : rows.at(-1);
  } while (last);
}
