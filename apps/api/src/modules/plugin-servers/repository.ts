import { FEED_GAPS_SHOWN_MAX, type FeedGaps } from '@cordon/contract';
import type { PluginDefinition } from '@cordon/plugin-kit';
import { sql } from 'kysely';
import type { Executor } from '../../platform/database.ts';

/**
 * Live domains where the plugin does nothing, as it is off in what is live or protection is paused: all of the account, or the
 * one that is given.
 */
export async function listGaps(
  db: Executor,
  accountId: string,
  { name, isAlwaysOn = false }: Pick<PluginDefinition, 'name' | 'isAlwaysOn'>,
  routeId: string | undefined,
): Promise<Pick<FeedGaps, 'count' | 'domains'>> {
  const has = JSON.stringify([{ name, enabled: !isAlwaysOn }]);
  const isPaused = sql`(paused_at IS NOT NULL AND coalesce(paused_until > clock_timestamp(), true))`;
  const { rows } = await sql<FeedGaps['domains'][number] & { count: number }>`
    SELECT id, domain_name_unicode AS domain_name, ${isPaused} AS is_paused, (count(*) OVER ())::int AS count FROM routes
    WHERE account_id = ${accountId} AND status = 'running' AND version_live IS NOT NULL
      AND (${routeId ?? null}::uuid IS NULL OR id = ${routeId ?? null}::uuid)
      AND (${isPaused} OR (live->'plugins' @> ${has}::jsonb) = ${isAlwaysOn}::boolean)
    ORDER BY domain_name_unicode, id LIMIT ${FEED_GAPS_SHOWN_MAX}`.execute(db);
  return { count: rows[0]?.count ?? 0, domains: rows.map(({ count: _, ...domain }) => domain) };
}
