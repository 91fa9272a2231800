import { sql } from 'kysely';
import type { Executor } from '../../platform/database.ts';
import type {} from './tables.ts';

/** How long nothing has had a secret when it goes: whoever has a form with its handle open can still save it. */
const UNUSED_DAYS = 7;

/** A secret as it is stored. */
export interface SealedSecret {
  readonly handle: string;
  readonly sealed: Buffer;
}

export const findSecrets = (
  db: Executor,
  accountId: string,
  handles: readonly string[],
): Promise<readonly SealedSecret[]> =>
  db
    .selectFrom('plugin_secrets')
    .select(['handle', 'sealed'])
    .where('account_id', '=', accountId)
    .where('handle', 'in', [...handles])
    .execute();

/** Those of the handles that the account has; none of them is removed before the caller's transaction ends. */
export async function holdSecrets(
  db: Executor,
  accountId: string,
  handles: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ handle: string; is_unused: boolean }>`
    SELECT handle, unused_since IS NOT NULL AS is_unused FROM plugin_secrets
    WHERE account_id = ${accountId} AND handle = ANY(${[...handles]}::text[]) ORDER BY handle FOR KEY SHARE`.execute(
    db,
  );
  if (rows.some(({ is_unused }) => is_unused))
    await db
      .updateTable('plugin_secrets')
      .set({ unused_since: null })
      .where('account_id', '=', accountId)
      .where('handle', 'in', [...handles])
      .where('unused_since', 'is not', null)
      .execute();
  return new Set(rows.map(({ handle }) => handle));
}

/** Those that the account has already stay. */
export async function insertSecrets(db: Executor, accountId: string, secrets: readonly SealedSecret[]): Promise<void> {
  await db
    .insertInto('plugin_secrets')
    .values(secrets.map(({ handle, sealed }) => ({ account_id: accountId, handle, sealed })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function countSecrets(db: Executor, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('plugin_secrets')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function accountsWithSecrets(db: Executor): Promise<string[]> {
  const rows = await db.selectFrom('plugin_secrets').select('account_id').distinct().execute();
  return rows.map((row) => row.account_id);
}

/** Handles of configurations, or of the lists of plugins of other things, in an array. */
const HANDLES = sql.raw(`'$[*].plugins[*].config.* ? (@ starts with "secret_")'`);

/** What is live, or may be by the next deploy, or by a batch that is resumed as long as it is kept. */
const current = (accountId: string) => sql`
  SELECT handle #>> '{}' AS handle FROM routes r, jsonb_path_query(jsonb_build_array(r.draft, r.live), ${HANDLES}) AS handle
  WHERE r.account_id = ${accountId} AND r.status <> 'deleted'
  UNION SELECT handle #>> '{}' FROM rules r, jsonb_path_query(jsonb_build_array(to_jsonb(r)), ${HANDLES}) AS handle
  WHERE r.account_id = ${accountId}
  UNION SELECT handle #>> '{}'
  FROM batches b, jsonb_path_query(jsonb_build_array(b.params, b.params -> 'config'), ${HANDLES}) AS handle
  WHERE b.account_id = ${accountId}`;

/** What can be brought back, read only for secrets that nothing current has. */
const past = (accountId: string) => sql`
  SELECT handle #>> '{}' AS handle FROM routes r JOIN route_versions v ON v.route_id = r.id,
    jsonb_path_query(jsonb_build_array(v.config), ${HANDLES}) AS handle
  WHERE r.account_id = ${accountId} AND r.status <> 'deleted' AND EXISTS (SELECT FROM not_current)
  UNION SELECT handle #>> '{}' FROM routes r JOIN route_drafts d ON d.route_id = r.id,
    jsonb_path_query(jsonb_build_array(d.config), ${HANDLES}) AS handle
  WHERE r.account_id = ${accountId} AND r.status <> 'deleted' AND EXISTS (SELECT FROM not_current)`;

/**
 * Removes the secrets of an account that nothing has had for UNUSED_DAYS, and notes which others nothing has. Of a transaction of its
 * own: whoever holds a secret has it skipped, or waits for this to end and finds it gone; what they saved before is read once
 * the secrets are locked.
 */
export async function removeUnused(trx: Executor, accountId: string): Promise<void> {
  const { rows } = await sql<{ handle: string }>`SELECT handle FROM plugin_secrets
    WHERE account_id = ${accountId} AND unused_since < now() - make_interval(days => ${UNUSED_DAYS})
    ORDER BY handle FOR UPDATE SKIP LOCKED`.execute(trx);
  const due = rows.map(({ handle }) => handle);
  await sql`WITH not_current AS MATERIALIZED (
      SELECT handle FROM plugin_secrets WHERE account_id = ${accountId} EXCEPT (${current(accountId)})),
    unused AS MATERIALIZED (SELECT handle FROM not_current EXCEPT (${past(accountId)})),
    gone AS (DELETE FROM plugin_secrets
      WHERE account_id = ${accountId} AND handle = ANY(${due}::text[]) AND handle IN (SELECT handle FROM unused))
    UPDATE plugin_secrets SET unused_since = CASE WHEN unused_since IS NULL THEN now() END
    WHERE account_id = ${accountId} AND (unused_since IS NULL) = (handle IN (SELECT handle FROM unused))`.execute(trx);
}
