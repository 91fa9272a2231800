import { type Kysely, sql } from 'kysely';
import type { AttackMode } from './operations.ts';
import type { UnderAttackTables } from './tables.ts';

type Db = Kysely<UnderAttackTables>;

/** Modes of the account that hold, or those that hold for one of its domains. */
export async function listModes(db: Db, accountId: string, routeId: string | undefined): Promise<AttackMode[]> {
  const { rows } = await sql<AttackMode>`
    SELECT attack_modes.route_id, routes.domain_name, started_by, started_at, ends_at, requests_per_minute, usual_per_minute
    FROM attack_modes LEFT JOIN routes ON routes.id = attack_modes.route_id
    WHERE attack_modes.account_id = ${accountId} AND ends_at > clock_timestamp() AND routes.deleted_at IS NULL
      AND (${routeId ?? null}::uuid IS NULL OR attack_modes.route_id IS NULL OR attack_modes.route_id = ${routeId ?? null}::uuid)
    ORDER BY attack_modes.route_id IS NOT NULL, routes.domain_name`.execute(db);
  return rows;
}

/** What stays as it was where a mode that holds is started again. */
type Beginning = Pick<AttackMode, 'started_at' | 'started_by' | 'requests_per_minute' | 'usual_per_minute'>;

export interface StartedMode {
  readonly accountId: string;
  readonly routeId: string | null;
  /** Empty: by itself. */
  readonly startedBy: string;
  readonly endsAt: Date;
  readonly requests?: number;
  readonly usual?: number | null;
}

/** What has ended by its time stays for a while, and would be in the way of what begins. */
const removeOver = (trx: Db, scope: string) =>
  sql`DELETE FROM attack_modes WHERE scope = ${scope} AND ends_at <= clock_timestamp()`.execute(trx);

/**
 * Starts the mode, or changes when it ends: one that holds keeps its beginning, and is a user's once a user has started it.
 * Answers since when it holds, and who began.
 */
export async function putMode(trx: Db, mode: StartedMode): Promise<Beginning> {
  const { accountId, routeId, startedBy, endsAt, requests = null, usual = null } = mode;
  await removeOver(trx, routeId ?? accountId);
  const { rows } = await sql<Beginning>`
    INSERT INTO attack_modes AS held
      (account_id, route_id, started_by, started_at, ends_at, requests_per_minute, usual_per_minute)
    VALUES (${accountId}, ${routeId}, ${startedBy}, clock_timestamp(), ${endsAt}, ${requests}, ${usual})
    ON CONFLICT (scope) DO UPDATE SET ends_at = excluded.ends_at,
      started_by = CASE held.started_by WHEN '' THEN excluded.started_by ELSE held.started_by END
    RETURNING started_at, started_by, requests_per_minute, usual_per_minute`.execute(trx);
  if (!rows[0]) throw new Error('an attack mode was not written');
  return rows[0];
}

