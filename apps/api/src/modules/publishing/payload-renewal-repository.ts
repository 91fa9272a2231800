import type { EdgeRoute, RouteConfig } from '@cordon/contract';
import { type SqlBool, sql } from 'kysely';
import type { Executor } from '../../platform/database.ts';
import type {} from './tables.ts';

/** What nodes are sent of a route, and what it was made of. */
export interface StoredPayload {
  readonly route_id: string;
  readonly revision: number;
  readonly payload: EdgeRoute;
  readonly live: RouteConfig;
  readonly paused_at: string | null;
  readonly paused_until: string | null;
}

/** Payloads of live routes, in the order of the routes' ids. */
export const payloadsAfter = async (db: Executor, afterId: string, limit: number): Promise<StoredPayload[]> =>
  (await db
    .selectFrom('edge_routes as e')
    .innerJoin('routes as r', 'r.id', 'e.route_id')
    .select(['e.route_id', 'e.revision', 'e.payload', 'r.live', 'r.paused_at', 'r.paused_until'])
    .where('e.payload', 'is not', null)
    .where(sql<string>`e.payload ->> 'off'`, 'is', null)
    .where('r.live', 'is not', null)
    .where('e.route_id', '>', afterId)
    .orderBy('e.route_id')
    .limit(limit)
    .execute()) as StoredPayload[];

/** Replaces payloads that nobody has replaced since they were read; answers how many. */
export async function replacePayloads(
  db: Executor,
  renewed: readonly { route_id: string; revision: number; payload: EdgeRoute }[],
): Promise<number> {
  const { numAffectedRows } = await sql<SqlBool>`
    UPDATE edge_routes e SET payload = given.payload::jsonb
    FROM (SELECT * FROM unnest(${renewed.map((one) => one.route_id)}::uuid[],
      ${renewed.map((one) => one.revision)}::bigint[], ${renewed.map((one) => JSON.stringify(one.payload))}::text[])
      AS listed(route_id, revision, payload)) given
    WHERE e.route_id = given.route_id AND e.revision = given.revision`.execute(db);
  return Number(numAffectedRows ?? 0);
}
