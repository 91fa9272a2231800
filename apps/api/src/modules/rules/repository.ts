import type { Page, PluginEntry, RuleLists } from '@cordon/contract';
import { type Selectable, type SqlBool, sql } from 'kysely';
import type { Database, Executor } from '../../platform/database.ts';
import type {} from './tables.ts';

export type RuleRow = Selectable<Database['rules']>;
const likePattern = (text: string): string =>
  `%${text
    .trim()
    .toLowerCase()
    .replace(/[\\%_]/g, '\\$&')}%`;

export const findRule = (db: Executor, accountId: string, id: string): Promise<RuleRow | undefined> =>
  db.selectFrom('rules').selectAll().where('id', '=', id).where('account_id', '=', accountId).executeTakeFirst();

/** A rule but for its plugins: a template may have a list of thousands. */
export type RuleHead = Omit<RuleRow, 'plugins'>;
const headColumns = [
  'id',
  'account_id',
  'subscription_id',
  'name',
  'description',
  'lists',
  'revision',
  'created_at',
  'updated_at',
  'updated_by',
  'search',
] as const satisfies (keyof RuleHead)[];

/** A rule's head; the rule is locked until the transaction ends. */
export const lockRule = (db: Executor, accountId: string, id: string): Promise<RuleHead | undefined> =>
  db
    .selectFrom('rules')
    .select(headColumns)
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();

/** The rule as it stays until the transaction ends: it may be changed meanwhile, not deleted. */
export const holdRule = (db: Executor, accountId: string, id: string): Promise<{ id: string } | undefined> =>
  db
    .selectFrom('rules')
    .select('id')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .forKeyShare()
    .executeTakeFirst();

export type ListedRule = RuleRow & { subscription_cname: string; domains: number };

