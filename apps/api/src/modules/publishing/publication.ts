import type { DomainAction, EdgeRoute, ImmediateAction, PlanTier, RouteConfig } from '@cordon/contract';
import type { Executor } from '../../platform/database.ts';
import { publishEvents } from '../../platform/events.ts';
import { groupBy } from '../../platform/group-by.ts';
import { addJob } from '../../platform/queue.ts';
import type { AccountService } from '../accounts/service.ts';
import { hasSecrets, type PluginSecrets } from '../plugin-secrets/service.ts';
import * as routes from '../routes/service.ts';
import type { SubscriptionService } from '../subscriptions/service.ts';
import { type EdgeRouteSource, toEdgeRoute } from './edge-payload.ts';
import { findOperations, insertOperations, type OperationRow, supersedeOperations } from './operation-repository.ts';
import { eventOf, firstLook, IMMEDIATE, isRemoval, pauseOf, slotOf } from './operations.ts';
import { needsResolved } from './plugin-resolution.ts';
import { findResolved } from './plugin-resolution-repository.ts';
import * as repository from './repository.ts';

/** Publishes a route again, with its secrets. */
export const REPUBLISH_JOB = 'republish-route';

/** What a payload is made of besides the route. */
interface PayloadParts {
  readonly brand: string;
  readonly tier: PlanTier;
  readonly names: readonly routes.NameOfRoute[];
  readonly originKeySeed: EdgeRouteSource['originKeySeed'];
  readonly resolved?: EdgeRouteSource['resolved'];
  readonly secrets?: EdgeRouteSource['secrets'];
}

/** A configuration of a route as the nodes get it. */
const toPayload = (
  route: routes.RouteRow,
  { names, ...parts }: PayloadParts,
  what: { config: RouteConfig; version: number; isPaused: boolean },
): EdgeRoute =>
  toEdgeRoute({
    id: route.id,
    account_id: route.account_id,
    czone: route.czone,
    names: names.map(({ name, ownership_state }) => ({ name, isVerified: ownership_state === 'verified' })),
    https: { force: route.force_https, hsts: route.hsts },
    ...parts,
    ...what,
  });

/** What the nodes must know of a route; null when nothing. Visitors of one that was live and is off are told so. */
function servedPayload(
  route: routes.RouteRow,
  account: { suspended_at: string | null } | undefined,
  parts: PayloadParts,
): EdgeRoute | null {
  if (route.status !== 'running' && route.status !== 'deactivated') return null;
  if (route.version_live === null || route.live === null || parts.names.length === 0) return null;
  const what = { config: route.live, version: route.version_live, isPaused: pauseOf(route) !== null };
  const payload = toPayload(route, parts, what);
  const off = account?.suspended_at === null ? routes.offOf(route) : 'suspended';
  return off === undefined ? payload : { ...payload, off, upstream: null, plugins: [] };
}

/** What is announced: a route, and on which slot of the websocket. */
export interface Announcement {
  readonly routeId: string;
  readonly slot?: 'domain' | 'shadow';
}

/** Brings routes to the nodes and announces them to open consoles. Everything happens in the caller's transaction. */
export interface Publication {
  /** A configuration of the route as handlers of nodes would get it, with its secrets in clear, whether or not it is live. */
  payloadOf(
    executor: Executor,
    route: routes.RouteRow,
    brand: string,
    part: { readonly config: RouteConfig; readonly version: number; readonly isPaused: boolean },
  ): Promise<EdgeRoute>;
  /** Writes what the nodes must know now; of routes that were never live, nothing. Answers the revision, or 0. */
  republish(executor: Executor, routeId: string): Promise<number>;
  /**
   * Brings routes of one account, as their locked rows now are, to the nodes, and starts an operation of each that ends
   * when the nodes have reported it. Answers the operations by route. Call it last.
   */
  publish(
    executor: Executor,
    published: readonly routes.RouteRow[],
    action: DomainAction,
  ): Promise<ReadonlyMap<string, OperationRow>>;
  /**
   * Writes what the nodes must serve after a change that makes no version, and starts an operation that ends when they
   * have reported it. Deploys that still run go on. Call it last.
   */
  changeAtOnce(executor: Executor, route: routes.RouteRow, action: ImmediateAction): Promise<void>;
  /** Announces to open consoles what routes of one account are now. Call it last in the transaction. */
  announce(executor: Executor, announced: readonly Announcement[]): Promise<void>;
}

export interface PublicationParts {
  readonly accounts: AccountService;
  readonly subscriptions: SubscriptionService;
  /** Undefined in a process without the key (the operator's commands): what it publishes with secrets is published again by a job. */
  readonly secrets?: Pick<PluginSecrets, 'open' | 'sealFor'>;
  /** Seeds of the origin locks of an account's routes, by route. */
  readonly findOriginSeeds: (
    executor: Executor,
    accountId: string,
    routeIds: readonly string[],
  ) => Promise<ReadonlyMap<string, string>>;
}

