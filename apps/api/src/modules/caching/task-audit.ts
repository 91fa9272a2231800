import { type Actor, type ClearRequest, TASK_NAMES_MAX } from '@cordon/contract';
import { auditedBy, insertAudit } from '../../platform/audit.ts';
import type { Executor } from '../../platform/database.ts';
import { clearDetails } from './clear-service.ts';
import { clearOf } from './clear-values.ts';
import type { TaskRow } from './task-repository.ts';

/** What the audit log has of a task that was scheduled. */
export interface AuditedTask {
  readonly clear: ClearRequest;
  /** Of its domains. */
  readonly names: readonly string[];
  readonly at: string;
}

export const auditedTaskOf = ({ params, names, run_at: at }: TaskRow): AuditedTask => ({
  clear: clearOf(params),
  names,
  at,
});

/** Writes the line of the audit log of a scheduled task. */
export const auditTask = (
  executor: Executor,
  actor: Actor,
  action: 'task.schedule' | 'task.run' | 'task.cancel',
  id: string,
  { clear, names, at }: AuditedTask,
): Promise<void> =>
  insertAudit(
    executor,
    auditedBy(actor, {
      action,
      subject: `task ${id}`,
      // The lines of what it clears name it, too.
      details: { ...clearDetails(clear), domains: names.length, names: names.slice(0, TASK_NAMES_MAX), task: id, at },
    }),
  );
