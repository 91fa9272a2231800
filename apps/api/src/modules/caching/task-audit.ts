import { type Actor, type ClearRequest, TASK_NAMES_MAX } from '@cordon/contract';
import { auditedBy, insertAudit, type NewAuditLine } from '../../platform/audit.ts';
import type { Executor } from '../../platform/database.ts';
import type { LeaveCause } from '../publishing/service.ts';
import { clearDetails } from './clear-service.ts';
import { clearOf } from './clear-values.ts';
import type { TaskRow } from './task-repository.ts';

/** What the audit log has of a task that was scheduled. */
export interface AuditedTask {
  readonly clear: ClearRequest;
  /** How many: all, or those that left. */
  readonly domains: number;
  /** Of them, the first at least. */
  readonly names: readonly string[];
  readonly at: string;
  /** Of the domains, once it has ended. */
  readonly failed?: number;
  /** Why domains left it, by which it may have been cancelled. */
  readonly cause?: LeaveCause;
}

export const auditedTaskOf = ({ params, names, run_at: at }: TaskRow): AuditedTask => ({
  clear: clearOf(params),
  domains: names.length,
  names,
  at,
});

type TaskAction = 'task.schedule' | 'task.run' | 'task.end' | 'task.leave' | 'task.cancel';

/** The line of the audit log of a scheduled task. */
export const taskAudit = (
  actor: Actor,
  action: TaskAction,
  id: string,
  { clear, names, ...rest }: AuditedTask,
): NewAuditLine =>
  auditedBy(actor, {
    action,
    subject: `task ${id}`,
    // The lines of what it clears name it, too.
    details: { ...clearDetails(clear), names: names.slice(0, TASK_NAMES_MAX), task: id, ...rest },
  });

/** Writes it. */
export const auditTask = (
  executor: Executor,
  actor: Actor,
  action: TaskAction,
  id: string,
  task: AuditedTask,
): Promise<void> => insertAudit(executor, taskAudit(actor, action, id, task));
