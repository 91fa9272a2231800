import type { DiagnosisItem, HealthFinding } from '@cordon/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../../platform/database.ts';
import type { RouteRow } from '../routes/service.ts';
import { ERRORS_LAST } from './facts-repository.ts';
import type {} from './tables.ts';

export interface StoredLook {
  readonly looked_at: string | null;
  readonly version: number | null;
  readonly findings: readonly HealthFinding[];
}

export const findLook = (db: Executor, routeId: string): Promise<StoredLook | undefined> =>
  db
    .selectFrom('route_looks')
    .select(['looked_at', 'version', 'findings'])
    .where('route_id', '=', routeId)
    .executeTakeFirst();

/** What the last look at the origins of this version found of each; undefined while there was none. */
export const findOriginsLook = (
  db: Executor,
  { id, version_live }: Pick<RouteRow, 'id' | 'version_live'>,
): Promise<{ origins: readonly DiagnosisItem[]; origins_looked_at: string | null } | undefined> =>
  db
    .selectFrom('route_looks')
    .select(['origins', 'origins_looked_at'])
    .where('route_id', '=', id)
    .where('version', '=', version_live)
    .executeTakeFirst();

/** When a domain is to be looked at next. */
export interface NextLook {
  /** Until its origins are due. */
  readonly seconds: number;
  /** Until its name and certificate are due as well; otherwise they are due when they were. */
  readonly nameSeconds?: number;
  /** The time that `takeDue` gave; where it has become another, the domain has changed meanwhile and keeps that. */
  readonly heldUntil?: string;
}

/**
 * Writes a look down; one that has no time for the next keeps none, and without `next` the time stays. Nothing of a domain
 * that is gone.
 */
export async function putLook(
  db: Executor,
  route: Pick<RouteRow, 'id' | 'account_id' | 'version_live' | 'domain_name' | 'ownership_state' | 'certificate_id'>,
  findings: readonly HealthFinding[],
  expiresAt: string | null,
  origins: readonly DiagnosisItem[] | undefined,
  next?: NextLook,
): Promise<void> {
  await sql`INSERT INTO route_looks (route_id, account_id, looked_at, version, domain_name, ownership_state, certificate_id,
      findings, certificate_expires_at, origins, origins_looked_at)
    SELECT id, account_id, clock_timestamp(), ${route.version_live}, ${route.domain_name}, ${route.ownership_state},
      ${route.certificate_id}::uuid, ${JSON.stringify(findings)}::jsonb, ${expiresAt}::timestamptz,
      ${JSON.stringify(origins ?? [])}::jsonb, CASE WHEN ${origins !== undefined} THEN clock_timestamp() END
    FROM routes WHERE id = ${route.id} AND account_id = ${route.account_id} AND status <> 'deleted'
    ON CONFLICT (route_id) DO UPDATE SET looked_at = excluded.looked_at, version = excluded.version,
      domain_name = excluded.domain_name, ownership_state = excluded.ownership_state, certificate_id = excluded.certificate_id,
      findings = excluded.findings, certificate_expires_at = excluded.certificate_expires_at,
      ${originsOf(origins, sql`excluded.origins`, route.version_live)},
      due_at = CASE WHEN route_looks.due_at = coalesce(${next?.heldUntil ?? null}::timestamptz, route_looks.due_at)
        THEN coalesce(now() + make_interval(secs => ${next?.seconds ?? null}), route_looks.due_at)
        ELSE route_looks.due_at END,
      name_due_at = ${nameDueAt(next)}`.execute(db);
}

/** What was not found out now is as it was, for the version that it was found of. */
const originsOf = (
  origins: readonly DiagnosisItem[] | undefined,
  found: RawBuilder<unknown>,
  version: number | null,
) =>
  origins === undefined
    ? sql`origins = CASE WHEN route_looks.version = ${version} THEN route_looks.origins ELSE '[]' END`
    : sql`origins = ${found}, origins_looked_at = clock_timestamp()`;

/** Of a domain that has changed meanwhile it stays, as `due_at` does. */
const nameDueAt = ({ nameSeconds, heldUntil }: Partial<NextLook> = {}) =>
  sql`CASE WHEN route_looks.due_at = coalesce(${heldUntil ?? null}::timestamptz, route_looks.due_at)
    THEN coalesce(now() + make_interval(secs => ${nameSeconds ?? null}), route_looks.name_due_at)
    ELSE route_looks.name_due_at END`;

/** The same of a look that asked for no name: what it found is of the version alone. */
export async function putVersionLook(
  db: Executor,
  route: Pick<RouteRow, 'id' | 'version_live'>,
  findings: readonly HealthFinding[],
  origins: readonly DiagnosisItem[] | undefined,
  next: NextLook & { readonly heldUntil: string },
): Promise<void> {
  await sql`UPDATE route_looks SET version = ${route.version_live}, findings = ${JSON.stringify(findings)}::jsonb,
      ${originsOf(origins, sql`${JSON.stringify(origins)}::jsonb`, route.version_live)},
      due_at = CASE WHEN due_at = ${next.heldUntil}::timestamptz THEN now() + make_interval(secs => ${next.seconds})
        ELSE due_at END,
      name_due_at = ${nameDueAt(next)}
    WHERE route_id = ${route.id}`.execute(db);
}

