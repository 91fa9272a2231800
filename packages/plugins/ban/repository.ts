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
  /** Canonical text of an address or range. */
  readonly network: string | undefined;
}

const holding = sql<boolean>`(bans.ends_at IS NULL OR bans.ends_at > clock_timestamp())`;

const matching = ({ accountId, routeId, network }: BanFilter) => sql<boolean>`
  bans.account_id = ${accountId} AND ${holding}
  AND (${routeId ?? null}::uuid IS NULL OR bans.route_id IS NULL OR bans.route_id = ${routeId ?? null}::uuid)
  AND (${network ?? null}::text IS NULL OR bans.range && ${network ?? null}::inet)`;

export async function listBans(db: Db, filter: BanFilter, page: Page): Promise<{ results: Ban[]; count: number }> {
  const { rows } = await sql<Ban>`
    SELECT bans.id, network, bans.route_id, routes.domain_name, plugin, reason, request_id, note, banned_by, banned_at, ends_at
    FROM bans LEFT JOIN routes ON routes.id = bans.route_id
    WHERE ${matching(filter)}
    ORDER BY banned_at DESC, bans.id LIMIT ${page.limit} OFFSET ${page.offset}`.execute(db);
  const { rows: counted } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM bans WHERE ${matching(filter)}`.execute(db);
  return { results: rows, count: counted[0]?.count ?? 0 };
}

const columnsOf = (bans: readonly NewBan[]) => sql`
  INSERT INTO bans (account_id, route_id, network, plugin, reason, request_id, note, banned_by, ends_at)
  SELECT * FROM unnest(${bans.map(({ accountId }) => accountId)}::uuid[], ${bans.map(({ routeId }) => routeId)}::uuid[],
    ${bans.map(({ network }) => network)}::text[], ${bans.map(({ plugin }) => plugin)}::text[],
    ${bans.map(({ reason }) => reason)}::text[], ${bans.map(({ requestId }) => requestId)}::text[],
    ${bans.map(({ note }) => note)}::text[], ${bans.map(({ bannedBy }) => bannedBy)}::text[],
    ${bans.map(({ endsAt }) => endsAt?.toISOString() ?? null)}::timestamptz[])`;

const REPLACED = sql`plugin = excluded.plugin, reason = excluded.reason, request_id = excluded.request_id,
  note = excluded.note, banned_by = excluded.banned_by, banned_at = now(), ends_at = excluded.ends_at`;

/** Keeps bans of a person, in place of what was there. */
export async function putBans(db: Db, bans: readonly NewBan[]): Promise<void> {
  await sql`${columnsOf(bans)} ON CONFLICT (scope, network) DO UPDATE SET ${REPLACED}`.execute(db);
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

/** Takes bans away; answers what they were. */
export async function deleteBans(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<{ scope: string; network: string; route_id: string | null }[]> {
  const { rows } = await sql<{ scope: string; network: string; route_id: string | null }>`
    DELETE FROM bans WHERE account_id = ${accountId} AND id = ANY(${[...ids]}::uuid[])
    RETURNING scope, network, route_id`.execute(db);
  return rows;
}

/** Forgets bans that ended so long ago. */
export async function forgetBans(db: Db, seconds: number): Promise<void> {
  await sql`DELETE FROM bans WHERE ends_at < now() - make_interval(secs => ${seconds})`.execute(db);
}
