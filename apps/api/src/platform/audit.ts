import { isDeepStrictEqual } from 'node:util';
import type { Actor, AuditDetails, AuditField, AuditValue, NewAuditChange, RequestSource } from '@cordon/contract';
import type { Executor } from './database.ts';

/** A line to be written. `subject` is the kind and the id of an object; its name is `details.domain_name` or `details.name`. */
export interface NewAuditLine {
  /** Null: of no account. */
  readonly accountId: string | null;
  readonly actorKind: Actor['kind'];
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly reason?: string | undefined;
  readonly details?: AuditDetails | undefined;
  readonly changes?: readonly NewAuditChange[] | undefined;
  readonly source?: RequestSource | undefined;
}

/** Writes a line of an account's audit log, which the customer reads. */
export const insertAudit = (db: Executor, line: NewAuditLine): Promise<void> => insertAudits(db, [line]);

/** What an actor of the account did: the line of the one who called, whatever module it stands in. */
export const auditedBy = (
  { accountId, kind, label, source }: Actor,
  line: Pick<NewAuditLine, 'action' | 'subject' | 'reason' | 'details' | 'changes'>,
): NewAuditLine => ({ accountId, actorKind: kind, actor: label, source, ...line });

/** Those of the settings that became others. */
export const changesOf = <Field extends AuditField>(
  before: { readonly [Each in NoInfer<Field>]: AuditValue },
  after: { readonly [Each in Field]?: AuditValue | undefined },
): NewAuditChange[] =>
  (Object.entries(after) as [Field, AuditValue | undefined][]).flatMap(([field, value]) => {
    const was = before[field] ?? null;
    return value === undefined || isDeepStrictEqual(was, value) ? [] : [{ field, before: was, after: value }];
  });

/** Rows of lines, for a statement that does something else besides. */
export const auditRows = (lines: readonly NewAuditLine[]) =>
  lines.map((line) => ({
    account_id: line.accountId,
    actor_kind: line.actorKind,
    actor: line.actor,
    action: line.action,
    subject: line.subject,
    reason: line.reason ?? null,
    details: JSON.stringify(line.details ?? {}),
    changes: JSON.stringify(line.changes ?? []),
    address: line.source?.address ?? null,
    user_agent: line.source?.userAgent ?? null,
  }));

/** The same as `insertAudit` for many at once. */
export async function insertAudits(db: Executor, lines: readonly NewAuditLine[]): Promise<void> {
  if (lines.length === 0) return;
  await db.insertInto('audit_log').values(auditRows(lines)).execute();
}
