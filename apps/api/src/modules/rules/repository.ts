import type { Page, PluginEntry, RuleLists } from '@cordon/contract';
import { type Selectable, type SqlBool, sql } from 'kysely';
import type { Database, Executor } from '../../platform/database.ts';
import type {} from './tables.ts';

export type RuleRow = Selectable<Database['rules']>;
export const likePattern = (text: string): string =>
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

/** Of a plugin what a list shows. */
type NamedPlugin = Pick<PluginEntry, 'name' | 'enabled'>;
export type ListedRule = RuleHead & { subscription_cname: string; domains: number; plugins: NamedPlugin[] };

const namedPlugins = sql<NamedPlugin[]>`(SELECT coalesce(jsonb_agg(jsonb_build_object('name', p->'name', 'enabled',
  p->'enabled') ORDER BY position), '[]') FROM jsonb_array_elements(rules.plugins) WITH ORDINALITY AS one(p, position))`;

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
    .select(headColumns.map((column) => `rules.${column}` as const))
    .select(['subscriptions.cname as subscription_cname', appliedCount.as('domains'), namedPlugins.as('plugins')])
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

/** Which revision a domain got before, when and by whom. */
export interface EarlierApplication {
  readonly revision: number;
  readonly applied_at: string;
  readonly applied_by: string | null;
}

/** Remembers which revision a domain has got; gives what it had got before. */
export async function putApplication(
  db: Executor,
  row: { ruleId: string; routeId: string; accountId: string; revision: number; by: string },
): Promise<EarlierApplication | undefined> {
  const before = await db
    .selectFrom('rule_applications')
    // To the last digit: it may be written again.
    .select(['revision', sql<string>`applied_at::text`.as('applied_at'), 'applied_by'])
    .where('rule_id', '=', row.ruleId)
    .where('route_id', '=', row.routeId)
    .executeTakeFirst();
  const again = { revision: row.revision, applied_at: sql<string>`now()`, applied_by: row.by };
  await db
    .insertInto('rule_applications')
    .values({ rule_id: row.ruleId, route_id: row.routeId, account_id: row.accountId, ...again })
    .onConflict((conflict) => conflict.columns(['rule_id', 'route_id']).doUpdateSet(again))
    .execute();
  return before;
}

/** Brings back what was remembered of a domain before it got a revision, unless it has got another since. The rule is held. */
export async function putBackApplication(
  db: Executor,
  row: { ruleId: string; routeId: string; accountId: string; revision: number },
  before: EarlierApplication | undefined,
): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('rule_applications')
    .where('rule_id', '=', row.ruleId)
    .where('route_id', '=', row.routeId)
    .where('revision', '=', row.revision)
    .executeTakeFirst();
  if (numDeletedRows === 0n || !before) return;
  // An old revision is not kept for ever.
  await sql`INSERT INTO rule_applications (rule_id, route_id, account_id, revision, applied_at, applied_by)
    SELECT rule_id, ${row.routeId}, ${row.accountId}, revision, ${before.applied_at}::timestamptz, ${before.applied_by}
    FROM rule_revisions WHERE rule_id = ${row.ruleId} AND revision = ${before.revision} FOR KEY SHARE`.execute(db);
}
