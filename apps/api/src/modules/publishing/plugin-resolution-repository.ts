import { sql } from 'kysely';
import type { Executor } from '../../platform/database.ts';
import type {} from './tables.ts';

/** Which configuration of which plugin was resolved. */
export interface ResolutionKey {
  readonly plugin: string;
  readonly configHash: Buffer;
}

/** Whether it was resolved no longer ago than this. */
export async function isResolvedSince(
  db: Executor,
  accountId: string,
  { plugin, configHash }: ResolutionKey,
  seconds: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('plugin_resolutions')
    .select('plugin')
    .where('account_id', '=', accountId)
    .where('plugin', '=', plugin)
    .where('config_hash', '=', configHash)
    .where('resolved_at', '>', sql<string>`now() - make_interval(secs => ${seconds})`)
    .executeTakeFirst();
  return row !== undefined;
}

export async function saveResolution(
  db: Executor,
  accountId: string,
  { plugin, configHash }: ResolutionKey,
  resolved: unknown,
): Promise<void> {
  await sql`INSERT INTO plugin_resolutions (account_id, plugin, config_hash, resolved)
    VALUES (${accountId}, ${plugin}, ${configHash}, ${JSON.stringify(resolved)}::jsonb)
    ON CONFLICT (account_id, plugin, config_hash) DO UPDATE SET resolved = excluded.resolved, resolved_at = now()`.execute(
    db,
  );
}

export async function findResolution(
  db: Executor,
  accountId: string,
  { plugin, configHash }: ResolutionKey,
): Promise<unknown> {
  const row = await db
    .selectFrom('plugin_resolutions')
    .select('resolved')
    .where('account_id', '=', accountId)
    .where('plugin', '=', plugin)
    .where('config_hash', '=', configHash)
    .executeTakeFirst();
  return row?.resolved;
}

/** Keeps what its plugins fetched with a version. */
export async function keepResolved(
  db: Executor,
  routeId: string,
  version: number,
  resolved: Readonly<Record<string, unknown>>,
): Promise<void> {
  await db
    .updateTable('route_versions')
    .set({ resolved: JSON.stringify(resolved) })
    .where('route_id', '=', routeId)
    .where('version', '=', version)
    .execute();
}

/** What plugins fetched for the live versions of routes, by route and plugin. */
export async function findResolved(
  db: Executor,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> {
  const rows = await db
    .selectFrom('route_versions as v')
    .innerJoin('routes as r', (join) => join.onRef('r.id', '=', 'v.route_id').onRef('r.version_live', '=', 'v.version'))
    .select(['v.route_id', 'v.resolved'])
    .where('v.route_id', 'in', [...ids])
    .where('v.resolved', 'is not', null)
    .execute();
  return new Map(rows.map((row) => [row.route_id, row.resolved ?? {}]));
}

/** Lets go what no deploy has asked for lately; versions have copies of their own. */
export async function purgeResolutions(db: Executor): Promise<void> {
  await sql`DELETE FROM plugin_resolutions WHERE resolved_at < now() - interval '1 day'`.execute(db);
}
