import { FEED_GAPS_SHOWN_MAX, type FeedGaps } from '@cordon/contract';
import type { PluginDefinition } from '@cordon/plugin-kit';
import { sql } from 'kysely';
import type { Executor } from '../../platform/database.ts';

/** Domains that are served and have the plugin off in what is live: all of the account, or the one that is given. */
export async function listSwitchedOff(
  db: Executor,
  accountId: string,
  { name, isAlwaysOn = false }: Pick<PluginDefinition, 'name' | 'isAlwaysOn'>,
  routeId: string | undefined,
): Promise<Pick<FeedGaps, 'count' | 'domains'>> {
  const has = JSON.stringify([{ name, enabled: !isAlwaysOn }]);
  const { rows } = await sql<{ id: string; domain_name: string; count: number }>`
    SELECT id, domain_name_unicode AS domain_name, (count(*) OVER ())::int AS count FROM routes
    WHERE account_id = ${accountId} AND status = 'running' AND version_live IS NOT NULL
      AND (${routeId ?? null}::uuid IS NULL OR id = ${routeId ?? null}::uuid)
      AND (live->'plugins' @> ${has}::jsonb) = ${isAlwaysOn}::boolean
    ORDER BY domain_name_unicode, id LIMIT ${FEED_GAPS_SHOWN_MAX}`.execute(db);
  return { count: rows[0]?.count ?? 0, domains: rows.map(({ id, domain_name }) => ({ id, domain_name })) };
}
