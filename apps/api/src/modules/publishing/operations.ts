import {
  type DomainAction,
  type ImmediateAction,
  type ImmediateOperation,
  immediateAction,
  type Pause,
  type RunningOperation,
} from '@cordon/contract';
import type { NewEvent } from '../../platform/events.ts';
import type { RouteRow, RouteState } from '../routes/service.ts';
import type { OperationRow } from './operation-repository.ts';

/** When an operation that still runs is looked at again, in seconds after its start. The last look decides. */
export const OPERATION_LOOKS_SECONDS = [5, 17, 35, 60] as const;
export const firstLook = (): Date => new Date(Date.now() + OPERATION_LOOKS_SECONDS[0] * 1000);

export const IMMEDIATE: readonly string[] = immediateAction.options;

const toOperation = <Action>(row: OperationRow) => ({
  id: row.id,
  action: row.action as Action,
  state: row.state,
  started_at: row.started_at,
  finished_at: row.finished_at,
  error: row.error,
});
export const toRunningOperation = (row: OperationRow): RunningOperation => toOperation<DomainAction>(row);
export const toImmediateOperation = (row: OperationRow): ImmediateOperation => toOperation<ImmediateAction>(row);

export const isImmediate = (action: string): action is ImmediateAction => IMMEDIATE.includes(action);
/** What ends everything else that runs, because the route leaves the edge. */
export const isRemoval = (action: string): boolean => action === 'delete' || action === 'deactivate';

/** The pause that lasts; one that is over counts as ended whether or not its job has come. */
export function pauseOf(
  route: Pick<RouteRow, 'paused_at' | 'paused_until'> & { readonly paused_by?: string | null },
  now = Date.now(),
): Pause | null {
  if (route.paused_at === null || (route.paused_until !== null && Date.parse(route.paused_until) <= now)) return null;
  return { since: route.paused_at, until: route.paused_until, by: route.paused_by ?? '' };
}

/** Progress of shadow domains has a slot of its own (spec section 3). */
export const slotOf = (action: string): 'domain' | 'shadow' => (action.endsWith('_shadow') ? 'shadow' : 'domain');

/** What is announced of a route to open consoles. */
export const eventOf = (
  route: RouteState,
  operation: OperationRow | undefined,
  immediate: OperationRow | undefined,
  slot: 'domain' | 'shadow' = 'domain',
): NewEvent => ({
  slot,
  id: route.id,
  status: route.status,
  domain_name: route.domain_name,
  operation: operation ? toRunningOperation(operation) : null,
  immediate_operation: immediate ? toImmediateOperation(immediate) : null,
  ownership_state: route.ownership_state,
});
