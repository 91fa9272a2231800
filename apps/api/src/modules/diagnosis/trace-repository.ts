import type { RouteConfig } from '@cordon/contract';
import { sql } from 'kysely';
import type { Executor } from '../../platform/database.ts';

export interface ServedName {
  readonly name: string;
  readonly account_id: string;
  readonly route_id: string;
  readonly wildcard_levels: 'one' | 'all' | null;
}

/** Which of the names nodes know now, of any account: for where the edge would find a host. Not for customers' eyes. */
export const servedNames = (db: Executor, names: readonly string[]): Promise<ServedName[]> =>
  db
    .selectFrom('names')
    .innerJoin('edge_routes', 'edge_routes.route_id', 'names.route_id')
    .select(['names.name', 'names.account_id', 'names.route_id'])
    .select(sql<ServedName['wildcard_levels']>`edge_routes.payload ->> 'wildcard_levels'`.as('wildcard_levels'))
    .where('names.name', '=', sql<string>`ANY(${[...names]}::text[])`)
    .where('edge_routes.payload', 'is not', null)
    .execute();

/** What plugins fetched for versions of a route, each with its configuration, in the order of `versions`. */
export async function findFetchedOf(
  db: Executor,
  accountId: string,
  routeId: string,
  versions: readonly number[],
): Promise<{ config: RouteConfig; resolved: Readonly<Record<string, unknown>> }[]> {
  if (versions.length === 0) return [];
  const rows = await db
    .selectFrom('route_versions')
    .select(['version', 'config', 'resolved'])
    .where('route_id', '=', routeId)
    .where('account_id', '=', accountId)
    .where('version', 'in', [...versions])
    .where('resolved', 'is not', null)
    .execute();
  return versions.flatMap((version) =>
    rows.flatMap((row) => (row.version === version ? [{ config: row.config, resolved: row.resolved ?? {} }] : [])),
  );
}
