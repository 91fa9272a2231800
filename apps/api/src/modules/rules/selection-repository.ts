import type { Executor } from '../../platform/database.ts';
import type { RouteRow } from '../routes/repository.ts';

export interface Page {
  readonly limit: number;
  readonly offset: number;
}
export interface SelectedDomain {
  readonly id: string;
  readonly domain_name: string;
}

const inSubscription = (db: Executor, accountId: string, subscriptionId: string) =>
  db
    .selectFrom('routes')
    .select(['id', 'domain_name'])
    .where('account_id', '=', accountId)
    .where('subscription_id', '=', subscriptionId)
    .where('status', '<>', 'deleted');

/** Domains of a subscription by their main names. */
export const findByNames = (
  db: Executor,
  accountId: string,
  subscriptionId: string,
  names: readonly string[],
): Promise<SelectedDomain[]> =>
  inSubscription(db, accountId, subscriptionId)
    .where('domain_name', 'in', [...names])
    .orderBy('domain_name')
    .execute();

/** Routes of the account in the order of the ids; deleted ones and others' are left out. */
export async function findRoutesByIds(db: Executor, accountId: string, ids: readonly string[]): Promise<RouteRow[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('routes')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', 'in', [...ids])
    .where('status', '<>', 'deleted')
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
