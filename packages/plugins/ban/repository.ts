import type { Page } from '@cordon/contract';
import { type Kysely, sql } from 'kysely';
import type { Ban } from './operations.ts';
import type { BanTables } from './tables.ts';

type Db = Kysely<BanTables>;

/** A ban to be kept. */
export interface NewBan {
  readonly accountId: string;
  readonly routeId: string | null;
  readonly network: string;
  readonly plugin: string | null;
  readonly reason: string | null;
  readonly requestId: string | null;
  readonly note: string;
  readonly bannedBy: string;
  /** Null: no end. */
  readonly endsAt: Date | null;
}

export interface BanFilter {
  readonly accountId: string;
  readonly routeId: string | undefined;
  /** Canonical texts of addresses and ranges, of which one is enough. Empty: all. */
  readonly networks: readonly string[];
  /** Part of the note, of the reason or of the name of the plugin. */
  readonly words: string | undefined;
}

/** Those of a domain end with it. */
const holding = sql<boolean>`(bans.ends_at IS NULL OR bans.ends_at > clock_timestamp())
  AND NOT EXISTS (SELECT 1 FROM routes gone WHERE gone.id = bans.route_id AND gone.deleted_at IS NOT NULL)`;

/** A pattern of LIKE for what holds `words` as they stand. */
const holdingWords = (words: string) => `%${words.replace(/[\\%_]/g, '\\$&')}%`;

const matching = ({ accountId, routeId, networks, words }: BanFilter) => {
  const pattern = words === undefined ? null : holdingWords(words);
  return sql<boolean>`
  bans.account_id = ${accountId} AND ${holding}
  AND (${routeId ?? null}::uuid IS NULL OR bans.route_id IS NULL OR bans.route_id = ${routeId ?? null}::uuid)
  AND (${networks.length === 0}::boolean OR bans.range && ANY(${[...networks]}::inet[]))
  AND (${pattern}::text IS NULL OR note ILIKE ${pattern}::text OR reason ILIKE ${pattern}::text
    OR replace(reason, '_', ' ') ILIKE ${pattern}::text OR replace(plugin, '-', ' ') ILIKE ${pattern}::text)`;
};

export async function listBans(db: Db, filter: BanFilter, page: Page): Promise<{ results: Ban[]; count: number }> {
  const { rows } = await sql<Ban>`
    SELECT bans.id, network, bans.route_id, routes.domain_name, plugin, reason, request_id, note, banned_by, banned_at, ends_at
    FROM bans LEFT JOIN routes ON routes.id = bans.route_id
    WHERE ${matching(filter)}
    ORDER BY banned_at DESC, bans.range, bans.id LIMIT ${page.limit} OFFSET ${page.offset}`.execute(db);
  const { rows: counted } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM bans WHERE ${matching(filter)}`.execute(db);
  return { results: rows, count: counted[0]?.count ?? 0 };
}

/** Until the transaction ends, nothing else adds bans to the account: what is counted stays true. */
export async function lockAccount(trx: Db, accountId: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`bans ${accountId}`}, 0))`.execute(trx);
}

