import type { Actor, AuditAction, AuditDetails, NewAuditChange, RequestSource } from '@cordon/contract';
import { auditedBy, insertAudit } from '../../platform/audit.ts';
import type { Executor } from '../../platform/database.ts';

/** Writes what a user did, or what was tried in their name, to the audit log of their account. */
export function auditUser(
  executor: Executor,
  action: AuditAction,
  user: { readonly accountId: string; readonly id: string; readonly email: string },
  how: {
    /** The user, from `source`, unless given. */
    readonly actor?: Actor;
    readonly source?: RequestSource | undefined;
    readonly details?: AuditDetails;
    readonly changes?: readonly NewAuditChange[];
  } = {},
): Promise<void> {
  const self: Actor = { accountId: user.accountId, kind: 'user', label: user.email, source: how.source };
  return insertAudit(
    executor,
    auditedBy(how.actor ?? self, {
      action,
      subject: `user ${user.id}`,
      details: { name: user.email, ...how.details },
      changes: how.changes,
    }),
  );
}
