import { sql } from 'kysely';
import type { Db } from '../../platform/database.ts';
import { type SecretBox, sha256 } from '../../platform/secrets.ts';
import type {} from './tables.ts';

/** What oidc-provider stores under an id; only these keys are looked at. */
export interface ProviderPayload {
  grantId?: string | undefined;
  uid?: string | undefined;
  accountId?: string | undefined;
  consumed?: unknown;
  /** Of what belongs to a session: its `uid`. */
  sessionUid?: string | undefined;
  /** Of an interaction that was answered. */
  result?: { readonly login?: { readonly accountId?: string } } | undefined;
}

/** Ids are hashed and payloads sealed, so that a copy of the database is not enough to sign in. */
export interface ProviderStore {
  readonly db: Db;
  readonly secrets: SecretBox;
}

/** The provider accepts what is over for a few seconds (`clockTolerance`). */
const KEEP_SECONDS = 60;
const PURGE_BATCH = 5_000;
const REVOKED_WITH_GRANT: ReadonlySet<string> = new Set(['AccessToken', 'AuthorizationCode', 'RefreshToken']);

const contextOf = (model: string, hash: Buffer): string => `oidc_state/${model}/${hash.toString('hex')}`;

function opened(
  secrets: SecretBox,
  row: { model: string; id_hash: Buffer; payload: Buffer; consumed_at: string | null } | undefined,
): ProviderPayload | undefined {
  if (row === undefined) return undefined;
  const payload = JSON.parse(
    secrets.open(row.payload, contextOf(row.model, row.id_hash)).toString(),
  ) as ProviderPayload;
  return row.consumed_at === null ? payload : { ...payload, consumed: Math.floor(Date.parse(row.consumed_at) / 1000) };
}

const columns = ['model', 'id_hash', 'payload', 'consumed_at'] as const;
const living = sql<boolean>`expires_at > now() - make_interval(secs => ${KEEP_SECONDS})`;

export async function find(
  { db, secrets }: ProviderStore,
  model: string,
  id: string,
): Promise<ProviderPayload | undefined> {
  const query = db.selectFrom('oidc_state').select(columns).where('model', '=', model);
  return opened(secrets, await query.where('id_hash', '=', sha256(id)).where(living).executeTakeFirst());
}

export async function findBySessionUid(
  { db, secrets }: ProviderStore,
  uid: string,
): Promise<ProviderPayload | undefined> {
  const query = db.selectFrom('oidc_state').select(columns).where('model', '=', 'Session');
  return opened(secrets, await query.where('session_uid', '=', uid).where(living).executeTakeFirst());
}

/** Access tokens of a session that ended are refused at once. */
const announceEnd = (db: Db) => sql`SELECT pg_notify('sessions', '')`.execute(db);

/** Whether nobody has signed out of it, and its time is not over. */
export async function isSessionOpen({ db }: ProviderStore, uid: string): Promise<boolean> {
  const query = db.selectFrom('oidc_state').select('model').where('model', '=', 'Session');
  return (await query.where('session_uid', '=', uid).where(living).executeTakeFirst()) !== undefined;
}

export async function save(
  { db, secrets }: ProviderStore,
  model: string,
  id: string,
  payload: ProviderPayload,
  ttlSeconds: number,
): Promise<void> {
  const hash = sha256(id);
  const values = {
    payload: secrets.seal(JSON.stringify(payload), contextOf(model, hash)),
    grant_id: REVOKED_WITH_GRANT.has(model) ? (payload.grantId ?? null) : null,
    session_uid: model === 'Session' ? (payload.uid ?? null) : null,
    // An answered sign-in becomes a session when the browser comes back.
    subject: payload.accountId ?? payload.result?.login?.accountId ?? null,
    expires_at: new Date(Date.now() + ttlSeconds * 1000),
  };
  await db
    .insertInto('oidc_state')
    .values({ model, id_hash: hash, ...values })
    .onConflict((conflict) => conflict.columns(['model', 'id_hash']).doUpdateSet(values))
    .execute();
}

/** Marks it as used; false when it was used before. Of two at the same time one gets true. */
export async function consume(db: Db, model: string, id: string): Promise<boolean> {
  const result = await db
    .updateTable('oidc_state')
    .set({ consumed_at: sql<string>`now()` })
    .where('model', '=', model)
    .where('id_hash', '=', sha256(id))
    .where('consumed_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function remove(db: Db, model: string, id: string): Promise<void> {
  await db.deleteFrom('oidc_state').where('model', '=', model).where('id_hash', '=', sha256(id)).execute();
  if (model === 'Session') await announceEnd(db);
}

/** Codes and tokens of a grant, not the grant itself. */
export async function removeByGrant(db: Db, grantId: string): Promise<void> {
  await db.deleteFrom('oidc_state').where('grant_id', '=', grantId).execute();
}

/** Everything that one person holds: sessions, grants, tokens. */
export async function removeBySubject(db: Db, subject: string): Promise<void> {
  await db.deleteFrom('oidc_state').where('subject', '=', subject).execute();
  await announceEnd(db);
}

/** Sessions of a person but one, and what those hold; sign-ins that were answered but not taken up end too. */
export async function removeOtherSessions({ db, secrets }: ProviderStore, subject: string, uid: string): Promise<void> {
  const rows = await db.selectFrom('oidc_state').select(columns).where('subject', '=', subject).execute();
  const others = rows.filter((row) => {
    const payload = opened(secrets, row);
    // A grant alone lets nobody in.
    return row.model !== 'Grant' && payload?.uid !== uid && payload?.sessionUid !== uid;
  });
  for (const { model, id_hash } of others)
    await db.deleteFrom('oidc_state').where('model', '=', model).where('id_hash', '=', id_hash).execute();
  await announceEnd(db);
}

/** Deletes what is over, some thousands at a time; answers how many. */
export async function purge(db: Db): Promise<number> {
  const { rows } = await sql<{ purged: number }>`
    WITH gone AS (
      DELETE FROM oidc_state WHERE ctid IN (
        SELECT ctid FROM oidc_state WHERE expires_at < now() - make_interval(secs => ${KEEP_SECONDS})
        LIMIT ${PURGE_BATCH} FOR UPDATE SKIP LOCKED)
      RETURNING 1)
    SELECT count(*)::int AS purged FROM gone`.execute(db);
  return rows[0]?.purged ?? 0;
}
