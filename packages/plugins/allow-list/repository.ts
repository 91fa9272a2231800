import type { Page } from '@cordon/contract';
import type { NetworkSearch } from '@cordon/plugin-kit/network-search';
import { type Kysely, sql } from 'kysely';
import type { AllowedNetwork } from './operations.ts';
import type { AllowListTables } from './tables.ts';

type Db = Kysely<AllowListTables>;

/** A pattern of LIKE for what holds `words` as they stand. */
const holdingWords = (words: string) => `%${words.replace(/[\\%_]/g, '\\$&')}%`;

const matching = (accountId: string, { networks, words }: NetworkSearch) => sql<boolean>`
  account_id = ${accountId} AND (ends_at IS NULL OR ends_at > clock_timestamp())
  AND (${networks.length === 0}::boolean OR range && ANY(${[...networks]}::inet[]))
  AND (${words === undefined}::boolean OR note ILIKE ${holdingWords(words ?? '')}::text)`;

export async function listNetworks(
  db: Db,
  accountId: string,
  search: NetworkSearch,
  page: Page,
): Promise<{ results: AllowedNetwork[]; count: number }> {
  const { rows } = await sql<AllowedNetwork>`
    SELECT id, network, note, added_by, added_at, ends_at FROM allowed_networks WHERE ${matching(accountId, search)}
    ORDER BY added_at DESC, range LIMIT ${page.limit} OFFSET ${page.offset}`.execute(db);
  const { rows: counted } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM allowed_networks WHERE ${matching(accountId, search)}`.execute(db);
  return { results: rows, count: counted[0]?.count ?? 0 };
}

/** Until the transaction ends, nothing else changes the account's list: what is counted stays true. */
export async function lockAccount(trx: Db, accountId: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`allow list ${accountId}`}, 0))`.execute(trx);
}

