import type { DomainStatus, RouteSummary, RunningOperation } from '@cordon/contract';
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
  op_error: string | null;
};

const COLUMNS = `r.id, r.domain_name, r.domain_name_unicode, r.cname, s.cname AS subscription_cname, r.status, r.last_deployed,
  r.version_live, r.pending_changes, r.draft->>'traffic_action' AS traffic_action, r.upstream_summary, r.ownership_state, r.group_id,
  r.remarks, r.created_at, r.updated_at, o.id AS op_id, o.action AS op_action, o.state AS op_state,
  o.started_at AS op_started_at, o.finished_at AS op_finished_at, o.error AS op_error`;

/** The page first, by its index alone, then what it shows: a deep page reads no wide rows that it skips. */
function pageStatement(conditions: string, sort: ListSort): string {
  const column = sort.replace('-', '');
  const isDescending = sort.startsWith('-');
  const direction = isDescending ? 'DESC' : 'ASC';
  // Never deployed counts as oldest in both directions.
  const nulls = column === 'last_deployed' ? (isDescending ? ' NULLS LAST' : ' NULLS FIRST') : '';
  const order = (table: string) => `${table}.${column} ${direction}${nulls}, ${table}.id ${direction}`;
  return `SELECT ${COLUMNS} FROM (
      SELECT id, ${column} FROM routes WHERE account_id = $1 AND status <> 'deleted'${conditions}
      ORDER BY ${order('routes')} LIMIT $2 OFFSET $3) AS page
    JOIN routes r ON r.id = page.id JOIN subscriptions s ON s.id = r.subscription_id LEFT JOIN operations o ON o.id = r.operation_id
    ORDER BY ${order('r')}`;
}

interface Conditions {
  readonly name: string;
  readonly sql: string;
  readonly values: unknown[];
}

/** WHERE of a filter with parameters from `first`. The name tells apart the statements that PostgreSQL keeps prepared. */
function conditionsOf(filter: ListFilter, first: number): Conditions {
  const parts: { name: string; sql: string; value: unknown }[] = [];
  const add = (name: string, sql: string, value: unknown) =>
    parts.push({ name, sql: sql.replace('$#', `$${first + parts.length}`), value });
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
  };
}

function toSummary(row: SummaryRow): RouteSummary {
  const { op_id, op_action, op_state, op_started_at, op_finished_at, op_error, ...summary } = row;
  const operation =
    op_id === null
      ? null
      : {
          id: op_id,
          action: op_action,
          state: op_state,
          started_at: op_started_at,
          finished_at: op_finished_at,
          error: op_error,
        };
  return { ...summary, operation };
}

/** One page of an account's domains. Prepared statements, one per shape of filter and order. */
export async function listRoutes(pool: pg.Pool, filter: ListFilter): Promise<RouteSummary[]> {
  const conditions = conditionsOf(filter, 4);
  const { rows } = await pool.query<SummaryRow>({
    name: `routes-list-${conditions.name}-${filter.sort}`,
    text: pageStatement(conditions.sql, filter.sort),
    values: [filter.accountId, filter.limit, filter.offset, ...conditions.values],
  });
  return rows.map(toSummary);
}

/** Number of matches. Without `q` and `domain_name` it is read from counters, whatever the account holds. */
export async function countRoutes(pool: pg.Pool, filter: ListFilter): Promise<number> {
  const isCounted = filter.q === undefined && filter.domainName === undefined;
  const conditions = conditionsOf(filter, 2);
  const text = isCounted
    ? `SELECT coalesce(sum(routes), 0)::int AS count FROM route_counts WHERE account_id = $1${conditions.sql}`
    : `SELECT count(*)::int AS count FROM routes WHERE account_id = $1 AND status <> 'deleted'${conditions.sql}`;
  const { rows } = await pool.query<{ count: number }>({
    name: `routes-count-${isCounted ? 'kept-' : ''}${conditions.name}`,
    text,
    values: [filter.accountId, ...conditions.values],
  });
  return rows[0]?.count ?? 0;
}