/** A domain that was taken to be looked at, until `heldUntil`. */
export interface Taken {
  readonly routeId: string;
  readonly heldUntil: string;
  /** Its name and certificate are due, not its origins alone. */
  readonly isNameDue: boolean;
}

/**
 * Takes domains whose look is due: accounts in turn, so that the many of one do not keep the few of another waiting.
 * They are due again after `heldSeconds` unless a look is written down before.
 */
export async function takeDue(
  db: Executor,
  most: number,
  mostOfAccount: number,
  heldSeconds: number,
): Promise<Taken[]> {
  // As text: to the microsecond.
  const { rows } = await sql<Taken>`
    UPDATE route_looks SET due_at = now() + make_interval(secs => ${heldSeconds}) WHERE route_id IN (
      SELECT due.route_id FROM (SELECT DISTINCT account_id FROM route_looks WHERE due_at <= now()) accounts
        CROSS JOIN LATERAL (SELECT route_id, due_at, row_number() OVER (ORDER BY due_at) AS turn FROM route_looks
          WHERE account_id = accounts.account_id AND due_at <= now() ORDER BY due_at LIMIT ${mostOfAccount}) due
      ORDER BY due.turn, due.due_at LIMIT ${most}) 
      RETURNING route_id AS "routeId", due_at::text AS "heldUntil",
        name_due_at IS NULL OR name_due_at <= now() AS "isNameDue"`.execute(db);
  return rows;
}

export interface MeasuredErrors {
  readonly route_id: string;
  readonly account_id: string;
  readonly requests: number;
  readonly failed: number;
  /** Whether they are enough of a domain that had none before. */
  readonly is_new: boolean;
}

const GOES_ON = `measured_at > now() - ${ERRORS_LAST}`;

/** Accounts whose failing domains have become others. */
export async function replaceErrors(db: Executor, measured: readonly MeasuredErrors[]): Promise<string[]> {
  const ids = measured.map(({ route_id }) => route_id);
  const accounts = measured.map(({ account_id }) => account_id);
  const areNew = measured.map(({ is_new }) => is_new);
  const { rows } = await sql<{ account_id: string }>`
    WITH gone AS (DELETE FROM route_errors e WHERE NOT EXISTS (
        SELECT FROM unnest(${ids}::uuid[], ${accounts}::uuid[], ${areNew}::boolean[]) AS m (route_id, account_id, is_new)
        WHERE m.route_id = e.route_id AND m.account_id = e.account_id AND (m.is_new OR e.${sql.raw(GOES_ON)}))
        RETURNING account_id),
      written AS (INSERT INTO route_errors (route_id, account_id, requests, failed)
        SELECT r.id, r.account_id, m.requests, m.failed
        FROM unnest(${ids}::uuid[], ${accounts}::uuid[],
            ${measured.map(({ requests }) => requests)}::int[], ${measured.map(({ failed }) => failed)}::int[],
            ${areNew}::boolean[]) AS m (route_id, account_id, requests, failed, is_new)
          JOIN routes r ON r.id = m.route_id AND r.account_id = m.account_id AND r.status <> 'deleted'
        WHERE m.is_new OR EXISTS (SELECT FROM route_errors e WHERE e.route_id = r.id AND e.${sql.raw(GOES_ON)})
        ORDER BY r.id
        ON CONFLICT (route_id) DO UPDATE SET requests = excluded.requests, failed = excluded.failed, measured_at = now(),
          since = CASE WHEN route_errors.${sql.raw(GOES_ON)} THEN route_errors.since ELSE now() END
        RETURNING account_id, since = now() AS is_new)
    SELECT account_id FROM gone UNION SELECT account_id FROM written WHERE is_new`.execute(db);
  return rows.map(({ account_id }) => account_id);
}

/** The same of one domain; answers since when its visitors get errors, of one that had none and has too few nothing. */
export async function putErrors(db: Executor, measured: MeasuredErrors): Promise<string | undefined> {
  const { rows } = await sql<{ since: string }>`
    INSERT INTO route_errors (route_id, account_id, requests, failed)
      SELECT id, account_id, ${measured.requests}, ${measured.failed} FROM routes
      WHERE id = ${measured.route_id} AND account_id = ${measured.account_id} AND status <> 'deleted'
        AND (${measured.is_new} OR EXISTS (SELECT FROM route_errors e WHERE e.route_id = routes.id AND e.${sql.raw(GOES_ON)}))
    ON CONFLICT (route_id) DO UPDATE SET requests = excluded.requests, failed = excluded.failed, measured_at = now()
    RETURNING since`.execute(db);
  return rows[0]?.since;
}

export async function forgetErrors(db: Executor, routeId: string): Promise<void> {
  await db.deleteFrom('route_errors').where('route_id', '=', routeId).execute();
}

/** A domain of each account. */
export async function anyOfAccounts(
  db: Executor,
  accountIds: readonly string[],
): Promise<{ id: string; account_id: string }[]> {
  const { rows } = await sql<{ id: string; account_id: string }>`
    SELECT r.id, wanted.account_id FROM unnest(${[...accountIds]}::uuid[]) AS wanted (account_id)
      CROSS JOIN LATERAL (SELECT id FROM routes WHERE account_id = wanted.account_id AND status <> 'deleted' LIMIT 1) r`.execute(
    db,
  );
  return rows;
}
