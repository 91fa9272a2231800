import type { DomainStatus, RouteSort } from '@cordon/contract';
import { HEALTH_IDS, type HealthSelection, type WorstSelection } from '../health/service.ts';
import type { DomainFigures } from '../traffic/service.ts';
import type { CnameSearch } from './search-repository.ts';

export interface RouteFilter {
  readonly accountId: string;
  readonly q: string | undefined;
  /** Whether it ends with a label. */
  readonly endsLabel?: boolean | undefined;
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
  /** All but this domain. */
  readonly withoutId: string | undefined;
  /** Only domains in some states of health, which are these. */
  readonly health: HealthSelection | undefined;
}
export interface ListFilter extends RouteFilter {
  readonly sort: RouteSort;
  /** For the order by health: what comes before all others, the worst first; or all that is wanted. */
  readonly worst?: WorstSelection & { readonly isAll: boolean };
  /** For the order by a number of their traffic: that of each domain that has one. */
  readonly figures?: DomainFigures | undefined;
  readonly limit: number;
  readonly offset: number;
}

export interface Conditions {
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
  /** There are no more of these. */
  readonly worstCountMax: number;
  /** The table of the numbers that the order goes by. */
  readonly figures: string;
  readonly values: unknown[];
  /** Of these, what the count goes by. */
  readonly ofFilter: unknown[];
  readonly isSearch: boolean;
  /** Whether the counters know how many rows match, but for a search. */
  readonly areCounted: boolean;
}

export const FIRST_PARAMETER = 4;

const likeOf = (text: string): string => `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;

/** What ends with a label: of what the index finds, the rest. */
const endOf = (text: string): string => `${text.toLowerCase().replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?![-\\w])`;

/** A search without CNAMEs; in another collation than the index of trigrams has, it reads all texts. */
const foundOf = (endsLabel: boolean | undefined) => {
  const end = endsLabel ? ' AND search ~ $#' : '';
  return { few: `search LIKE $#${end}`, many: `search COLLATE "C" LIKE $#${end}` };
};
const LABELLED = `SELECT labelled.id FROM route_texts labelled JOIN routes ON routes.id = labelled.id
    WHERE labelled.account_id = $1 AND labelled.search LIKE $# AND labelled.subscription_id = ANY($#::uuid[]) AND routes.cname || '.' LIKE $#`;
/** With them: texts with the pattern, those of subscriptions, those with the label whose CNAME has the pattern. */
const foundByCname = ({ few, many }: ReturnType<typeof foundOf>) => ({
  few: `id IN (SELECT id FROM route_texts WHERE account_id = $1 AND ${few}
    UNION ALL SELECT id FROM route_texts WHERE account_id = $1 AND subscription_id = ANY($#::uuid[])
    UNION ALL ${LABELLED})`,
  many: `(${many} OR subscription_id = ANY($#::uuid[]) OR id IN (${LABELLED}))`,
  others: `id IN (SELECT id FROM route_texts WHERE account_id = $1 AND ${few} AND subscription_id <> ALL($#::uuid[])
    UNION ALL ${LABELLED})`,
});

/** As the index `routes_not_live` says it. */
const PENDING_IDS =
  "SELECT id FROM routes WHERE account_id = $1 AND status <> 'deleted' AND (pending_changes > 0 OR version_live IS NULL)";

const CHANGED_IDS =
  "SELECT route_id FROM batch_items WHERE batch_id = $# AND state = 'successful' AND coalesce(result->>'changed', 'true') <> 'false'";

/** What had never been live when a batch left it, and has been since: the batch's changes are live, or were. */
const LIVE_SINCE =
  "SELECT i.route_id FROM batch_items i JOIN routes live ON live.id = i.route_id WHERE i.batch_id = $# AND i.undo ? 'revision' AND i.undo->>'version_before' IS NULL AND live.version_live IS NOT NULL";

/** WHERE of a filter. The name distinguishes the statements that PostgreSQL keeps prepared. */
export function conditionsOf(
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
  if (filter.withoutId !== undefined) add('w', ' AND id <> $#', [filter.withoutId]);
  if (filter.isPending) add('p', ` AND id IN (${PENDING_IDS})`, []);
  if (filter.isPending && filter.batchId !== undefined) add('l', ` AND id NOT IN (${LIVE_SINCE})`, [filter.batchId]);
  if (filter.health !== undefined) add('h', ` AND id IN (${HEALTH_IDS})`, filter.health);
  const besides = parts.map((part) => part.sql).join('');
  let subscriptions: string | undefined;
  let ofOthers = '';
  if (filter.q !== undefined) {
    const texts = [likeOf(filter.q), ...(filter.endsLabel ? [endOf(filter.q)] : [])];
    const cname = likeOf(filter.endsLabel ? `${filter.q}.` : filter.q);
    const label = likeOf(filter.q.slice(0, filter.q.indexOf('.')));
    const { subscriptionIds, continuedIds } = filter.inCname ?? { subscriptionIds: [], continuedIds: [] };
    const byText = foundOf(filter.endsLabel);
    const byCname = foundByCname(byText);
    const found = filter.inCname === undefined ? byText : byCname;
    const first = firstParameter + values.length;
    if (subscriptionIds.length > 0) {
      subscriptions = `$${first + texts.length}::uuid[]`;
      ofOthers = `${besides} AND ${numbered(byCname.others)}`;
    }
    add(
      'q',
      ` AND id IN (SELECT id FROM route_texts WHERE account_id = $1 AND ${found.few})`,
      filter.inCname === undefined ? texts : [...texts, subscriptionIds, label, continuedIds, cname],
      ` AND ${found.few}`,
      ` AND ${found.many}`,
    );
  }
  const ofFilter = [...values];
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
    worstCountMax: filter.worst?.countMax ?? 0,
    name: parts.map((part) => part.name).join(''),
    sql: parts.map((part) => part.sql).join(''),
    besides,
    subscriptions,
    ofTexts: parts.map((part) => part.ofTexts).join(''),
    ofManyTexts: parts.map((part) => part.ofManyTexts).join(''),
    ofOthers,
    values,
    ofFilter,
    isSearch: filter.q !== undefined,
    areCounted:
      filter.domainName === undefined &&
      filter.health === undefined &&
      filter.batchId === undefined &&
      filter.withoutId === undefined &&
      !filter.isPending,
  };
}