/** Drops what has ended, so that it is neither counted nor taken for what is on the list; answers how many are left. */
export async function countHolding(trx: Db, accountId: string): Promise<number> {
  await sql`DELETE FROM allowed_networks WHERE account_id = ${accountId} AND ends_at <= clock_timestamp()`.execute(trx);
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM allowed_networks WHERE account_id = ${accountId}`.execute(trx);
  return rows[0]?.count ?? 0;
}

const lastAddress = sql`set_masklen(broadcast(range), CASE family(range) WHEN 4 THEN 32 ELSE 128 END)`;

/**
 * Of canonical texts those that say something new: each once, none inside another one or inside an entry of the account that lasts
 * until `endsAt`. In the order of their addresses. PostgreSQL compares them: thousands would hold the event loop.
 */
export async function findOutermost(
  trx: Db,
  accountId: string,
  networks: readonly string[],
  endsAt: string | null,
): Promise<string[]> {
  // One text: a list of so many would be written for PostgreSQL in one turn.
  const { rows } = await sql<{ network: string }>`
    WITH listed AS MATERIALIZED (
      SELECT DISTINCT network, network::inet AS range FROM unnest(string_to_array(${networks.join(' ')}, ' ')) AS listed (network)),
    given AS MATERIALIZED (SELECT network, range, ${lastAddress} AS last FROM listed),
    spread AS (
      SELECT network, range, last, max(last) OVER (
        PARTITION BY family(range) ORDER BY range ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS reach FROM given),
    outermost AS MATERIALIZED (SELECT network, range FROM spread WHERE reach IS NULL OR reach < last),
    lengths AS MATERIALIZED (
      SELECT DISTINCT family(range) AS family, masklen(range) AS length FROM allowed_networks WHERE account_id = ${accountId}),
    covered AS (
      SELECT outermost.network FROM outermost
        JOIN lengths ON lengths.family = family(outermost.range) AND lengths.length < masklen(outermost.range)
        JOIN allowed_networks wider ON wider.account_id = ${accountId}
          AND wider.range = network(set_masklen(outermost.range, lengths.length))::inet
      WHERE wider.ends_at IS NULL OR wider.ends_at >= ${endsAt}::timestamptz)
    SELECT network FROM outermost WHERE network NOT IN (SELECT network FROM covered) ORDER BY range`.execute(trx);
  return rows.map(({ network }) => network);
}

export interface NewNetworks {
  readonly accountId: string;
  readonly networks: readonly string[];
  readonly note: string;
  readonly addedBy: string;
  readonly endsAt: string | null;
  /** The account has none. */
  readonly isFirst: boolean;
}

/** Keeps entries, in place of what was there of the same networks. Called after `countHolding`. */
export async function putNetworks(trx: Db, added: NewNetworks): Promise<void> {
  const { accountId, networks, note, addedBy, endsAt, isFirst } = added;
  // So many more are mostly the first, among which there is nothing to look for.
  const inPlace = sql`ON CONFLICT (account_id, range) DO UPDATE SET
      note = excluded.note, added_by = excluded.added_by, added_at = now(), ends_at = excluded.ends_at`;
  await sql`
    INSERT INTO allowed_networks (account_id, network, note, added_by, ends_at)
    SELECT ${accountId}::uuid, network, ${note}, ${addedBy}, ${endsAt}::timestamptz
    FROM unnest(string_to_array(${networks.join(' ')}, ' ')) AS given (network)
    ${isFirst ? sql`` : inPlace}`.execute(trx);
}

const ROW = sql`id, account_id, network, note, added_by, added_at, ends_at`;

/** Takes away at most `max` of those of the ids, or of those that the search finds, and keeps them under the removal's id. */
export async function removeNetworks(
  trx: Db,
  accountId: string,
  chosen: readonly string[] | NetworkSearch,
  removalId: string,
  max: number,
): Promise<string[]> {
  const isChosen =
    'networks' in chosen
      ? matching(accountId, chosen)
      : sql<boolean>`account_id = ${accountId} AND id = ANY(${[...chosen]}::uuid[])`;
  const { rows } = await sql<{ network: string }>`
    WITH gone AS (
        DELETE FROM allowed_networks WHERE id = ANY(ARRAY(SELECT id FROM allowed_networks WHERE ${isChosen} LIMIT ${max}))
        RETURNING *),
      kept AS (INSERT INTO removed_networks (removal_id, ${ROW}) SELECT ${removalId}::uuid, ${ROW} FROM gone)
    SELECT network FROM gone ORDER BY range`.execute(trx);
  return rows.map(({ network }) => network);
}

export interface RestoredPart {
  readonly restored: readonly { readonly network: string; readonly ends_at: string | null }[];
  /** How many were looked at; fewer than `max`: it was the last part. */
  readonly taken: number;
  /** How many would have ended meanwhile. */
  readonly ended: number;
}

/** Brings back at most `max` entries of a removal of the last `seconds`, as they were; none where the network was added anew. */
export async function restoreNetworks(
  trx: Db,
  accountId: string,
  removalId: string,
  seconds: number,
  max: number,
): Promise<RestoredPart> {
  const { rows } = await sql<{ network: string | null; ends_at: string | null; taken: number; ended: number }>`
    WITH taken AS (
        DELETE FROM removed_networks WHERE id = ANY(ARRAY(
          SELECT id FROM removed_networks WHERE removal_id = ${removalId} AND account_id = ${accountId}
            AND removed_at > now() - make_interval(secs => ${seconds}) ORDER BY id LIMIT ${max}))
        RETURNING *, coalesce(ends_at <= clock_timestamp(), false) AS is_ended),
      back AS (
        INSERT INTO allowed_networks (${ROW}) SELECT ${ROW} FROM taken WHERE NOT is_ended
        ON CONFLICT (account_id, range) DO NOTHING RETURNING network, ends_at),
      counts AS (SELECT count(*)::int AS taken, (count(*) FILTER (WHERE is_ended))::int AS ended FROM taken)
    SELECT back.network, back.ends_at, counts.taken, counts.ended FROM counts LEFT JOIN back ON true`.execute(trx);
  const restored = rows.flatMap(({ network, ends_at: endsAt }) =>
    network === null ? [] : [{ network, ends_at: endsAt }],
  );
  return { restored, taken: rows[0]?.taken ?? 0, ended: rows[0]?.ended ?? 0 };
}

/** Forgets what has ended, and what was removed `seconds` ago. */
export async function forgetNetworks(db: Db, seconds: number): Promise<void> {
  await sql`DELETE FROM allowed_networks WHERE ends_at <= now()`.execute(db);
  await sql`DELETE FROM removed_networks WHERE removed_at <= now() - make_interval(secs => ${seconds})`.execute(db);
}
