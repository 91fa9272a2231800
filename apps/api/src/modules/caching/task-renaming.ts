import type { RenameInTasks } from '../names/service.ts';
import * as repository from './task-repository.ts';

/** Has tasks of the account that wait for their time name a domain by its new main name. In the caller's transaction. */
export const renameInTasks: RenameInTasks = async (executor, accountId, routeId, name) => {
  // One that is not committed yet has read the former name.
  await repository.shareTasks(executor, accountId);
  const ids = await repository.lockTasksOf(executor, accountId, [routeId]);
  if (ids.length > 0) await repository.renameInTasks(executor, ids, routeId, name);
};
