import type { DomainStatus, RouteSort, RouteSummary, RunningOperation } from '@cordon/contract';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import {
  FACT_COLUMNS,
  FACT_JOINS,
  type Facts,
  HEALTH_IDS,
  type HealthSelection,
  type HealthService,
  type RouteHealth,
} from '../health/service.ts';
import { type SuspensionColumns, suspensionOf } from '../routes/service.ts';
import type { DomainFigures, Figure } from '../traffic/service.ts';
import type { CnameSearch } from './search-repository.ts';

export interface RouteFilter {
  readonly accountId: string;
  readonly q: string | undefined;
  /** Those whose CNAME has it, beside those whose texts do. */
  readonly inCname?: CnameSearch | undefined;
  readonly domainName: string | undefined;
  readonly status: DomainStatus | undefined;
  readonly subscriptionCname: string | undefined;
  readonly groupId: string | undefined;
  /** Only domains with changes that are not live. */
  readonly isPending: boolean;
  /** Only domains that this batch has changed. */
  readonly batchId: string | undefined;
  /** Only domains in some states of health, which are these. */
  readonly health: HealthSelection | undefined;
}
export interface ListFilter extends RouteFilter {
  readonly sort: RouteSort;
  /** For the order by health: what comes before all others, the worst first; or all that is wanted. */
  readonly worst?: { readonly selections: readonly HealthSelection[]; readonly isAll: boolean };
  /** For the order by a number of their traffic: that of each domain that has one. */
  readonly figures?: DomainFigures | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** Row of the list as PostgreSQL answers it: the columns of the summary, operation and suspension apart. */
type SummaryRow = Omit<RouteSummary, 'operation' | 'suspension' | keyof RouteHealth> &
  SuspensionColumns &
  Facts & {
    op_id: string | null;
    op_finished_at: string | null;
  };

const COLUMNS = `r.id, r.domain_name, r.domain_name_unicode, r.cname, s.cname AS subscription_cname, r.status, r.last_deployed,
  r.version_live, r.pending_changes, r.draft->>'traffic_action' AS traffic_action, r.upstream_summary, r.ownership_state, r.group_id,
  r.remarks, r.suspended_at, r.suspended_reason, a.suspended_at AS account_suspended_at, a.suspended_reason AS account_suspended_reason,
  (r.paused_at IS NOT NULL AND (r.paused_until IS NULL OR r.paused_until > now())) AS is_paused, r.created_at, r.updated_at, o.id AS op_id, o.action AS op_action, o.state AS op_state,
  o.started_at AS op_started_at, o.finished_at AS op_finished_at, o.error AS op_error, ${FACT_COLUMNS}`;

/** Names in the order of what people read (migration 0006). */
const ORDER_OF_NAMES = 'domain_name_unicode COLLATE "und-x-icu"';

/** Of which traffic the number is that an order goes by. */
export function figureOf(sort: RouteSort): Figure | undefined {
  const column = sort.replace('-', '');
  return column === 'requests' || column === 'blocked' ? column : undefined;
}

/** Column, direction and place of nulls of the list's order; by health or a number, of what has the same. */
function sortOf(sort: RouteSort) {
  const isByName = sort === 'health' || figureOf(sort) !== undefined;
  const column = isByName ? 'domain_name' : sort.replace('-', '');
  const isDescending = sort.startsWith('-') && !isByName;
  // Never deployed counts as oldest in both directions.
  const nulls = column === 'last_deployed' ? (isDescending ? ' NULLS LAST' : ' NULLS FIRST') : '';
  return {
    column: column === 'domain_name' ? ORDER_OF_NAMES : column,
    direction: isDescending ? 'DESC' : 'ASC',
    nulls,
  };
}

/** The order of the list, of the columns of a table. */
function orderOf(sort: RouteSort, table: string): string {
  const { column, direction, nulls } = sortOf(sort);
  return `${table}.${column} ${direction}${nulls}, ${table}.id ${direction}`;
}

/** A search sorts what it found if that is fewer; else it reads the page in the order of an index, and counts apart. */
const FEW = 20_000;
/** Knowing that a page is deep, the planner would sort everything, which costs more than the index from its start. */
const UNKNOWN_OFFSET = '(SELECT $3::bigint)';
const TOTAL = '(SELECT coalesce(sum(routes), 0)::int FROM route_counts WHERE account_id = $1)';

/**
 * The ids of a page and the count. Where counters know the count, the page comes by its index alone, so that a deep one
 * reads no wide rows that it skips. A search by name reads texts only. Many matches are counted once: the count holds
 * while no text was changed by a transaction that it has not seen; that none was deleted is known by the total. Where the
 * CNAME of a subscription has the text, its domains come by its index and are counted by counters; only others are searched.
 */
function pageAndCount(conditions: Conditions, sort: RouteSort, reads: Reads, few: number): string {
  const live = "account_id = $1 AND status <> 'deleted'";
  const where = `${live}${conditions.sql}`;
  const { column, direction, nulls } = sortOf(sort);
  const pageOf = (from: string, offset = '$3') => `SELECT id FROM ${from} LIMIT $2 OFFSET ${offset}`;
  const ofCounters = `counted AS (SELECT coalesce(sum(routes), 0)::int AS count FROM route_counts WHERE account_id = $1${conditions.sql})`;
  if (reads === 'counters')
    return `page AS MATERIALIZED (${pageOf(`routes WHERE ${where} ORDER BY ${orderOf(sort, 'routes')}`)}), ${ofCounters}`;
  const ofRows = `counted AS (SELECT count(*)::int AS count FROM routes WHERE ${where})`;
  if (reads === 'figures')
    // Numbered in the order of names, which comes by an index: all that are sorted have less in them, and names are not compared.
    return `page AS MATERIALIZED (SELECT id, coalesce(${sort.startsWith('-') ? '-' : ''}figure, 0) AS place
        FROM (SELECT id, row_number() OVER (ORDER BY ${orderOf(sort, 'routes')}) AS rank FROM routes WHERE ${where}) AS named
          LEFT JOIN ${conditions.figures} ON route_id = id ORDER BY place, rank LIMIT $2 OFFSET $3),
      ${conditions.areCounted && !conditions.isSearch ? ofCounters : ofRows}`;
  if (reads === 'health') {
    const worst = conditions.worst.map((ids, place) => `SELECT id AS route_id, ${place} AS place FROM (${ids}) AS ids`);
    const order = orderOf(sort, 'routes');
    const others = `UNION ALL (SELECT id, ${worst.length} FROM routes
        WHERE ${where} AND id NOT IN (SELECT route_id FROM worst) ORDER BY ${order})`;
    return `worst AS MATERIALIZED (${worst.join(' UNION ALL ')}),
      unwell AS MATERIALIZED (SELECT id, place FROM worst JOIN routes ON id = route_id WHERE ${where} ORDER BY place, ${order}),
      page AS MATERIALIZED (SELECT id, place FROM (SELECT id, place FROM unwell ${conditions.isOnlyWorst ? '' : others}) AS placed LIMIT $2 OFFSET $3),
      ${conditions.isOnlyWorst ? 'counted AS (SELECT count(*)::int AS count FROM unwell)' : conditions.areCounted && !conditions.isSearch ? ofCounters : ofRows}`;
  }
  if (reads === 'rows')
    return `matched AS MATERIALIZED (SELECT id, ${column} AS place FROM routes WHERE ${where}),
      page AS MATERIALIZED (${pageOf(`matched ORDER BY place ${direction}${nulls}, id ${direction}`)}),
      counted AS (SELECT count(*)::int AS count FROM matched)`;
  if (reads === 'subscriptions')
    return `others AS MATERIALIZED (SELECT id, domain_name_unicode FROM route_texts WHERE account_id = $1${conditions.ofOthers}),
      found AS MATERIALIZED (SELECT own.* FROM unnest(${conditions.subscriptions}) AS wanted (id) CROSS JOIN LATERAL (
          SELECT id, domain_name_unicode FROM routes WHERE ${live} AND subscription_id = wanted.id${conditions.besides}
          ORDER BY ${orderOf(sort, 'routes')} LIMIT $2::bigint + $3::bigint) AS own
        UNION ALL SELECT id, domain_name_unicode FROM others),
      page AS MATERIALIZED (${pageOf(`found ORDER BY ${orderOf(sort, 'found')}`)}),
      counted AS (SELECT (SELECT count(*)::int FROM others) + (SELECT coalesce(sum(routes), 0)::int FROM route_counts
        WHERE account_id = $1 AND subscription_id = ANY(${conditions.subscriptions})${conditions.besides}) AS count)`;
  const found = `route_texts WHERE account_id = $1${conditions.ofTexts}`;
  const read = `route_texts WHERE account_id = $1${conditions.ofManyTexts}`;
  const next = FIRST_PARAMETER + conditions.values.length;
  const [count, total, snapshot] = [`$${next}::int`, `$${next + 1}::int`, `$${next + 2}::pg_snapshot`];
  const isFew = `(SELECT count < ${few} FROM at_least)`;
  return `known AS MATERIALIZED (SELECT ${count} AS count WHERE ${total} = ${TOTAL} AND NOT EXISTS (
        SELECT FROM route_texts WHERE account_id = $1 AND NOT pg_visible_in_snapshot(changed_by, ${snapshot})
          AND changed_by BETWEEN pg_snapshot_xmin(${snapshot}) AND pg_snapshot_xmax(pg_current_snapshot()))),
      few AS MATERIALIZED (
        SELECT id, domain_name_unicode FROM ${found} AND NOT EXISTS (SELECT FROM known) LIMIT ${few}),
      at_least AS MATERIALIZED (SELECT coalesce((SELECT count FROM known), (SELECT count(*)::int FROM few)) AS count),
      counted AS (SELECT CASE WHEN ${isFew} OR EXISTS (SELECT FROM known) THEN count
        ELSE (SELECT count(*)::int FROM ${read}) END AS count FROM at_least),
      page AS MATERIALIZED ((${pageOf(`few WHERE ${isFew} ORDER BY ${orderOf(sort, 'few')}`)})
        UNION ALL (${pageOf(`${read} AND NOT ${isFew} ORDER BY ${orderOf(sort, 'route_texts')}`, UNKNOWN_OFFSET)}))`;
}

/**
 * One statement, because a second round trip costs more than the page itself: which rows, how many match, then what is
 * shown of them. An empty page is one row that holds the count only.
 */
const statement = (conditions: Conditions, sort: RouteSort, reads: Reads, few: number): string =>
  `WITH ${pageAndCount(conditions, sort, reads, few)}
    SELECT counted.count, ${reads === 'texts' ? `${TOTAL} AS total, pg_current_snapshot()::text AS snapshot, ` : ''}shown.* FROM counted LEFT JOIN LATERAL (
      SELECT ${COLUMNS} FROM page JOIN routes r ON r.id = page.id
        JOIN subscriptions s ON s.id = r.subscription_id JOIN accounts a ON a.id = r.account_id LEFT JOIN operations o ON o.id = r.operation_id ${FACT_JOINS}
      ORDER BY ${reads === 'health' || reads === 'figures' ? 'page.place, ' : ''}${orderOf(sort, 'r')}) AS shown ON true`;

interface Conditions {
  readonly name: string;
  /** Of routes. */
  readonly sql: string;
  /** The same without the search, of counters too. */
  readonly besides: string;
  /** The parameter of the subscriptions whose CNAME has the text, if there are any. */
  readonly subscriptions: string | undefined;
  /** Of texts: what the search finds in other subscriptions than these. */
  readonly ofOthers: string;
  /** Of their texts, by indexes: for few. */
  readonly ofTexts: string;
  /** The same without, which costs less where most are found. */
  readonly ofManyTexts: string;
  /** The ids of what comes before all others in the order by health, the worst first. */
  readonly worst: readonly string[];
  readonly isOnlyWorst: boolean;
  /** The table of the numbers that the order goes by. */
  readonly figures: string;
  readonly values: unknown[];
  readonly isSearch: boolean;
  /** Whether the counters know how many rows match, but for a search. */
  readonly areCounted: boolean;
}

/** Where a page's rows and their count are read. */
type Reads = 'counters' | 'subscriptions' | 'texts' | 'rows' | 'health' | 'figures';

function readsOf({ isSearch, areCounted, subscriptions }: Conditions, sort: RouteSort): Reads {
  if (sort === 'health') return 'health';
  if (figureOf(sort) !== undefined) return 'figures';
  if (!isSearch) return areCounted ? 'counters' : 'rows';
  if (!sort.endsWith('domain_name')) return 'rows';
  return areCounted && subscriptions !== undefined ? 'subscriptions' : 'texts';
}

const FIRST_PARAMETER = 4;

const likeOf = (text: string): string => `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;

/** A search without CNAMEs; in another collation than the index of trigrams has, it reads all texts. */
const FOUND = { few: 'search LIKE $#', many: 'search COLLATE "C" LIKE $#' };
const LABELLED = `SELECT labelled.id FROM route_texts labelled JOIN routes ON routes.id = labelled.id
    WHERE labelled.account_id = $1 AND labelled.search LIKE $# AND labelled.subscription_id = ANY($#::uuid[]) AND routes.cname LIKE $#`;
/** With them: texts with the pattern, those of subscriptions, those with the label whose CNAME has the pattern. */
const FOUND_BY_CNAME = {
  few: `id IN (SELECT id FROM route_texts WHERE account_id = $1 AND ${FOUND.few}
    UNION ALL SELECT id FROM route_texts WHERE account_id = $1 AND subscription_id = ANY($#::uuid[])
    UNION ALL ${LABELLED})`,
  many: `(${FOUND.many} OR subscription_id = ANY($#::uuid[]) OR id IN (${LABELLED}))`,
  others: `id IN (SELECT id FROM route_texts WHERE account_id = $1 AND ${FOUND.few} AND subscription_id <> ALL($#::uuid[])
    UNION ALL ${LABELLED})`,
};

/** As the index `routes_not_live` says it. */
const PENDING_IDS =
  "SELECT id FROM routes WHERE account_id = $1 AND status <> 'deleted' AND (pending_changes > 0 OR version_live IS NULL)";

const CHANGED_IDS =
  "SELECT route_id FROM batch_items WHERE batch_id = $# AND state = 'successful' AND coalesce(result->>'changed', 'true') <> 'false'";

/** WHERE of a filter. The name distinguishes the statements that PostgreSQL keeps prepared. */
function conditionsOf(
  filter: RouteFilter & Pick<Partial<ListFilter>, 'worst' | 'figures'>,
  firstParameter = FIRST_PARAMETER,
): Conditions {
  const parts: { name: string; sql: string; ofTexts: string; ofManyTexts: string }[] = [];
  const values: unknown[] = [];
  const numbered = (condition: string) => {
    let next = firstParameter + values.length;
    return condition.replaceAll('$#', () => `$${next++}`);
  };
  const add = (name: string, sql: string, added: readonly unknown[], ofTexts = sql, ofManyTexts = ofTexts) => {
    parts.push({ name, sql: numbered(sql), ofTexts: numbered(ofTexts), ofManyTexts: numbered(ofManyTexts) });
    values.push(...added);
  };
  if (filter.domainName !== undefined)
    add('n', " AND id IN (SELECT route_id FROM names WHERE name = $# AND account_id = $1 AND kind = 'main')", [
      filter.domainName,
    ]);
  if (filter.status !== undefined) add('s', ' AND status = $#', [filter.status]);
  if (filter.subscriptionCname !== undefined)
    add('c', ' AND subscription_id = (SELECT id FROM subscriptions WHERE account_id = $1 AND cname = $#)', [
      filter.subscriptionCname,
    ]);
  if (filter.groupId !== undefined) add('g', ' AND group_id = $#', [filter.groupId]);
  if (filter.batchId !== undefined) add('b', ` AND id IN (${CHANGED_IDS})`, [filter.batchId]);
  if (filter.isPending) add('p', ` AND id IN (${PENDING_IDS})`, []);
  if (filter.health !== undefined) add('h', ` AND id IN (${HEALTH_IDS})`, filter.health);
  const besides = parts.map((part) => part.sql).join('');
  let subscriptions: string | undefined;
  let ofOthers = '';
  if (filter.q !== undefined) {
    const pattern = likeOf(filter.q);
    const label = likeOf(filter.q.slice(0, filter.q.indexOf('.')));
    const { subscriptionIds, continuedIds } = filter.inCname ?? { subscriptionIds: [], continuedIds: [] };
    const found = filter.inCname === undefined ? FOUND : FOUND_BY_CNAME;
    const first = firstParameter + values.length;
    if (subscriptionIds.length > 0) {
      subscriptions = `$${first + 1}::uuid[]`;
      ofOthers = `${besides} AND ${numbered(FOUND_BY_CNAME.others)}`;
    }
    add(
      'q',
      ` AND id IN (SELECT id FROM route_texts WHERE account_id = $1 AND ${found.few})`,
      filter.inCname === undefined ? [pattern] : [pattern, subscriptionIds, label, continuedIds, pattern],
      ` AND ${found.few}`,
      ` AND ${found.many}`,
    );
  }
  const worst = (filter.worst?.selections ?? []).map((selection) => {
    const ids = numbered(HEALTH_IDS);
    values.push(...selection);
    return ids;
  });
  const figures = numbered('unnest($#::uuid[], $#::bigint[]) AS known (route_id, figure)');
  if (filter.figures) values.push(filter.figures.ids, filter.figures.figures);
  return {
    worst,
    figures,
    isOnlyWorst: filter.worst?.isAll === true,
    name: parts.map((part) => part.name).join(''),
    sql: parts.map((part) => part.sql).join(''),
    besides,
    subscriptions,
    ofTexts: parts.map((part) => part.ofTexts).join(''),
    ofManyTexts: parts.map((part) => part.ofManyTexts).join(''),
    ofOthers,
    values,
    isSearch: filter.q !== undefined,
    areCounted:
      filter.domainName === undefined &&
      filter.health === undefined &&
      filter.batchId === undefined &&
      !filter.isPending,
  };
}

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
    // A deploy leaves the texts as they are, by which a count is known to hold.
    const isCountKept = isByText && !filter.isPending && filter.batchId === undefined;
    const key = JSON.stringify([filter.accountId, conditions.name, ...conditions.values]);
    const known = isCountKept ? counts.get(key) : undefined;
    const { rows } = await pool.query<SummaryRow & Counted>({
      ...(conditions.isSearch || reads === 'figures'
        ? {}
        : { name: `routes-${conditions.name}-${filter.sort}${conditions.isOnlyWorst ? '-only' : ''}` }),
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
  /** Its newest operation failed. */
  readonly has_failed: boolean;
}

const selected = (where: string): string =>
  `SELECT r.id, r.domain_name AS name, r.subscription_id, r.group_id, r.status, r.version_live, r.pending_changes,
     r.draft_revision, r.suspended_at IS NOT NULL AS is_suspended, coalesce(o.state = 'failed', false) AS has_failed
   FROM routes r LEFT JOIN operations o ON o.id = r.operation_id
   WHERE r.id IN (SELECT id FROM routes WHERE account_id = $1 AND status <> 'deleted'${where})
   ORDER BY ${orderOf('domain_name', 'r')}`;

/** Every domain that matches, by name. */
export async function findMatching(pool: pg.Pool, filter: RouteFilter): Promise<Selected[]> {
  const conditions = conditionsOf(filter, 2);
  const { rows } = await pool.query<Selected>(selected(conditions.sql), [filter.accountId, ...conditions.values]);
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
