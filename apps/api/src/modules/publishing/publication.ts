import {
  type DomainAction,
  type EdgeRoute,
  type ImmediateAction,
  type ImmediateOperation,
  immediateAction,
  type Pause,
  type RouteConfig,
  type RunningOperation,
} from '@cordon/contract';
import type { Executor } from '../../platform/database.ts';
import { type NewEvent, publishEvent } from '../../platform/events.ts';
import { addJob } from '../../platform/queue.ts';
import type { AccountService } from '../accounts/service.ts';
import { type NameOfRoute, namesOfRoute, verifyShadow } from '../names/repository.ts';
import { findLock } from '../origins/lock-repository.ts';
import * as repository from '../routes/repository.ts';
import { type EdgeRouteSource, toEdgeRoute } from './edge-payload.ts';

/** When an operation that still runs is looked at again, in seconds after its start. The last look decides. */
export const OPERATION_LOOKS_SECONDS = [5, 17, 35, 60] as const;

export const IMMEDIATE: readonly string[] = immediateAction.options;

const toOperation = <Action>(row: repository.OperationRow) => ({
  id: row.id,
  action: row.action as Action,
  state: row.state,
  started_at: row.started_at,
  finished_at: row.finished_at,
  error: row.error,
});
export const toRunningOperation = (row: repository.OperationRow): RunningOperation => toOperation<DomainAction>(row);
export const toImmediateOperation = (row: repository.OperationRow): ImmediateOperation =>
  toOperation<ImmediateAction>(row);

export const isImmediate = (action: string): action is ImmediateAction => IMMEDIATE.includes(action);
/** What ends everything else that runs, because the route leaves the edge. */
export const isRemoval = (action: string): boolean => action === 'delete' || action === 'deactivate';

/** The pause that lasts; one that is over counts as ended whether or not its job has come. */
export function pauseOf(route: repository.RouteRow, now = Date.now()): Pause | null {
  if (route.paused_at === null || (route.paused_until !== null && Date.parse(route.paused_until) <= now)) return null;
  return { since: route.paused_at, until: route.paused_until, by: route.paused_by ?? '' };
}

/** Progress of aliases has a slot of its own (spec section 3). */
export const slotOf = (action: string): 'domain' | 'shadow' => (action.endsWith('_shadow') ? 'shadow' : 'domain');

