import type { RouteSummary } from '@cordon/contract';

type Subject = Pick<RouteSummary, 'status' | 'last_deployed' | 'ownership_state' | 'operation' | 'pending_changes'>;

/** What the status badge says; `running_<action>` while an operation runs. */
export interface DomainBadge {
  readonly message:
    | 'not_deployed'
    | 'running'
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

/** The one thing to say first about a domain: what runs now, else its status. */
export function domainBadge(subject: Subject): DomainBadge {
  if (isOperationRunning(subject)) return { message: 'operation_running', tone: 'primary', isBusy: true };
  if (subject.status === 'deleting') return { message: 'deleting', tone: 'warning', isBusy: true };
  if (subject.operation?.state === 'failed') return { message: 'operation_failed', tone: 'danger', isBusy: false };
  if (subject.status === 'running') return { message: 'running', tone: 'success', isBusy: false };
  if (subject.status === 'deactivated' && subject.last_deployed === null)
    return { message: 'not_deployed', tone: 'neutral', isBusy: false };
  return { message: subject.status, tone: 'neutral', isBusy: false };
}

/** Live, but its name is not proved to point here yet. */
export const isWaitingForDns = (subject: Subject): boolean =>
  subject.status === 'running' && subject.ownership_state === 'pending';

export interface DomainActions {
  readonly deploy: boolean;
  readonly resume: boolean;
  readonly deactivate: boolean;
  readonly delete: boolean;
}

/** Which actions make sense now; while an operation runs, none does. */
export function domainActions(subject: Subject): DomainActions {
  const isFree = !isOperationRunning(subject) && subject.status !== 'deleting' && subject.status !== 'deleted';
  const isNew = subject.last_deployed === null;
  const hasFailed = subject.operation?.state === 'failed' && subject.status === 'running';
  return {
    deploy: isFree && (isNew || hasFailed || subject.pending_changes > 0),
    resume: isFree && subject.status === 'deactivated' && !isNew,
    deactivate: isFree && subject.status === 'running',
    delete: isFree,
  };
}

/** What the customer should do next, most urgent first. */
export type NextStep =
  | 'wait'
  | 'retry'
  | 'end_pause'
  | 'deploy_first'
  | 'resume'
  | 'point'
  | 'deploy_changes'
  | 'nothing';

export function nextSteps(subject: Subject & Partial<Pick<RouteSummary, 'is_paused'>>): NextStep[] {
  if (isOperationRunning(subject) || subject.status === 'deleting') return ['wait'];
  const steps: NextStep[] = [];
  if (subject.operation?.state === 'failed') steps.push('retry');
  if (subject.is_paused) steps.push('end_pause');
  if (subject.last_deployed === null) steps.push('deploy_first');
  else if (subject.status === 'deactivated') steps.push('resume');
  if (subject.ownership_state === 'pending') steps.push('point');
  if (subject.last_deployed !== null && subject.pending_changes > 0) steps.push('deploy_changes');
  return steps.length > 0 ? steps : ['nothing'];
}