/** How many bans of the account hold, by hand or by nodes. */
export async function countBans(trx: Db, accountId: string, by: 'hand' | 'nodes'): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM bans
    WHERE account_id = ${accountId} AND ${holding} AND (plugin IS NULL) = ${by === 'hand'}`.execute(trx);
  return rows[0]?.count ?? 0;
}

/** A ban that holds. */
export interface HeldBan {
  readonly scope: string;
  readonly network: string;
  readonly plugin: string | null;
  readonly ends_at: string | null;
}

/** Those of the networks that are banned now; they cannot be lifted before the transaction ends. */
export async function findHeld(trx: Db, given: readonly { scope: string; network: string }[]): Promise<HeldBan[]> {
  const { rows } = await sql<HeldBan>`
    SELECT bans.scope, bans.network, bans.plugin, bans.ends_at FROM bans
    JOIN unnest(${given.map(({ scope }) => scope)}::uuid[], ${given.map(({ network }) => network)}::text[])
      AS given (scope, network) ON bans.scope = given.scope AND bans.network = given.network
    WHERE ${holding} ORDER BY bans.scope, bans.network FOR UPDATE OF bans`.execute(trx);
  return rows;
}

const columnsOf = (bans: readonly NewBan[]) => sql`
  INSERT INTO bans (account_id, route_id, network, plugin, reason, request_id, note, banned_by, ends_at)
  SELECT * FROM unnest(${bans.map(({ accountId }) => accountId)}::uuid[], ${bans.map(({ routeId }) => routeId)}::uuid[],
    ${bans.map(({ network }) => network)}::text[], ${bans.map(({ plugin }) => plugin)}::text[],
    ${bans.map(({ reason }) => reason)}::text[], ${bans.map(({ requestId }) => requestId)}::text[],
    ${bans.map(({ note }) => note)}::text[], ${bans.map(({ bannedBy }) => bannedBy)}::text[],
    ${bans.map(({ endsAt }) => endsAt?.toISOString() ?? null)}::timestamptz[])`;

const DETAILS_REPLACED = sql`plugin = excluded.plugin, reason = excluded.reason, request_id = excluded.request_id,
  note = excluded.note, banned_by = excluded.banned_by, ends_at = excluded.ends_at`;
const REPLACED = sql`${DETAILS_REPLACED}, banned_at = now()`;

const ROW = sql`id, account_id, route_id, network, plugin, reason, request_id, note, banned_by, banned_at, ends_at`;

/**
 * Takes away what holds of these networks and keeps it for `restoreBans`, for others that take its place; answers their ids.
 */
export async function replaceBans(
  trx: Db,
  accountId: string,
  given: readonly { scope: string; network: string }[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    WITH gone AS (
        DELETE FROM bans USING unnest(${given.map(({ scope }) => scope)}::uuid[],
          ${given.map(({ network }) => network)}::text[]) AS given (scope, network)
        WHERE bans.account_id = ${accountId} AND bans.scope = given.scope AND bans.network = given.network AND ${holding} RETURNING bans.*),
      kept AS (INSERT INTO lifted_bans (${ROW}) SELECT ${ROW} FROM gone)
    SELECT id FROM gone`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Keeps bans of a person, in place of what has ended. Answers their ids. */