export function createPublication({
  accounts,
  subscriptions,
  secrets,
  findOriginSeeds,
}: PublicationParts): Publication {
  async function announce(executor: Executor, announced: readonly Announcement[]): Promise<void> {
    if (announced.length === 0) return;
    const rows = await routes.findRouteStates(
      executor,
      announced.map(({ routeId }) => routeId),
    );
    const byId = new Map(rows.map((route) => [route.id, route]));
    const ids = rows.flatMap((route) => [route.operation_id, route.immediate_operation_id].filter((id) => id !== null));
    const operations = new Map((await findOperations(executor, ids)).map((row) => [row.id, row]));
    const events = announced.flatMap(({ routeId, slot }) => {
      const route = byId.get(routeId);
      if (!route) return [];
      const operation = operations.get(route.operation_id ?? '');
      return [eventOf(route, operation, operations.get(route.immediate_operation_id ?? ''), slot)];
    });
    await publishEvents(executor, rows[0]?.account_id ?? '', events);
  }

  /** Secrets of routes of one account by czone and handle, as nodes get them. */
  async function sealSecrets(
    executor: Executor,
    accountId: string,
    rows: readonly routes.RouteRow[],
  ): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
    const sealed = new Map<string, ReadonlyMap<string, string>>();
    const having = rows.filter(({ live }) => live !== null && hasSecrets(live.plugins));
    for (const [czone, some] of groupBy(having, (route) => route.czone)) {
      if (secrets) {
        const plugins = some.flatMap(({ live }) => live?.plugins ?? []);
        sealed.set(czone, await secrets.sealFor(executor, accountId, czone, plugins));
      } else for (const { id } of some) await addJob(executor, REPUBLISH_JOB, { route_id: id });
    }
    return sealed;
  }

  /** Puts what nodes must serve of routes of one account before them; answers the revisions by route. */
  async function put(
    executor: Executor,
    accountId: string,
    rows: readonly routes.RouteRow[],
  ): Promise<ReadonlyMap<string, number>> {
    const ids = rows.map((route) => route.id);
    // Held: what commits after a suspension has reached the edge would bring the routes back.
    const account = await accounts.holdAccount(accountId, executor);
    const tiers = new Map<string, PlanTier>();
    for (const id of new Set(rows.map((route) => route.subscription_id)))
      tiers.set(id, (await subscriptions.get(accountId, { id }, executor)).tier);
    const names = groupBy(await routes.namesOfRoutes(executor, ids), (name) => name.route_id);
    const seeds = await findOriginSeeds(executor, accountId, ids);
    const resolving = rows.filter((route) => needsResolved(route.live)).map((route) => route.id);
    const resolved = resolving.length === 0 ? new Map() : await findResolved(executor, resolving);
    const sealed = await sealSecrets(executor, accountId, rows);
    return repository.putEdgeRoutes(
      executor,
      rows.map((route) => ({
        route,
        payload: servedPayload(route, account, {
          brand: account?.brand ?? '',
          tier: tiers.get(route.subscription_id) ?? 'free',
          names: names.get(route.id) ?? [],
          originKeySeed: seeds.get(route.id),
          resolved: resolved.get(route.id),
          secrets: sealed.get(route.czone),
        }),
      })),
    );
  }

  async function republish(executor: Executor, routeId: string): Promise<number> {
    const route = await routes.findAnyRoute(executor, routeId);
    if (!route) throw new Error(`route ${routeId} is gone`);
    // Nodes have never heard of it, or have been told that it is gone.
    if (route.version_live === null || (route.status !== 'running' && route.status !== 'deactivated')) return 0;
    return (await put(executor, route.account_id, [route])).get(routeId) ?? 0;
  }

  return {
    announce,
    republish,
    async payloadOf(executor, route, brand, what) {
      const subscription = await subscriptions.get(route.account_id, { id: route.subscription_id }, executor);
      const names = await routes.namesOfRoute(executor, route.id);
      const seed = (await findOriginSeeds(executor, route.account_id, [route.id])).get(route.id);
      const { plugins: stored } = what.config;
      const plugins = secrets ? await secrets.open(executor, route.account_id, stored) : stored;
      const parts = { brand, tier: subscription.tier, names, originKeySeed: seed };
      return toPayload(route, parts, { ...what, config: { ...what.config, plugins } });
    },
    async publish(executor, published, action) {
      const first = published[0];
      if (!first) return new Map();
      const ids = published.map((route) => route.id);
      const revisions = await put(executor, first.account_id, published);
      await supersedeOperations(executor, ids, isRemoval(action) ? {} : { except: IMMEDIATE });
      const operations = await insertOperations(
        executor,
        'operation_id',
        published.map((route) => ({
          route,
          action,
          version: isRemoval(action) ? null : route.version_live,
          revision: revisions.get(route.id) ?? 0,
          state: 'running',
        })),
        firstLook(),
      );
      await announce(
        executor,
        ids.map((routeId) => ({ routeId })),
      );
      return new Map(operations.map((operation) => [operation.route_id, operation]));
    },
    async changeAtOnce(executor, route, action) {
      await supersedeOperations(executor, [route.id], { only: IMMEDIATE });
      const isLive = route.status === 'running';
      // Also of one that is deactivated: a name that leaves it may belong to another domain next.
      const revision = await republish(executor, route.id);
      const hasToArrive = isLive && (await repository.isServed(executor, route.id));
      const state = hasToArrive ? 'running' : 'successful';
      const operation = {
        route,
        action,
        version: route.version_live,
        revision: isLive ? revision : null,
        state,
      } as const;
      await insertOperations(executor, 'immediate_operation_id', [operation], firstLook());
      await announce(executor, [{ routeId: route.id, slot: slotOf(action) }]);
    },
  };
}
