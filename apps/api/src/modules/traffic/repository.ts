import type { Db } from '../../platform/database.ts';
import type { RouteOwner } from './access-log.ts';

/** Accounts and czones of routes, deleted ones too: their last rows arrive after them. */
export async function routeOwners(db: Db, routeIds: readonly string[]): Promise<Map<string, RouteOwner>> {
  if (routeIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('routes')
    .select(['id', 'account_id', 'czone'])
    .where('id', 'in', [...routeIds])
    .execute();
  return new Map(rows.map(({ id, account_id, czone }) => [id, { account_id, czone }]));
}

export async function accountHasRoute(db: Db, accountId: string, routeId: string): Promise<boolean> {
  const row = await db
    .selectFrom('routes')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', routeId)
    .where('status', '<>', 'deleted')
    .executeTakeFirst();
  return row !== undefined;
}

export async function routeNames(db: Db, accountId: string, routeIds: readonly string[]): Promise<Map<string, string>> {
  if (routeIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('routes')
    .select(['id', 'domain_name'])
    .where('account_id', '=', accountId)
    .where('id', 'in', [...routeIds])
    .execute();
  return new Map(rows.map(({ id, domain_name }) => [id, domain_name]));
}