export async function putBans(db: Db, bans: readonly NewBan[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    ${columnsOf(bans)} ON CONFLICT (scope, network) DO UPDATE SET ${REPLACED} RETURNING id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Keeps bans of nodes unless one that ends later is there. Answers those that were kept. */
export async function putNodeBans(
  db: Db,
  bans: readonly NewBan[],
): Promise<{ scope: string; network: string; ends_at: string }[]> {
  const { rows } = await sql<{ scope: string; network: string; ends_at: string }>`
    ${columnsOf(bans)} ON CONFLICT (scope, network) DO UPDATE SET ${REPLACED}
    WHERE bans.ends_at < excluded.ends_at RETURNING scope, network, ends_at`.execute(db);
  return rows;
}

/** Takes bans away and keeps what they were for `restoreBans`; answers it. */
export async function liftBans(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<{ scope: string; network: string; route_id: string | null }[]> {
  const { rows } = await sql<{ scope: string; network: string; route_id: string | null }>`
    WITH gone AS (DELETE FROM bans WHERE account_id = ${accountId} AND id = ANY(${[...ids]}::uuid[]) RETURNING *),
      kept AS (INSERT INTO lifted_bans (${ROW}) SELECT ${ROW} FROM gone)
    SELECT scope, network, route_id FROM gone`.execute(db);
  return rows;
}

/** Takes away at most `max` bans that the filter finds, as `liftBans`, under the id of the lift. */
export async function liftFoundBans(
  db: Db,
  filter: BanFilter,
  liftId: string,
  max: number,
): Promise<{ scope: string; network: string }[]> {
  const { rows } = await sql<{ scope: string; network: string }>`
    WITH gone AS (
        DELETE FROM bans WHERE id = ANY(ARRAY(SELECT bans.id FROM bans WHERE ${matching(filter)} LIMIT ${max})) RETURNING *),
      kept AS (INSERT INTO lifted_bans (${ROW}, lift_id) SELECT ${ROW}, ${liftId}::uuid FROM gone)
    SELECT scope, network FROM gone ORDER BY range`.execute(db);
  return rows;
}

/** Ids of at most `max` bans that are left of a lift of the last `seconds`. */
export async function findOfLift(
  db: Db,
  accountId: string,
  liftId: string,
  seconds: number,
  max: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM lifted_bans WHERE lift_id = ${liftId} AND account_id = ${accountId}
      AND lifted_at > now() - make_interval(secs => ${seconds}) ORDER BY id LIMIT ${max}`.execute(db);
  return rows.map(({ id }) => id);
}

export interface RestoredBans {
  readonly restored: readonly { readonly scope: string; readonly network: string; readonly ends_at: string | null }[];
  /** How many would have ended meanwhile. */
  readonly ended: number;
  /** How many are not back because the same network was banned anew. */
  readonly replaced: number;
}

/** Brings back bans that were lifted in the last `seconds`, as they were. */
export async function restoreBans(
  db: Db,
  accountId: string,
  ids: readonly string[],
  seconds: number,
): Promise<RestoredBans> {
  const { rows: taken } = await sql<{ id: string; is_ended: boolean }>`
    SELECT id, coalesce(ends_at <= clock_timestamp(), false) AS is_ended FROM lifted_bans
    WHERE account_id = ${accountId} AND id = ANY(${[...ids]}::uuid[])
      AND lifted_at > now() - make_interval(secs => ${seconds})
    ORDER BY id FOR UPDATE`.execute(db);
  const takenIds = taken.map(({ id }) => id);
  const holdingIds = taken.filter(({ is_ended: isEnded }) => !isEnded).map(({ id }) => id);
  // Lifted, banned and lifted again: the last one. An ended ban that is not forgotten yet gives way.
  const { rows: restored } = await sql<RestoredBans['restored'][number]>`
    INSERT INTO bans (${ROW})
    SELECT DISTINCT ON (network, coalesce(route_id, account_id)) ${ROW} FROM lifted_bans
    WHERE id = ANY(${holdingIds}::uuid[]) ORDER BY network, coalesce(route_id, account_id), lifted_at DESC
    ON CONFLICT (scope, network) DO UPDATE SET id = excluded.id, banned_at = excluded.banned_at, ${DETAILS_REPLACED}
    WHERE bans.ends_at <= clock_timestamp()
    RETURNING scope, network, ends_at`.execute(db);
  await sql`DELETE FROM lifted_bans WHERE id = ANY(${takenIds}::uuid[])`.execute(db);
  return {
    restored,
    ended: takenIds.length - holdingIds.length,
    replaced: holdingIds.length - restored.length,
  };
}

export interface Lift {
  readonly scope: string;
  readonly network: string;
  readonly lifted_at: string;
  /** Of the transaction; null: of an earlier release. */
  readonly lifted_txid: number | null;
  /** Of the requests that the lifted bans came of. */
  readonly request_ids: readonly string[];
}

/** When bans of these networks were lifted last, by scope and network. */
export async function findLifts(db: Db, accountId: string, networks: readonly string[]): Promise<Lift[]> {
  const { rows } = await sql<Lift>`
    SELECT coalesce(route_id, account_id) AS scope, network, max(lifted_at) AS lifted_at, max(lifted_txid) AS lifted_txid,
      coalesce(array_agg(request_id) FILTER (WHERE request_id <> ''), '{}') AS request_ids
    FROM lifted_bans
    WHERE account_id = ${accountId} AND network = ANY(${[...networks]}::text[])
    GROUP BY 1, 2`.execute(db);
  return rows;
}

/** Takes away bans of domains that are deleted, at most so many. Answers them. */
export async function endBansOfDeleted(db: Db, max: number): Promise<{ scope: string; network: string }[]> {
  const { rows } = await sql<{ scope: string; network: string }>`
    DELETE FROM bans WHERE id IN (
      SELECT bans.id FROM bans JOIN routes gone ON gone.id = bans.route_id
      WHERE gone.deleted_at IS NOT NULL LIMIT ${max} FOR UPDATE OF bans SKIP LOCKED)
    RETURNING scope, network`.execute(db);
  return rows;
}

/** Forgets bans that ended or were lifted `seconds` ago. */
export async function forgetBans(db: Db, seconds: number): Promise<void> {
  await sql`DELETE FROM bans WHERE ends_at < now() - make_interval(secs => ${seconds})`.execute(db);
  await sql`DELETE FROM lifted_bans WHERE lifted_at <= now() - make_interval(secs => ${seconds})`.execute(db);
}
