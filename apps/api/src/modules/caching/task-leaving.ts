import type { Executor } from '../../platform/database.ts';
import type { LeaveTasks } from '../publishing/service.ts';
import { auditedTaskOf, auditTask } from './task-audit.ts';
import * as repository from './task-repository.ts';

/**
 * Takes domains that go out of the account's tasks that wait for their time; a task that has no other domain is
 * cancelled, which the audit log says, with the cause. In the caller's transaction.
 */
export const leaveTasks: LeaveTasks = async (executor, actor, routeIds, cause) => {
  // One that is not committed yet has read these domains before they were taken.
  await repository.shareTasks(executor, actor.accountId);
  const ids = await repository.lockTasksOf(executor, actor.accountId, routeIds);
  if (ids.length === 0) return;
  for (const row of await repository.takeTasksOfNone(executor, ids, routeIds))
    await auditTask(executor, actor, 'task.cancel', row.id, { ...auditedTaskOf(row), cause });
  await repository.takeOutOfTasks(executor, ids, routeIds);
};

/** What `leaveTasks` would make of the account's tasks: how many it would cancel, and how many would go on without these domains. */
export type CountLeavable = (
  executor: Executor,
  accountId: string,
  routeIds: readonly string[],
) => Promise<{ readonly cancelled: number; readonly left: number }>;

export const countLeavable: CountLeavable = (executor, accountId, routeIds) =>
  repository.countTasksOf(executor, accountId, routeIds);
