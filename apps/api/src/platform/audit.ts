import type { Executor } from './database.ts';

export interface AuditLine {
  /** Null: of no account. */
  readonly accountId: string | null;
  readonly actorKind: 'user' | 'token' | 'operator' | 'system';
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly reason?: string;
  readonly details?: object;
}

/** Writes a line of an account's audit log, which the customer reads. */
export const insertAudit = (db: Executor, line: AuditLine): Promise<void> => insertAudits(db, [line]);

/** The same for many at once. */
export async function insertAudits(db: Executor, lines: readonly AuditLine[]): Promise<void> {
  if (lines.length === 0) return;
  await db
    .insertInto('audit_log')
    .values(
      lines.map((line) => ({
        account_id: line.accountId,
        actor_kind: line.actorKind,
        actor: line.actor,
        action: line.action,
        subject: line.subject,
        reason: line.reason ?? null,
        details: JSON.stringify(line.details ?? {}),
      })),
    )
    .execute();
}
