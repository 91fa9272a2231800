import { sql } from 'kysely';
import type { Executor } from '../../platform/database.ts';
import type { RouteRow } from '../routes/service.ts';

export interface FoundName {
  readonly name: string;
  readonly kind: 'main' | 'shadow';
  readonly ownership_state: 'pending' | 'verified';
  readonly id: string;
  readonly domain_name: string;
  readonly domain_name_unicode: string;
  readonly status: RouteRow['status'];
  readonly is_suspended: boolean;
  readonly subscription_cname: string;
  readonly group_id: string | null;
  /** Of what is live, or will be. */
  readonly wildcard_levels: 'one' | 'all' | null;
}

export interface FindFilter {
  readonly cname?: string | undefined;
  readonly status?: RouteRow['status'] | undefined;
}

/** Which of the names the account has. */
export function findOwnNames(
  db: Executor,
  accountId: string,
  names: readonly string[],
  filter: FindFilter,
): Promise<FoundName[]> {
  let query = db
    .selectFrom('name_ownership as n')
    .innerJoin('routes as r', 'r.id', 'n.route_id')
    .innerJoin('subscriptions as s', 's.id', 'r.subscription_id')
    .select(['n.name', 'n.kind', 'n.ownership_state', 'r.id', 'r.domain_name', 'r.domain_name_unicode', 'r.status'])
    .select(['s.cname as subscription_cname', 'r.group_id'])
    .select(sql<boolean>`r.suspended_at IS NOT NULL`.as('is_suspended'))
    .select(sql<FoundName['wildcard_levels']>`coalesce(r.live, r.draft) ->> 'wildcard_levels'`.as('wildcard_levels'))
    .where('n.account_id', '=', accountId)
    .where('n.name', '=', sql<string>`ANY(${[...names]}::text[])`);
  if (filter.cname !== undefined) query = query.where('s.cname', '=', filter.cname);
  if (filter.status !== undefined) query = query.where('r.status', '=', filter.status);
  return query.execute();
}