/** Modes of an account are started and ended one after the other until the transaction ends. */
export async function lockModes(trx: Db, accountId: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('attack modes'), hashtext(${accountId}))`.execute(trx);
}

/** Of the domains those whose mode holds and was started by itself, with what was usual when it was; null without a history. */
export async function usualOfStarted(db: Db, routeIds: readonly string[]): Promise<ReadonlyMap<string, number | null>> {
  const { rows } = await sql<{ route_id: string; usual: number | null }>`
    SELECT route_id, usual_per_minute AS usual FROM attack_modes
    WHERE scope = ANY(${[...routeIds]}::uuid[]) AND route_id IS NOT NULL AND started_by = ''
      AND ends_at > clock_timestamp()`.execute(db);
  return new Map(rows.map(({ route_id, usual }) => [route_id, usual]));
}

/** Who has started what holds for a domain, of itself or the account; empty texts: by itself. */
export async function startersOf(trx: Db, accountId: string, routeId: string): Promise<string[]> {
  const { rows } = await sql<{ started_by: string }>`
    SELECT started_by FROM attack_modes
    WHERE scope IN (${routeId}, ${accountId}) AND ends_at > clock_timestamp()`.execute(trx);
  return rows.map((row) => row.started_by);
}

/** Keeps the mode of a domain, or of all of the account (null), from starting by itself for so long. */
export async function pause(trx: Db, accountId: string, routeId: string | null, until: Date): Promise<void> {
  await sql`
    INSERT INTO attack_pauses (route_id, until, ended_scope)
    SELECT id, ${until}::timestamptz, ${routeId ?? accountId}::uuid FROM routes
    WHERE account_id = ${accountId} AND deleted_at IS NULL AND (${routeId}::uuid IS NULL OR id = ${routeId}::uuid)
    ON CONFLICT (route_id, ended_scope) DO UPDATE SET until = excluded.until`.execute(trx);
}

/** Takes back the pause that came with the end of a mode. */
export async function takePauseBack(trx: Db, accountId: string, routeId: string | null): Promise<void> {
  await sql`DELETE FROM attack_pauses WHERE ended_scope = ${routeId ?? accountId}`.execute(trx);
}

/** Lets the mode of a domain, or of all of the account (null), start by itself again. */
export async function liftPauses(trx: Db, accountId: string, routeId: string | null): Promise<void> {
  await sql`
    DELETE FROM attack_pauses USING routes WHERE routes.id = attack_pauses.route_id AND routes.account_id = ${accountId}
      AND (${routeId}::uuid IS NULL OR routes.id = ${routeId}::uuid)`.execute(trx);
}

/** Whether the mode of a domain, or of any of the account's (null), starts by itself as it is live. */
export async function isAutomatic(trx: Db, accountId: string, routeId: string | null): Promise<boolean> {
  const has = JSON.stringify([{ name: 'under-attack', enabled: true, config: { automatic: true } }]);
  const { rows } = await sql`
    SELECT FROM routes WHERE account_id = ${accountId} AND status = 'running'
      AND (${routeId}::uuid IS NULL OR id = ${routeId}::uuid) AND live->'plugins' @> ${has}::jsonb LIMIT 1`.execute(
    trx,
  );
  return rows.length > 0;
}

/** Until when the mode of a domain does not start by itself, by its own end or the account's; null where it may. */
export async function restsUntil(db: Db, routeId: string): Promise<string | null> {
  const { rows } = await sql<{ until: string | null }>`
    SELECT max(until) AS until FROM attack_pauses WHERE route_id = ${routeId} AND until > clock_timestamp()`.execute(
    db,
  );
  return rows[0]?.until ?? null;
}

/** Whether it held: then it can be restored. */
export async function removeMode(trx: Db, accountId: string, routeId: string | null): Promise<boolean> {
  const { rows } = await sql`
    WITH gone AS (DELETE FROM attack_modes WHERE account_id = ${accountId} AND scope = ${routeId ?? accountId} RETURNING *)
    INSERT INTO ended_attack_modes
      (account_id, route_id, started_by, started_at, ends_at, requests_per_minute, usual_per_minute)
    SELECT account_id, route_id, started_by, started_at, ends_at, requests_per_minute, usual_per_minute
    FROM gone WHERE ends_at > clock_timestamp()
    ON CONFLICT (scope) DO UPDATE SET started_by = excluded.started_by, started_at = excluded.started_at,
      ends_at = excluded.ends_at, requests_per_minute = excluded.requests_per_minute,
      usual_per_minute = excluded.usual_per_minute, ended_at = clock_timestamp()
    RETURNING scope`.execute(trx);
  return rows.length > 0;
}

/** A mode that was ended: until when it would have held. */
export interface EndedMode {
  readonly ends_at: string;
}

/** Takes what was ended so short a time ago, once; undefined where nothing was. */
export async function takeEndedMode(
  trx: Db,
  accountId: string,
  routeId: string | null,
  seconds: number,
): Promise<(EndedMode & Beginning) | undefined> {
  const { rows } = await sql<EndedMode & Beginning>`
    DELETE FROM ended_attack_modes WHERE account_id = ${accountId} AND scope = ${routeId ?? accountId}
      AND ended_at > clock_timestamp() - make_interval(secs => ${seconds})
    RETURNING started_by, started_at, ends_at, requests_per_minute, usual_per_minute`.execute(trx);
  return rows[0];
}

/** Whether it holds again: not where its time is over, or where another holds by now. */
export async function restoreMode(
  trx: Db,
  accountId: string,
  routeId: string | null,
  mode: EndedMode & Beginning,
): Promise<boolean> {
  await removeOver(trx, routeId ?? accountId);
  const { rows } = await sql`
    INSERT INTO attack_modes (account_id, route_id, started_by, started_at, ends_at, requests_per_minute, usual_per_minute)
    SELECT ${accountId}::uuid, ${routeId}::uuid, ${mode.started_by}, ${mode.started_at}::timestamptz, ${mode.ends_at}::timestamptz,
      ${mode.requests_per_minute}::bigint, ${mode.usual_per_minute}::bigint
    WHERE ${mode.ends_at}::timestamptz > clock_timestamp()
    ON CONFLICT (scope) DO NOTHING RETURNING scope`.execute(trx);
  return rows.length > 0;
}

/** Modes that were started by themselves and have ended by their time, each answered once. */
export async function takeEnded(
  trx: Db,
  scope?: { readonly accountId: string; readonly routeId: string | null },
): Promise<{ account_id: string; route_id: string | null }[]> {
  const { rows } = await sql<{ account_id: string; route_id: string | null }>`
    DELETE FROM attack_modes WHERE started_by = '' AND ends_at <= clock_timestamp()
      AND (${scope === undefined}::boolean OR scope = ${scope?.routeId ?? scope?.accountId ?? null}::uuid)
    RETURNING account_id, route_id`.execute(trx);
  return rows;
}

export async function forgetModes(db: Db): Promise<void> {
  // Those that were started by themselves are `takeEnded`'s.
  await sql`DELETE FROM attack_modes WHERE started_by <> '' AND ends_at < clock_timestamp() - interval '1 hour'`.execute(
    db,
  );
  await sql`DELETE FROM attack_pauses WHERE until < clock_timestamp()`.execute(db);
  await sql`DELETE FROM ended_attack_modes WHERE ended_at < clock_timestamp() - interval '1 hour'`.execute(db);
}