/** A page of the account's rules by name, each with the number of domains it was applied to. */
export async function listRules(
  db: Executor,
  accountId: string,
  filter: { q: string | undefined; cname: string | undefined },
  page: Page,
): Promise<{ rules: ListedRule[]; count: number }> {
  let query = db
    .selectFrom('rules')
    .innerJoin('subscriptions', 'subscriptions.id', 'rules.subscription_id')
    .where('rules.account_id', '=', accountId);
  if (filter.cname !== undefined) query = query.where('subscriptions.cname', '=', filter.cname);
  if (filter.q !== undefined && filter.q.trim() !== '')
    query = query.where(sql<SqlBool>`rules.search LIKE ${likePattern(filter.q)}`);
  const rules = await query
    .selectAll('rules')
    .select(['subscriptions.cname as subscription_cname', appliedCount.as('domains')])
    .orderBy(sql`lower(rules.name)`)
    .orderBy('rules.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const { count } = await query.select((select) => select.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  return { rules, count };
}

const appliedCount = sql<number>`(SELECT count(*)::int FROM rule_applications a JOIN routes r ON r.id = a.route_id
  WHERE a.rule_id = rules.id AND r.status <> 'deleted')`;

export async function countApplications(db: Executor, ruleId: string): Promise<number> {
  const row = await db
    .selectFrom('rules')
    .select(appliedCount.as('domains'))
    .where('id', '=', ruleId)
    .executeTakeFirst();
  return row?.domains ?? 0;
}

/** How many rules the account has, counted one after the other. */
export async function countRules(db: Executor, accountId: string): Promise<number> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('rules'), hashtext(${accountId}))`.execute(db);
  const { count } = await db
    .selectFrom('rules')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return count;
}

export interface NewRule {
  readonly accountId: string;
  readonly subscriptionId: string;
  readonly name: string;
  readonly description: string;
  readonly lists: RuleLists;
  readonly plugins: readonly PluginEntry[];
  readonly by: string;
}

/**
 * Keeps what the rule is now as a revision. PostgreSQL copies the stored bytes: sent again, a list of thousands would be
 * parsed and compressed a second time.
 */
async function keepRevision(db: Executor, ruleId: string): Promise<void> {
  await db
    .insertInto('rule_revisions')
    .columns(['rule_id', 'revision', 'plugins', 'lists'])
    .expression((select) =>
      select.selectFrom('rules').select(['id', 'revision', 'plugins', 'lists']).where('id', '=', ruleId),
    )
    .execute();
}

/** Throws a unique violation of `rules_name`. */
export async function insertRule(db: Executor, rule: NewRule): Promise<RuleHead> {
  const made = await db
    .insertInto('rules')
    .values({
      account_id: rule.accountId,
      subscription_id: rule.subscriptionId,
      name: rule.name,
      description: rule.description,
      lists: rule.lists,
      plugins: JSON.stringify(rule.plugins),
      updated_by: rule.by,
    })
    .returning(headColumns)
    .executeTakeFirstOrThrow();
  await keepRevision(db, made.id);
  return made;
}

/**
 * Writes the next revision, which it gives; what is not given stays. Throws a unique violation of `rules_name`. Old
 * revisions that nothing refers to go.
 */
export async function updateRule(
  db: Executor,
  ruleId: string,
  {
    plugins,
    ...change
  }: Partial<Pick<RuleRow, 'name' | 'description' | 'lists'>> & {
    plugins?: readonly PluginEntry[] | undefined;
  },
  by: string,
): Promise<RuleHead> {
  const updated = await db
    .updateTable('rules')
    .set({
      ...change,
      ...(plugins ? { plugins: JSON.stringify(plugins) } : {}),
      revision: sql<number>`revision + 1`,
      updated_at: sql<string>`now()`,
      updated_by: by,
    })
    .where('id', '=', ruleId)
    .returning(headColumns)
    .executeTakeFirstOrThrow();
  await keepRevision(db, ruleId);
  // A batch that still applies an older one refers to it within days.
  await sql`DELETE FROM rule_revisions v WHERE rule_id = ${ruleId} AND revision < ${updated.revision}
    AND created_at < now() - interval '7 days'
    AND NOT EXISTS (SELECT 1 FROM rule_applications a WHERE a.rule_id = v.rule_id AND a.revision = v.revision)`.execute(
    db,
  );
  return updated;
}

export const deleteRule = (db: Executor, id: string) => db.deleteFrom('rules').where('id', '=', id).execute();

/** Remembers which revision a domain has got. */
export async function putApplication(
  db: Executor,
  row: { ruleId: string; routeId: string; accountId: string; revision: number; by: string },
): Promise<void> {
  const again = { revision: row.revision, applied_at: sql<string>`now()`, applied_by: row.by };
  await db
    .insertInto('rule_applications')
    .values({ rule_id: row.ruleId, route_id: row.routeId, account_id: row.accountId, ...again })
    .onConflict((conflict) => conflict.columns(['rule_id', 'route_id']).doUpdateSet(again))
    .execute();
}

/** A domain that got the rule, with what it has now and what it got. */
export interface ApplicationRow {
  readonly route_id: string;
  readonly domain_name: string;
  readonly domain_name_unicode: string;
  readonly status: 'running' | 'deactivated' | 'deleting';
  readonly draft_plugins: PluginEntry[];
  readonly live_plugins: PluginEntry[] | null;
  readonly revision: number;
  readonly applied_plugins: PluginEntry[];
  readonly applied_lists: RuleLists;
  readonly applied_at: string;
  readonly applied_by: string | null;
}

/** Whether the draft says word for word what the rule says: such a domain need not be looked at closer. */
const isWordForWord = sql<SqlBool>`NOT EXISTS (SELECT 1 FROM jsonb_array_elements(u.plugins) p
  WHERE NOT EXISTS (SELECT 1 FROM jsonb_array_elements(r.draft->'plugins') e WHERE e = p))`;

const applications = (rule: RuleRow, conditions: ReturnType<typeof sql<SqlBool>>) => sql`
  FROM rule_applications a JOIN routes r ON r.id = a.route_id
    JOIN rules u ON u.id = a.rule_id JOIN rule_revisions v ON v.rule_id = a.rule_id AND v.revision = a.revision
  WHERE a.rule_id = ${rule.id} AND a.account_id = ${rule.account_id} AND r.status <> 'deleted' AND ${conditions}`;

const columns = sql`r.id AS route_id, r.domain_name, r.domain_name_unicode, r.status, r.draft->'plugins' AS draft_plugins,
  r.live->'plugins' AS live_plugins, a.revision, v.plugins AS applied_plugins, v.lists AS applied_lists,
  a.applied_at, a.applied_by`;

export async function listApplications(
  db: Executor,
  rule: RuleRow,
  q: string | undefined,
  page: Page,
): Promise<{ rows: ApplicationRow[]; count: number }> {
  const matches =
    q === undefined || q.trim() === ''
      ? sql<SqlBool>`true`
      : sql<SqlBool>`r.id IN (
          SELECT id FROM route_texts WHERE account_id = ${rule.account_id} AND search LIKE ${likePattern(q)})`;
  const { rows } = await sql<ApplicationRow>`SELECT ${columns} ${applications(rule, matches)}
    ORDER BY r.domain_name, r.id LIMIT ${page.limit} OFFSET ${page.offset}`.execute(db);
  const counted = await sql<{ count: number }>`SELECT count(*)::int AS count ${applications(rule, matches)}`.execute(
    db,
  );
  return { rows, count: counted.rows[0]?.count ?? 0 };
}

const PIECE = 500;

/** Domains whose draft is not word for word what the rule says, by name, in pieces; the caller looks closer. */
export async function* unlikeApplications(db: Executor, rule: RuleRow): AsyncIterable<ApplicationRow[]> {
  for (let after = ''; ; ) {
    const { rows } = await sql<ApplicationRow>`SELECT ${columns}
      ${applications(rule, sql<SqlBool>`r.domain_name > ${after} AND NOT (${isWordForWord})`)}
      ORDER BY r.domain_name LIMIT ${PIECE}`.execute(db);
    if (rows.length === 0) return;
    yield rows;
    after = rows.at(-1)?.domain_name ?? after;
  }
}

/** Domains that got the rule, by name; a page of them, or all. */
export async function appliedDomains(
  db: Executor,
  rule: RuleRow,
  page?: Page,
): Promise<{ id: string; domain_name: string }[]> {
  const limit = page ? sql`LIMIT ${page.limit} OFFSET ${page.offset}` : sql``;
  const { rows } = await sql<{ id: string; domain_name: string }>`SELECT r.id, r.domain_name
    ${applications(rule, sql<SqlBool>`true`)} ORDER BY r.domain_name, r.id ${limit}`.execute(db);
  return rows;
}
