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
  /** The domain, where it is one and its id is known: the line is about it then, and leads to it. */
  readonly routeId?: string | undefined;
  readonly at: string;
  /** Of the domains, once it has ended. */
  readonly failed?: number;
  /** Why domains left it, by which it may have been cancelled. */
  readonly cause?: LeaveCause;
}

export const auditedTaskOf = ({ params, names, route_ids: ids, run_at: at }: TaskRow): AuditedTask => ({
  clear: clearOf(params),
  domains: names.length,
  names,
  routeId: ids.length === 1 ? ids[0] : undefined,
  at,
});

type TaskAction = 'task.schedule' | 'task.run' | 'task.end' | 'task.leave' | 'task.cancel';

/** The line of the audit log of a scheduled task. */
export const taskAudit = (
  actor: Actor,
  action: TaskAction,
  id: string,
  { clear, names, routeId, ...rest }: AuditedTask,
): NewAuditLine =>
  auditedBy(actor, {
    action,
    subject: routeId === undefined ? `task ${id}` : `route ${routeId}`,
    // The lines of what it clears name it, too.
    details: {
      ...(routeId !== undefined && { domain_name: names[0] }),
      ...clearDetails(clear),
      names: names.slice(0, TASK_NAMES_MAX),
      task: id,
      ...rest,
    },
  });

/** Writes it. */
export const auditTask = (
  executor: Executor,
  actor: Actor,
  action: TaskAction,
  id: string,
  task: AuditedTask,
): Promise<void> => insertAudit(executor, taskAudit(actor, action, id, task));
