import { type Kysely, sql } from 'kysely';
import type { AttackMode } from './operations.ts';
import type { UnderAttackTables } from './tables.ts';

type Db = Kysely<UnderAttackTables>;

/** Modes of the account that hold, or those that hold for one of its domains. */
export async function listModes(db: Db, accountId: string, routeId: string | undefined): Promise<AttackMode[]> {
  const { rows } = await sql<AttackMode>`
    SELECT attack_modes.route_id, routes.domain_name, started_by, started_at, ends_at
    FROM attack_modes LEFT JOIN routes ON routes.id = attack_modes.route_id
    WHERE attack_modes.account_id = ${accountId} AND ends_at > clock_timestamp() AND routes.deleted_at IS NULL
      AND (${routeId ?? null}::uuid IS NULL OR attack_modes.route_id IS NULL OR attack_modes.route_id = ${routeId ?? null}::uuid)
    ORDER BY attack_modes.route_id IS NOT NULL, routes.domain_name`.execute(db);
  return rows;
}

export interface StartedMode {
  readonly accountId: string;
  readonly routeId: string | null;
  readonly startedBy: string;
  readonly endsAt: Date;
}

/** Starts the mode, or changes when it ends: one that holds keeps its beginning. Answers since when it holds, and who began. */
export async function putMode(trx: Db, mode: StartedMode): Promise<Pick<AttackMode, 'started_at' | 'started_by'>> {
  const { rows } = await sql<Pick<AttackMode, 'started_at' | 'started_by'>>`
    INSERT INTO attack_modes AS held (account_id, route_id, started_by, started_at, ends_at)
    VALUES (${mode.accountId}, ${mode.routeId}, ${mode.startedBy}, clock_timestamp(), ${mode.endsAt})
    ON CONFLICT (scope) DO UPDATE SET ends_at = excluded.ends_at,
      started_by = CASE WHEN held.ends_at > clock_timestamp() THEN held.started_by ELSE excluded.started_by END,
      started_at = CASE WHEN held.ends_at > clock_timestamp() THEN held.started_at ELSE excluded.started_at END
    RETURNING started_at, started_by`.execute(trx);
  if (!rows[0]) throw new Error('an attack mode was not written');
  return rows[0];
}

/** Whether it held. */
export async function removeMode(trx: Db, accountId: string, routeId: string | null): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    DELETE FROM attack_modes WHERE account_id = ${accountId} AND scope = ${routeId ?? accountId}
    RETURNING ends_at > clock_timestamp() AS held`.execute(trx);
  return rows[0]?.held === true;
}

export async function forgetModes(db: Db): Promise<void> {
  await sql`DELETE FROM attack_modes WHERE ends_at < clock_timestamp() - interval '1 hour'`.execute(db);
}
