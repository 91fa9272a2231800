import type { RouteSummary } from '@cordon/contract';

type Subject = Pick<RouteSummary, 'status' | 'last_deployed' | 'operation' | 'pending_changes' | 'suspension'>;

export const isOperationRunning = (subject: Pick<RouteSummary, 'operation'>): boolean =>
  subject.operation?.state === 'running';

/** Whether its draft can be saved now: no operation runs, and the domain is not gone. */
export const canSave = (subject: Pick<RouteSummary, 'operation' | 'status'>): boolean =>
  !isOperationRunning(subject) && subject.status !== 'deleted';

/** Whether visitors who come here get what its owner has deployed. */
export const isServed = (subject: Pick<RouteSummary, 'status' | 'suspension'>): boolean =>
  subject.status === 'running' && subject.suspension === null;

/** Whether what takes effect at once can be done to it: its cache cleared, HTTPS forced. */
export const isOpenAtOnce = (subject: Pick<RouteSummary, 'status' | 'suspension'>): boolean =>
  subject.suspension === null && subject.status !== 'deleting' && subject.status !== 'deleted';

export interface DomainActions {
  readonly deploy: boolean;
  /** Give up the draft for what is live. */
  readonly discard: boolean;
  readonly resume: boolean;
  readonly deactivate: boolean;
  readonly delete: boolean;
}

/** Which actions make sense now; while an operation runs, none does, and of a suspended domain only the draft is changed, or it is deleted. */
export function domainActions(subject: Subject): DomainActions {
  const isFree = !isOperationRunning(subject) && subject.status !== 'deleting' && subject.status !== 'deleted';
  const isChangeable = isFree && subject.suspension === null;
  const isNew = subject.last_deployed === null;
  const hasFailed = subject.operation?.state === 'failed' && subject.status === 'running';
  return {
    deploy: isChangeable && (isNew || hasFailed || subject.pending_changes > 0),
    discard: isFree && !isNew && subject.pending_changes > 0 && subject.suspension?.scope !== 'account',
    resume: isChangeable && subject.status === 'deactivated' && !isNew,
    deactivate: isChangeable && subject.status === 'running',
    delete: isFree,
  };
}