/** What open consoles are told of a route. */
export const eventOf = (
  route: repository.RouteRow,
  operation: repository.OperationRow | undefined,
  immediate: repository.OperationRow | undefined,
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

/** What a payload is made of besides the route. */
export interface PayloadParts {
  readonly brand: string;
  readonly tier: 'free' | 'vip';
  readonly names: readonly NameOfRoute[];
  readonly originKeySeed: EdgeRouteSource['originKeySeed'];
}

/** A configuration of a route as the nodes get it. */
const toPayload = (
  route: repository.RouteRow,
  { names, ...parts }: PayloadParts,
  what: { config: RouteConfig; version: number; isPaused: boolean },
): EdgeRoute =>
  toEdgeRoute({
    id: route.id,
    account_id: route.account_id,
    czone: route.czone,
    names: names.map(({ name, ownership_state }) => ({ name, isVerified: ownership_state === 'verified' })),
    ...parts,
    ...what,
  });

/** What the nodes must serve of a route; null when nothing. */
export function servedPayload(
  route: repository.RouteRow,
  account: { suspended_at: string | null } | undefined,
  parts: PayloadParts,
): EdgeRoute | null {
  const isServed = route.status === 'running' && route.suspended_at === null && account?.suspended_at === null;
  if (!isServed || route.version_live === null || route.live === null || parts.names.length === 0) return null;
  const what = { config: route.live, version: route.version_live, isPaused: pauseOf(route) !== null };
  return toPayload(route, parts, what);
}

export interface Publication {
  /** Takes a name of a route as proved, the main one unless given: the edge serves it, without a new version. */
  markVerified(
    executor: Executor,
    route: repository.RouteRow,
    method: repository.RouteRow['ownership_method'],
    alias?: string,
  ): Promise<void>;
  /** A configuration of the route as nodes would get it, whether or not it is live. */
  payloadOf(
    executor: Executor,
    route: repository.RouteRow,
    brand: string,
    part: { readonly config: RouteConfig; readonly version: number; readonly isPaused: boolean },
  ): Promise<EdgeRoute>;
  /** Writes what the nodes must serve now; nothing for routes that are not live or are suspended. Answers the revision. */
  republish(executor: Executor, routeId: string): Promise<number>;
  /** Starts an operation that ends when the nodes have reported the revision; tells open consoles. Call it last. */
  beginOperation(
    executor: Executor,
    route: repository.RouteRow,
    action: DomainAction,
    version: number | null,
    revision: number,
  ): Promise<repository.OperationRow>;
  /**
   * Writes what the nodes must serve after a change that makes no version, and starts an operation that ends when they
   * have reported it. Deploys that still run go on. Call it last.
   */
  changeAtOnce(executor: Executor, route: repository.RouteRow, action: ImmediateAction): Promise<void>;
  /** Tells open consoles what a route is now. Call it last in the transaction. */
  announce(executor: Executor, routeId: string, slot?: 'domain' | 'shadow'): Promise<void>;
}

export function createPublication(accounts: AccountService): Publication {
  async function announce(executor: Executor, routeId: string, slot: 'domain' | 'shadow' = 'domain'): Promise<void> {
    const route = await repository.findAnyRoute(executor, routeId);
    if (!route) return;
    const operation =
      route.operation_id === null ? undefined : await repository.findOperation(executor, route.operation_id);
    const immediate =
      route.immediate_operation_id === null
        ? undefined
        : await repository.findOperation(executor, route.immediate_operation_id);
    await publishEvent(executor, route.account_id, eventOf(route, operation, immediate, slot));
  }

  const lookLater = (executor: Executor, operationId: string) =>
    addJob(
      executor,
      'look-at-operation',
      { operation_id: operationId, look: 0 },
      { runAt: new Date(Date.now() + OPERATION_LOOKS_SECONDS[0] * 1000) },
    );

  const publication: Publication = {
    announce,
    async markVerified(executor, route, method, alias) {
      const verified = { ownership_state: 'verified', ownership_method: method } as const;
      if (alias === undefined) await repository.updateRoute(executor, route.id, verified, { checked: true });
      else await verifyShadow(executor, route.id, alias, method);
      if (route.status === 'running') await publication.republish(executor, route.id);
      await announce(executor, route.id, alias === undefined ? 'domain' : 'shadow');
    },
    async payloadOf(executor, route, brand, what) {
      const subscription = await accounts.getSubscription(route.account_id, { id: route.subscription_id }, executor);
      const names = await namesOfRoute(executor, route.id);
      const seed = (await findLock(executor, route.account_id, route.id))?.seed;
      return toPayload(route, { brand, tier: subscription.tier, names, originKeySeed: seed }, what);
    },
    async republish(executor, routeId) {
      const route = await repository.findAnyRoute(executor, routeId);
      if (!route) throw new Error(`route ${routeId} is gone`);
      // Held: what commits after a suspension has told the edge would bring the route back.
      const account = await accounts.holdAccount(route.account_id, executor);
      const subscription = await accounts.getSubscription(route.account_id, { id: route.subscription_id }, executor);
      const names = await namesOfRoute(executor, routeId);
      const originKeySeed = (await findLock(executor, route.account_id, route.id))?.seed;
      const parts = { brand: account?.brand ?? '', tier: subscription.tier, names, originKeySeed };
      return repository.putEdgeRoute(executor, route, servedPayload(route, account, parts));
    },
    async beginOperation(executor, route, action, version, revision) {
      await repository.supersedeOperations(executor, route.id, isRemoval(action) ? {} : { except: IMMEDIATE });
      const operation = await repository.insertOperation(executor, {
        accountId: route.account_id,
        routeId: route.id,
        action,
        version,
        revision,
      });
      await repository.updateRoute(executor, route.id, { operation_id: operation.id });
      await lookLater(executor, operation.id);
      await announce(executor, route.id);
      return operation;
    },
    async changeAtOnce(executor, route, action) {
      await repository.supersedeOperations(executor, route.id, { only: IMMEDIATE });
      const isLive = route.status === 'running';
      const revision = isLive ? await publication.republish(executor, route.id) : null;
      const hasToArrive = isLive && (await repository.isServed(executor, route.id));
      const operation = await repository.insertOperation(executor, {
        accountId: route.account_id,
        routeId: route.id,
        action,
        version: route.version_live,
        revision,
        state: hasToArrive ? 'running' : 'successful',
      });
      await repository.updateRoute(executor, route.id, { immediate_operation_id: operation.id });
      if (hasToArrive) await lookLater(executor, operation.id);
      await announce(executor, route.id, slotOf(action));
    },
  };
  return publication;
}
