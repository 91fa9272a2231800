import type { Executor } from './database.ts';

/** Writes a line of an account's audit log, which the customer reads; null: of nobody's. */
export async function insertAudit(
  db: Executor,
  row: {
    accountId: string | null;
    actorKind: 'user' | 'token' | 'operator' | 'system';
    actor: string;
    action: string;
    subject: string;
    reason?: string;
    details?: object;
  },
): Promise<void> {
  await db
    .insertInto('audit_log')
    .values({
      account_id: row.accountId,
      actor_kind: row.actorKind,
      actor: row.actor,
      action: row.action,
      subject: row.subject,
      reason: row.reason ?? null,
      details: JSON.stringify(row.details ?? {}),
    })
    .execute();
}
