import type { PlanTier } from '@cordon/contract';
import { sql } from 'kysely';
import type { Executor } from '../../platform/database.ts';
import type {} from './tables.ts';

/** What both clearing and prefetching have to know of a domain. */
export interface CachedRoute {
  readonly id: string;
  readonly account_id: string;
  readonly domain_name: string;
  readonly czone: string;
  readonly status: 'running' | 'deactivated' | 'deleting';
  readonly version_live: number | null;
  readonly is_suspended: boolean;
  readonly tier: PlanTier;
}

/** The columns of `CachedRoute`, of `cachedRoutes`. */
export const cachedRouteColumns = sql`r.id, r.account_id, r.domain_name, r.czone, r.status, r.version_live,
  r.suspended_at IS NOT NULL AS is_suspended, p.tier`;

/** `wildcard_levels` of what is live. */
export const wildcardLevels = sql`r.live ->> 'wildcard_levels' AS wildcard_levels`;

/** Its names, the main one first. */
export const namesOfCached = sql`(SELECT array_agg(o.name ORDER BY o.kind, o.name) FROM name_ownership o WHERE o.route_id = r.id)`;

/** Domains that are not deleted, as `r`, with their plan, as `p`; conditions follow after AND. */
export const cachedRoutes = sql`routes r JOIN subscriptions s ON s.id = r.subscription_id JOIN plans p ON p.name = s.plan
  WHERE r.status <> 'deleted'`;

/** How many clears or prefetches of a domain are kept. */
export async function countOfRoute(
  db: Executor,
  table: 'cache_clears' | 'prefetches',
  accountId: string,
  routeId: string,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM ${sql.table(table)}
    WHERE route_id = ${routeId} AND account_id = ${accountId}`.execute(db);
  return rows[0]?.count ?? 0;
}
