import type { Page } from '@cordon/contract';
import { type Selectable, sql } from 'kysely';
import type { Database, Executor } from '../../platform/database.ts';
import type {} from './tables.ts';

export type NameRow = Selectable<Database['names']>;

/** Serialises everything that adds or moves names below one registrable name. */
export async function lockNamesBelow(db: Executor, registrable: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('names'), hashtext(${registrable}))`.execute(db);
}

export interface NameHolder {
  readonly name: string;
  readonly account_id: string;
  readonly route_id: string;
  readonly kind: 'main' | 'shadow';
}

export const findName = (db: Executor, name: string): Promise<NameHolder | undefined> =>
  db.selectFrom('names').select(['name', 'account_id', 'route_id', 'kind']).where('name', '=', name).executeTakeFirst();

/** Who has which of the names. */
export const findNames = (db: Executor, names: readonly string[]): Promise<NameHolder[]> =>
  db
    .selectFrom('names')
    .select(['name', 'account_id', 'route_id', 'kind'])
    .where('name', '=', sql<string>`ANY(${[...names]}::text[])`)
    .execute();

/**
 * Whether another account has a name that the given one would cover (`*.example.com` over `www.example.com`), or a
 * wildcard that covers the given one.
 */
export async function spansOthers(db: Executor, accountId: string, name: string): Promise<boolean> {
  const labels = name.replace(/^\*\./, '').split('.');
  const wildcards = labels
    .slice(name.startsWith('*.') ? 0 : 1)
    .map((_, index) => `*.${labels.slice(index + (name.startsWith('*.') ? 0 : 1)).join('.')}`);
  const below = name.startsWith('*.') ? [...`.${name.slice(2)}`].reverse().join('') : undefined;
  const { rows } = await sql<{ found: boolean }>`
    SELECT EXISTS (SELECT 1 FROM names WHERE name = ANY(${wildcards}::text[]) AND account_id <> ${accountId} AND name <> ${name})
      OR (${below ?? null}::text IS NOT NULL AND EXISTS (
        SELECT 1 FROM names WHERE reverse(name) LIKE ${`${below ?? ''}%`} AND account_id <> ${accountId} AND name <> ${name})) AS found`.execute(
    db,
  );
  return rows[0]?.found ?? false;
}

/** Names below a wildcard that other accounts hold without having proved them; none for an exact name. */
export async function unprovedBelow(
  db: Executor,
  accountId: string,
  wildcard: string,
): Promise<{ name: string; route_id: string }[]> {
  if (!wildcard.startsWith('*.')) return [];
  const { rows } = await sql<{ name: string; route_id: string }>`
    SELECT name, route_id FROM name_ownership
    WHERE reverse(name) LIKE ${`${[...wildcard.slice(1)].reverse().join('')}%`} AND account_id <> ${accountId}
      AND ownership_state = 'pending' ORDER BY route_id, kind, name`.execute(db);
  return rows;
}

/** When another account last gave the name up, if within the days. */
export async function releasedByOthers(
  db: Executor,
  accountId: string,
  name: string,
  days: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ until: string | null }>`
    SELECT max(released_at) + make_interval(days => ${days}) AS until FROM released_names
    WHERE name = ${name} AND account_id <> ${accountId} AND released_at > now() - make_interval(days => ${days})`.execute(
    db,
  );
  return rows[0]?.until ?? undefined;
}

export interface NewName {
  readonly name: string;
  /** Given when nothing has to be proved. */
  readonly method: 'demo' | null;
  readonly proofNeededUntil: string | undefined;
}

/** Throws a unique violation of `names_pkey` when one of the names is in use. */
export async function insertNames(
  db: Executor,
  route: { id: string; account_id: string; subscription_id: string },
  kind: 'main' | 'shadow',
  names: readonly NewName[],
): Promise<void> {
  await db
    .insertInto('names')
    .values(
      names.map(({ name, method, proofNeededUntil }) => ({
        name,
        account_id: route.account_id,
        route_id: route.id,
        subscription_id: route.subscription_id,
        kind,
        ownership_state: method === null ? ('pending' as const) : ('verified' as const),
        ownership_method: method,
        proof_needed_until: proofNeededUntil ?? null,
      })),
    )
    .execute();
}

/** Frees the names of a route, or those given; answers which, and which of them were proved. */
export async function deleteNames(
  db: Executor,
  routeId: string,
  names?: readonly string[],
): Promise<{ name: string; isProved: boolean }[]> {
  const { rows } = await sql<{ name: string; isProved: boolean }>`
    DELETE FROM names USING name_ownership o
    WHERE names.route_id = ${routeId} AND o.name = names.name
      AND (${names ? [...names] : null}::text[] IS NULL OR names.name = ANY(${names ? [...names] : null}::text[]))
    RETURNING names.name, o.ownership_state = 'verified' AS "isProved"`.execute(db);
  return rows;
}

/** Remembers that an account gave a proved name up. */
export async function insertReleasedNames(db: Executor, accountId: string, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await db
    .insertInto('released_names')
    .values(names.map((name) => ({ name, account_id: accountId })))
    .onConflict((conflict) => conflict.columns(['name', 'account_id']).doUpdateSet({ released_at: sql<string>`now()` }))
    .execute();
}

export interface ShadowFilter {
  readonly q?: string | undefined;
  readonly state?: 'pending' | 'verified' | undefined;
}

function selectShadows(db: Executor, accountId: string, routeId: string, { q, state }: ShadowFilter) {
  let select = db
    .selectFrom('names')
    .where('route_id', '=', routeId)
    .where('account_id', '=', accountId)
    .where('kind', '=', 'shadow');
  if (q !== undefined) select = select.where('name', 'like', `%${q.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`);
  if (state !== undefined) select = select.where('ownership_state', '=', state);
  return select;
}

/** Shadow domains of a route by name. */
export const listShadows = (
  db: Executor,
  accountId: string,
  routeId: string,
  filter: ShadowFilter & Page,
): Promise<NameRow[]> =>
  selectShadows(db, accountId, routeId, filter)
    .selectAll()
    .orderBy('name')
    .limit(filter.limit)
    .offset(filter.offset)
    .execute();

export async function countShadows(
  db: Executor,
  accountId: string,
  routeId: string,
  filter: ShadowFilter = {},
): Promise<number> {
  const { count } = await selectShadows(db, accountId, routeId, filter)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Those of the names that are shadow domains of the route. */
export const findShadows = (
  db: Executor,
  accountId: string,
  routeId: string,
  names: readonly string[],
): Promise<NameRow[]> =>
  selectShadows(db, accountId, routeId, {})
    .selectAll()
    .where('name', '=', sql<string>`ANY(${[...names]}::text[])`)
    .orderBy('name')
    .execute();

/** A shadow domain of any account, for jobs. */
export const findAnyShadow = (db: Executor, routeId: string, name: string): Promise<NameRow | undefined> =>
  db
    .selectFrom('names')
    .selectAll()
    .where('name', '=', name)
    .where('route_id', '=', routeId)
    .where('kind', '=', 'shadow')
    .executeTakeFirst();

/** Keeps what a look at DNS found about a shadow domain; a name that is none any more stays as it is. */
export async function noteShadowLook(
  db: Executor,
  routeId: string,
  name: string,
  seen: string[] | null,
): Promise<void> {
  await db
    .updateTable('names')
    .set({ ownership_seen: seen, ownership_checked_at: sql<string>`now()` })
    .where('name', '=', name)
    .where('route_id', '=', routeId)
    .where('kind', '=', 'shadow')
    .execute();
}

/** Takes a shadow domain as proved; a name that is none any more stays as it is. */
export async function verifyShadow(
  db: Executor,
  routeId: string,
  name: string,
  method: NameRow['ownership_method'],
): Promise<void> {
  await db
    .updateTable('names')
    .set({ ownership_state: 'verified', ownership_method: method })
    .where('name', '=', name)
    .where('route_id', '=', routeId)
    .where('kind', '=', 'shadow')
    .execute();
}

/**
 * Makes a shadow domain the main name of its route and the main name a shadow domain; each takes its own state
 * along. The route's row must be locked.
 */
export async function swapMainName(
  db: Executor,
  route: { id: string; domain_name: string },
  name: string,
  nameUnicode: string,
): Promise<void> {
  await sql`
    UPDATE names SET kind = 'shadow', ownership_state = r.ownership_state, ownership_method = r.ownership_method,
      ownership_checked_at = r.ownership_checked_at, ownership_seen = r.ownership_seen,
      ownership_pending_since = r.ownership_pending_since, proof_needed_until = r.proof_needed_until
    FROM routes r WHERE r.id = ${route.id} AND names.name = ${route.domain_name} AND names.route_id = r.id`.execute(db);
  await sql`
    UPDATE routes SET domain_name = n.name, domain_name_unicode = ${nameUnicode}, ownership_state = n.ownership_state,
      ownership_method = n.ownership_method, ownership_checked_at = n.ownership_checked_at,
      ownership_seen = n.ownership_seen, ownership_pending_since = n.ownership_pending_since,
      proof_needed_until = n.proof_needed_until, updated_at = now()
    FROM names n WHERE routes.id = ${route.id} AND n.name = ${name} AND n.route_id = routes.id`.execute(db);
  await db
    .updateTable('names')
    .set({ kind: 'main' })
    .where('name', '=', name)
    .where('route_id', '=', route.id)
    .execute();
}
