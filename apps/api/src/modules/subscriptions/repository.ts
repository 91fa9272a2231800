import type { Page, PlanTier } from '@cordon/contract';
import { sql } from 'kysely';
import type { Executor } from '../../platform/database.ts';
import type { PlanFeatures } from './tables.ts';

export interface SubscriptionRow {
  readonly id: string;
  readonly cname: string;
  readonly czone: string;
  readonly plan: string;
  readonly plan_name: string;
  readonly tier: PlanTier;
  readonly status: 'active' | 'expired' | 'suspended';
  readonly expiry: string | null;
  readonly additional_domain_number: number;
  readonly additional_traffic: number;
  readonly names_used: number;
  readonly ipv6: boolean;
  readonly features: PlanFeatures;
}

const selectSubscriptions = (db: Executor, accountId: string) =>
  db
    .selectFrom('subscriptions')
    .innerJoin('plans', 'plans.name', 'subscriptions.plan')
    .select([
      'subscriptions.id',
      'cname',
      'czone',
      'plan',
      'plans.label as plan_name',
      'plans.tier',
      'status',
      'expiry',
    ])
    .select(['additional_domain_number', 'additional_traffic', 'names_used', 'ipv6', 'plans.features'])
    .where('account_id', '=', accountId);

export const listSubscriptions = (db: Executor, accountId: string, page: Page): Promise<SubscriptionRow[]> =>
  selectSubscriptions(db, accountId)
    .orderBy('subscriptions.created_at')
    .orderBy('subscriptions.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();

export async function countSubscriptions(db: Executor, accountId: string): Promise<number> {
  const row = await db
    .selectFrom('subscriptions')
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return row.count;
}

export const findSubscription = (
  db: Executor,
  accountId: string,
  by: { cname: string } | { id: string },
): Promise<SubscriptionRow | undefined> =>
  'cname' in by
    ? selectSubscriptions(db, accountId).where('cname', '=', by.cname).executeTakeFirst()
    : selectSubscriptions(db, accountId).where('subscriptions.id', '=', by.id).executeTakeFirst();

/** The best tier of the account's active subscriptions; undefined: it has none. */
export async function findTier(db: Executor, accountId: string): Promise<PlanTier | undefined> {
  const row = await db
    .selectFrom('subscriptions')
    .innerJoin('plans', 'plans.name', 'subscriptions.plan')
    .select('plans.tier')
    .where('account_id', '=', accountId)
    .where('status', '=', 'active')
    .orderBy(sql`plans.tier = 'vip'`, 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.tier;
}

/** Takes `count` names of the quota; false when there are not that many left. The row stays locked to the end. */
export async function takeNames(db: Executor, subscriptionId: string, count: number): Promise<boolean> {
  const taken = await sql`
    UPDATE subscriptions SET names_used = names_used + ${count}
    FROM plans
    WHERE subscriptions.id = ${subscriptionId} AND plans.name = subscriptions.plan
      AND names_used + ${count} <= (plans.features->>'domains')::int + additional_domain_number`.execute(db);
  return taken.numAffectedRows === 1n;
}

/** How many names the subscription has left. */
export async function namesLeft(db: Executor, subscriptionId: string): Promise<number> {
  const { rows } = await sql<{ left: number }>`
    SELECT greatest(0, (plans.features->>'domains')::int + additional_domain_number - names_used) AS left
    FROM subscriptions JOIN plans ON plans.name = subscriptions.plan WHERE subscriptions.id = ${subscriptionId}`.execute(
    db,
  );
  return rows[0]?.left ?? 0;
}

/** Makes the subscription's names answer AAAA; false when they did already. Never off again. */
export async function enableIpv6(db: Executor, accountId: string, subscriptionId: string): Promise<boolean> {
  const enabled = await db
    .updateTable('subscriptions')
    .set({ ipv6: true })
    .where('id', '=', subscriptionId)
    .where('account_id', '=', accountId)
    .where('ipv6', '=', false)
    .executeTakeFirst();
  return enabled.numUpdatedRows === 1n;
}

export async function returnNames(db: Executor, subscriptionId: string, count: number): Promise<void> {
  await sql`UPDATE subscriptions SET names_used = greatest(0, names_used - ${count}) WHERE id = ${subscriptionId}`.execute(
    db,
  );
}

/** The czone of the tier with the fewest routes in use. */
export async function leastFilledCzone(db: Executor, tier: PlanTier): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    SELECT czones.name FROM czones LEFT JOIN subscriptions ON subscriptions.czone = czones.name
    WHERE czones.tier = ${tier} GROUP BY czones.name
    ORDER BY coalesce(sum(subscriptions.names_used), 0), count(subscriptions.id), czones.position LIMIT 1`.execute(db);
  if (!rows[0]) throw new Error(`there is no czone of tier ${tier}`);
  return rows[0].name;
}

export async function insertSubscription(
  db: Executor,
  row: { accountId: string; plan: string; czone: string; cname: string; expiry: Date | null },
): Promise<string> {
  const { id } = await db
    .insertInto('subscriptions')
    .values({ account_id: row.accountId, plan: row.plan, czone: row.czone, cname: row.cname, expiry: row.expiry })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export const findPlan = (db: Executor, name: string) =>
  db.selectFrom('plans').selectAll().where('name', '=', name).executeTakeFirst();

export const czonesOf = async (db: Executor, accountId: string): Promise<string[]> =>
  (await db.selectFrom('subscriptions').select('czone').distinct().where('account_id', '=', accountId).execute()).map(
    ({ czone }) => czone,
  );
