import type { Executor } from '../../platform/database.ts';

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
