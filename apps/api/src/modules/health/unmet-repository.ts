import { sql } from 'kysely';
import type { Executor } from '../../platform/database.ts';
import { PASSED_BEFORE_MIN } from './challenge-check.ts';
import { IS_CHALLENGING, IS_CHALLENGING_ALL } from './facts-repository.ts';
import type {} from './tables.ts';

export interface MeasuredChallenges {
  readonly route_id: string;
  readonly account_id: string;
  readonly challenged: number;
  /** Unix seconds. */
  readonly challenged_at: number;
  readonly passed_before: number;
}

/** Of `c`: challenges that fail are what a mode against attacks is for, unless visitors met them before. */
const IS_WANTED = `c.passed_before < ${PASSED_BEFORE_MIN} AND ${IS_CHALLENGING_ALL}`;

/** Accounts whose domains with unmet challenges have become others. */
export async function replaceUnmet(db: Executor, measured: readonly MeasuredChallenges[]): Promise<string[]> {
  const ids = measured.map(({ route_id }) => route_id);
  const accounts = measured.map(({ account_id }) => account_id);
  const { rows } = await sql<{ account_id: string }>`
    WITH m AS MATERIALIZED (SELECT route_id, account_id, challenged, challenged_at
        FROM unnest(${ids}::uuid[], ${accounts}::uuid[], ${measured.map(({ challenged }) => challenged)}::int[],
          ${measured.map(({ challenged_at }) => challenged_at)}::int[],
          ${measured.map(({ passed_before }) => passed_before)}::int[])
          AS c (route_id, account_id, challenged, challenged_at, passed_before)
        WHERE NOT (${sql.raw(IS_WANTED)})),
      gone AS (DELETE FROM route_unmet_challenges c WHERE NOT EXISTS (
        SELECT FROM m WHERE m.route_id = c.route_id AND m.account_id = c.account_id) RETURNING account_id),
      written AS (INSERT INTO route_unmet_challenges (route_id, account_id, challenged, challenged_at)
        SELECT r.id, r.account_id, m.challenged, to_timestamp(m.challenged_at)
        FROM m JOIN routes r ON r.id = m.route_id AND r.account_id = m.account_id AND r.status <> 'deleted' ORDER BY r.id
        ON CONFLICT (route_id) DO UPDATE SET challenged = excluded.challenged,
          challenged_at = excluded.challenged_at, measured_at = now(), since = CASE
          WHEN route_unmet_challenges.measured_at > now() - interval '2 minutes' THEN route_unmet_challenges.since
          ELSE now() END
        RETURNING account_id, since = now() AS is_new)
    SELECT account_id FROM gone UNION SELECT account_id FROM written WHERE is_new`.execute(db);
  return rows.map(({ account_id }) => account_id);
}

/** The same of one domain; answers since when none of its challenges is met, where they go on. */
export async function putUnmet(db: Executor, measured: MeasuredChallenges): Promise<string | undefined> {
  const { rows } = await sql<{ since: string }>`
    WITH m AS (SELECT id AS route_id, account_id, ${measured.passed_before}::int AS passed_before FROM routes
        WHERE id = ${measured.route_id} AND account_id = ${measured.account_id} AND status <> 'deleted'),
      c AS (INSERT INTO route_unmet_challenges (route_id, account_id, challenged, challenged_at)
      SELECT c.route_id, c.account_id, ${measured.challenged}, to_timestamp(${measured.challenged_at}) FROM m AS c
      WHERE NOT (${sql.raw(IS_WANTED)})
      ON CONFLICT (route_id) DO UPDATE SET challenged = excluded.challenged, challenged_at = excluded.challenged_at,
        measured_at = now()
      RETURNING route_id, account_id, challenged_at, since)
    SELECT since FROM c WHERE ${sql.raw(IS_CHALLENGING)}`.execute(db);
  return rows[0]?.since;
}

export async function forgetUnmet(db: Executor, routeId: string): Promise<void> {
  await db.deleteFrom('route_unmet_challenges').where('route_id', '=', routeId).execute();
}
