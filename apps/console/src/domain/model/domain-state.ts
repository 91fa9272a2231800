import type { RouteSummary } from '@cordon/contract';

type Subject = Pick<
  RouteSummary,
  'status' | 'last_deployed' | 'ownership_state' | 'operation' | 'pending_changes' | 'suspension'
>;

/** What the status badge says; `running_<action>` while an operation runs. */
export interface DomainBadge {
  readonly message:
    | 'not_deployed'
    | 'running'
    | 'suspended'
    | 'deactivated'
    | 'deleting'
    | 'deleted'
    | 'operation_running'
    | 'operation_failed';
  readonly tone: 'success' | 'neutral' | 'primary' | 'warning' | 'danger';
  readonly isBusy: boolean;
}

export const isOperationRunning = (subject: Pick<RouteSummary, 'operation'>): boolean =>
  subject.operation?.state === 'running';

/** The one thing to say first about a domain: that it is suspended, what runs now, else its status. */
export function domainBadge(subject: Subject): DomainBadge {
  // Whatever else runs ends in nothing that visitors see.
  const isShown = subject.suspension === null || subject.operation?.action === 'delete';
  if (isShown && isOperationRunning(subject)) return { message: 'operation_running', tone: 'primary', isBusy: true };
  if (subject.status === 'deleting') return { message: 'deleting', tone: 'warning', isBusy: true };
  if (subject.suspension !== null) return { message: 'suspended', tone: 'danger', isBusy: false };
  if (subject.operation?.state === 'failed') return { message: 'operation_failed', tone: 'danger', isBusy: false };
  if (subject.status === 'running') return { message: 'running', tone: 'success', isBusy: false };
  if (subject.status === 'deactivated' && subject.last_deployed === null)
    return { message: 'not_deployed', tone: 'neutral', isBusy: false };
  return { message: subject.status, tone: 'neutral', isBusy: false };
}

/** Whether visitors who come here get what its owner has deployed. */
export const isServed = (subject: Pick<RouteSummary, 'status' | 'suspension'>): boolean =>
  subject.status === 'running' && subject.suspension === null;

/** Live, but its name is not proved to point here yet. */
export const isWaitingForDns = (subject: Subject): boolean =>
  isServed(subject) && subject.ownership_state === 'pending';

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
