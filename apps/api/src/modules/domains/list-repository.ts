import type { DomainStatus, OperationError, RouteSummary, RunningOperation } from '@cordon/contract';
import type pg from 'pg';

export interface ListFilter {
  readonly accountId: string;
  readonly q: string | undefined;
  readonly domainName: string | undefined;
  readonly status: DomainStatus | undefined;
  readonly subscriptionCname: string | undefined;
  readonly sort: ListSort;
  readonly limit: number;
  readonly offset: number;
}
export type ListSort =
  | 'domain_name'
  | '-domain_name'
  | 'last_deployed'
  | '-last_deployed'
  | 'created_at'
  | '-created_at';

/** Row of the list as PostgreSQL answers it: the columns of the summary, the operation apart. */
type SummaryRow = Omit<RouteSummary, 'operation'> & {
  op_id: string | null;
  op_action: RunningOperation['action'];
  op_state: RunningOperation['state'];
  op_started_at: string;
  op_finished_at: string | null;
  op_error: OperationError | null;
};

const COLUMNS = `r.id, r.domain_name, r.domain_name_unicode, r.cname, s.cname AS subscription_cname, r.status, r.last_deployed,
  r.version_live, r.pending_changes, r.draft->>'traffic_action' AS traffic_action, r.upstream_summary, r.ownership_state, r.group_id,
  r.remarks, r.created_at, r.updated_at, o.id AS op_id, o.action AS op_action, o.state AS op_state,
  o.started_at AS op_started_at, o.finished_at AS op_finished_at, o.error AS op_error`;

/**
 * One statement, because a second round trip costs more than the page itself. First the page by its index alone, so
 * that a deep one reads no wide rows that it skips; then what it shows. The count comes from counters unless the
 * filter looks into the rows. An empty page is one row that holds the count only.
 */
function statement(conditions: Conditions, sort: ListSort): string {
  const column = sort.replace('-', '');
  const isDescending = sort.startsWith('-');
  const direction = isDescending ? 'DESC' : 'ASC';
  // Never deployed counts as oldest in both directions.
  const nulls = column === 'last_deployed' ? (isDescending ? ' NULLS LAST' : ' NULLS FIRST') : '';
  const order = (table: string) => `${table}.${column} ${direction}${nulls}, ${table}.id ${direction}`;
  const count = conditions.areCounted
    ? `SELECT coalesce(sum(routes), 0)::int AS count FROM route_counts WHERE account_id = $1${conditions.sql}`
    : `SELECT count(*)::int AS count FROM routes WHERE account_id = $1 AND status <> 'deleted'${conditions.sql}`;
  return `WITH page AS MATERIALIZED (
      SELECT id FROM routes WHERE account_id = $1 AND status <> 'deleted'${conditions.sql}
      ORDER BY ${order('routes')} LIMIT $2 OFFSET $3)
    SELECT counted.count, shown.* FROM (${count}) AS counted LEFT JOIN LATERAL (
      SELECT ${COLUMNS} FROM page JOIN routes r ON r.id = page.id
        JOIN subscriptions s ON s.id = r.subscription_id LEFT JOIN operations o ON o.id = r.operation_id
      ORDER BY ${order('r')}) AS shown ON true`;
}

interface Conditions {
  readonly name: string;
  readonly sql: string;
  readonly values: unknown[];
  /** Whether the counters know how many rows match. */
  readonly areCounted: boolean;
}

const FIRST_PARAMETER = 4;

/** WHERE of a filter. The name tells apart the statements that PostgreSQL keeps prepared. */
function conditionsOf(filter: ListFilter): Conditions {
  const parts: { name: string; sql: string; value: unknown }[] = [];
  const add = (name: string, sql: string, value: unknown) =>
    parts.push({ name, sql: sql.replace('$#', `$${FIRST_PARAMETER + parts.length}`), value });
  if (filter.domainName !== undefined) add('n', ' AND domain_name = $#', filter.domainName);
  if (filter.status !== undefined) add('s', ' AND status = $#', filter.status);
  if (filter.subscriptionCname !== undefined)
    add(
      'c',
      ' AND subscription_id = (SELECT id FROM subscriptions WHERE account_id = $1 AND cname = $#)',
      filter.subscriptionCname,
    );
  if (filter.q !== undefined) add('q', ' AND search LIKE $#', `%${filter.q.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`);
  return {
    name: parts.map((part) => part.name).join(''),
    sql: parts.map((part) => part.sql).join(''),
    values: parts.map((part) => part.value),
    areCounted: filter.q === undefined && filter.domainName === undefined,
  };
}

/** Written out, because taking fields off a row by rest properties costs as much as reading it. */
function toSummary(row: SummaryRow): RouteSummary {
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
            action: row.op_action,
            state: row.op_state,
            started_at: row.op_started_at,
            finished_at: row.op_finished_at,
            error: row.op_error,
          },
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** One page of an account's domains, and how many match. Prepared, one statement per shape of filter and order. */
export async function listRoutes(
  pool: pg.Pool,
  filter: ListFilter,
): Promise<{ results: RouteSummary[]; count: number }> {
  const conditions = conditionsOf(filter);
  const { rows } = await pool.query<SummaryRow & { count: number }>({
    name: `routes-${conditions.name}-${filter.sort}`,
    text: statement(conditions, filter.sort),
    values: [filter.accountId, filter.limit, filter.offset, ...conditions.values],
  });
  const found = rows.filter((row) => row.id !== null);
  return { results: found.map(toSummary), count: rows[0]?.count ?? 0 };
}
