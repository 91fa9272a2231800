import { domainToASCII } from 'node:url';
import { AUDIT_EXPORT_MAX, AUDIT_LIST_MAX, type AuditChange, type AuditLine, type Page } from '@cordon/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database.ts';

export interface AuditFilter {
  readonly accountId: string;
  readonly q?: string | undefined;
  readonly action?: string | undefined;
  readonly actor?: AuditLine['actor']['kind'] | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface AuditRow {
  readonly id: number;
  readonly at: string;
  readonly actor_kind: AuditLine['actor']['kind'];
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly reason: string | null;
  readonly details: Record<string, unknown>;
  readonly changes: readonly AuditChange[];
  readonly address: string | null;
  readonly user_agent: string | null;
}

const COLUMNS = sql`id, at, actor_kind, actor, action, subject, reason, details, changes, address, user_agent`;
const ORDER = sql`ORDER BY at DESC, id DESC`;

/** Without an offset, of which PostgreSQL takes fewer than ISO 8601 has. */
const instant = (text: string): string => new Date(text).toISOString();

/** Only what is asked for: each combination is then planned for itself. */
function matching({ accountId, q, action, actor, from, to }: AuditFilter): RawBuilder<unknown> {
  const conditions = [sql`account_id = ${accountId}`];
  if (q !== undefined && q !== '') {
    // Domain names are kept as A-labels.
    const labels = /^[\0-\x7f]*$/.test(q) ? '' : domainToASCII(q);
    const holds = [q, labels]
      .filter((text) => text !== '')
      .map((text) => `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`)
      .map((pattern) => sql`audit_text(actor, details, reason, address) LIKE ${pattern}`);
    conditions.push(sql`(${sql.join(holds, sql` OR `)})`);
  }
  if (action !== undefined) conditions.push(sql`action = ${action}`);
  if (actor !== undefined) conditions.push(sql`actor_kind = ${actor}`);
  if (from !== undefined) conditions.push(sql`at >= ${instant(from)}`);
  if (to !== undefined) conditions.push(sql`at < ${instant(to)}`);
  return sql.join(conditions, sql` AND `);
}

/** How many matches there are, up to what the list reaches. */
export const countQuery = (filter: AuditFilter): RawBuilder<{ count: number }> => sql`
  SELECT count(*)::int AS count FROM (SELECT 1 FROM audit_log WHERE ${matching(filter)} LIMIT ${AUDIT_LIST_MAX}) newest`;

export const pageQuery = (filter: AuditFilter, { limit, offset }: Page): RawBuilder<AuditRow> => sql`
  SELECT ${COLUMNS} FROM audit_log WHERE ${matching(filter)} ${ORDER} LIMIT ${limit} OFFSET ${offset}`;

/** A page of the newest matches, and how many of them there are. */
export async function listLines(
  db: Db,
  filter: AuditFilter,
  { limit, offset }: Page,
): Promise<{ rows: AuditRow[]; count: number }> {
  const { rows: counted } = await countQuery(filter).execute(db);
  const count = counted[0]?.count ?? 0;
  if (offset >= count) return { rows: [], count };
  const { rows } = await pageQuery(filter, { limit: Math.min(limit, count - offset), offset }).execute(db);
  return { rows, count };
}

/** A line of the account; undefined where it has none with this id. */
export async function findLine(db: Db, accountId: string, id: number): Promise<AuditRow | undefined> {
  const { rows } = await sql<AuditRow>`
    SELECT ${COLUMNS} FROM audit_log WHERE account_id = ${accountId} AND id = ${id}`.execute(db);
  return rows[0];
}

/** Read and written in one turn of the event loop. */
const EXPORT_AT_ONCE = 200;

/** The newest matches in pieces. */
export async function* readLines(db: Db, filter: AuditFilter): AsyncGenerator<AuditRow[]> {
  let last: AuditRow | undefined;
  for (let read = 0; read < AUDIT_EXPORT_MAX; read += EXPORT_AT_ONCE) {
    const after = last ? sql`AND (at, id) < ((SELECT at FROM audit_log WHERE id = ${last.id}), ${last.id})` : sql``;
    const { rows } = await sql<AuditRow>`
      SELECT ${COLUMNS} FROM audit_log WHERE ${matching(filter)} ${after} ${ORDER} LIMIT ${EXPORT_AT_ONCE}`.execute(db);
    if (rows.length > 0) yield rows;
    last = rows.at(-1);
    if (rows.length < EXPORT_AT_ONCE) return;
  }
}

/** Which of the account's domains, groups and rules with these ids are still there. */
export async function findExisting(db: Db, accountId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const wanted = sql`account_id = ${accountId} AND id = ANY(${[...ids]}::uuid[])`;
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM routes WHERE ${wanted} AND status <> 'deleted'
    UNION ALL SELECT id FROM groups WHERE ${wanted}
    UNION ALL SELECT id FROM rules WHERE ${wanted}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

const FORGOTTEN_AT_ONCE = 5_000;

/**
 * Forgets the oldest lines of all accounts, at most so many; answers how many were looked at and were too old. Ids grow with
 * time, so the oldest are found by them.
 */
export async function forgetOldest(db: Db, days: number, atOnce = FORGOTTEN_AT_ONCE): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM audit_log WHERE id IN (
      SELECT id FROM (SELECT id, at FROM audit_log ORDER BY id LIMIT ${atOnce}) oldest
      WHERE at < now() - make_interval(days => ${days}))`.execute(db);
  return Number(numAffectedRows ?? 0);
}
