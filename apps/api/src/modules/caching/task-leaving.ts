import { insertAudits } from '../../platform/audit.ts';
import type { Executor } from '../../platform/database.ts';
import type { LeaveTasks } from '../publishing/service.ts';
import { clearOf } from './clear-values.ts';
import { auditedTaskOf, taskAudit } from './task-audit.ts';
import * as repository from './task-repository.ts';

/**
 * Takes domains that go out of the account's tasks that wait for their time; a task that has no other domain is
 * cancelled. Of each the audit log has a line, with the cause. In the caller's transaction.
 */
export const leaveTasks: LeaveTasks = async (executor, actor, routeIds, cause) => {
  // One that is not committed yet has read these domains before they were taken.
  await repository.shareTasks(executor, actor.accountId);
  const ids = await repository.lockTasksOf(executor, actor.accountId, routeIds);
  if (ids.length === 0) return;
  const cancelled = await repository.takeTasksOfNone(executor, ids, routeIds);
  const left = await repository.takeOutOfTasks(executor, ids, routeIds);
  await insertAudits(executor, [
    ...cancelled.map((row) =>
      taskAudit(actor, 'task.cancel', row.id, { ...auditedTaskOf(row), routeId: undefined, cause }),
    ),
    ...left.map(({ id, params, domains, names, run_at: at }) =>
      taskAudit(actor, 'task.leave', id, { clear: clearOf(params), domains, names, at, cause }),
    ),
  ]);
};

/** What `leaveTasks` would make of the account's tasks: how many it would cancel, and how many would go on without these domains. */
export type CountLeavable = (
  executor: Executor,
  accountId: string,
  routeIds: readonly string[],
) => Promise<{ readonly cancelled: number; readonly left: number }>;

export const countLeavable: CountLeavable = (executor, accountId, routeIds) =>
  repository.countTasksOf(executor, accountId, routeIds);
