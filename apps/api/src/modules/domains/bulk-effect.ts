import type { BulkAction, BulkEffect } from '@cordon/contract';
import type { Selected } from './list-repository.ts';

/** What is done, and where to or of which subscription only. */
export interface BulkTask {
  readonly action: BulkAction;
  readonly subscriptionId: string | undefined;
  readonly groupId: string | undefined;
}

/** Whether it is as asked already. */
function isDone({ action, groupId }: BulkTask, domain: Selected): boolean {
  const isLive = domain.status === 'running';
  if (action === 'deploy') return isLive && domain.pending_changes === 0 && !domain.has_failed;
  // What has never been live has nothing to resume.
  if (action === 'resume') return isLive || domain.version_live === null;
  if (action === 'deactivate') return !isLive;
  // What has never been live has nothing stored.
  if (action === 'clear_cache') return domain.version_live === null;
  return action === 'move_group' && domain.group_id === groupId;
}

/** What a bulk action does to a domain as it is now; undefined: there is no such domain. */
export function effectOf(task: BulkTask, domain: Selected | undefined): BulkEffect {
  const { action, subscriptionId } = task;
  if (domain === undefined) return 'not_found';
  if (subscriptionId !== undefined && domain.subscription_id !== subscriptionId) return 'other_subscription';
  if (action !== 'move_group' && domain.status === 'deleting') return 'deleting';
  if (isDone(task, domain)) return 'nothing';
  if (action === 'clear_cache' && domain.is_free) return 'needs_plan';
  return domain.is_suspended && action !== 'move_group' && action !== 'delete' ? 'suspended' : action;
}
