import type { Receipt } from '@cordon/contract';
import { insertAudit } from '../../platform/audit.ts';
import type { Db, Executor } from '../../platform/database.ts';
import { AppError, fieldErrors, notFound } from '../../platform/errors.ts';
import { addJob } from '../../platform/queue.ts';
import type { AccountService } from '../accounts/service.ts';
import { OPERATION_LOOKS_SECONDS, type Publication } from './publication.ts';
import * as repository from './repository.ts';

/** A node that was silent for longer is offline: operations do not wait for it, it catches up later. */
export const NODE_LIVENESS_SECONDS = 15;

/** Who does it, for versions and the audit log. */
export interface Actor {
  readonly accountId: string;
  readonly kind: 'user' | 'token' | 'operator' | 'system';
  readonly label: string;
}

/** One line of a node's report (contract, `postEdgeReceipts`). */
export interface NodeReceipt {
  readonly route_id: string;
  readonly revision: number;
  readonly version: number | null;
  readonly probe: { readonly ok: boolean; readonly status: number; readonly version: number | null } | null;
}

export interface DeployService {
  /** Makes the locked route's draft version N and brings it to the nodes, inside the caller's transaction. */
  deployIn(executor: Executor, route: repository.RouteRow, actor: Actor, note: string): Promise<void>;
  deploy(
    actor: Actor,
    routeId: string,
    revision: number,
    note: string,
    requireRevision: (route: repository.RouteRow, revision: number) => Promise<void>,
  ): Promise<void>;
  /** Throws DOMAIN_STATE_FORBIDS unless running. */
  deactivate(actor: Actor, routeId: string): Promise<void>;
  /** Throws DOMAIN_NOT_DEPLOYED without a version, DOMAIN_STATE_FORBIDS unless deactivated. */
  resume(actor: Actor, routeId: string): Promise<void>;
  /** Throws SUBSCRIPTION_NOT_FOUND unless `cname` is the route's subscription, NAME_CONFIRMATION_MISMATCH at `confirm`. */
  remove(actor: Actor, routeId: string, check: { cname: string; confirm: string | undefined }): Promise<void>;
  /** Takes a route off the edge and frees its names at once, because its name was proved to be somebody else's. */
  evictIn(executor: Executor, routeId: string, name: string): Promise<void>;
  /** The newest operation with what each node reported; null before the first. */
  getReceipt(accountId: string, routeId: string): Promise<Receipt | null>;
  /** Reports of a node; those about other czones' routes and older revisions are left out. */
  recordReceipts(node: { node_id: string; czones: readonly string[] }, receipts: readonly NodeReceipt[]): Promise<void>;
  /** Job: whether an operation has ended by now. */
  lookAtOperation(operationId: string, look: number): Promise<void>;
}

const isRemoval = (action: string) => action === 'delete' || action === 'deactivate';

export function createDeployService(db: Db, accounts: AccountService, publication: Publication): DeployService {
  async function lock(executor: Executor, accountId: string, routeId: string): Promise<repository.RouteRow> {
    const route = await repository.lockRoute(executor, accountId, routeId);
    if (!route) throw notFound();
    return route;
  }

  function requireChangeable(route: repository.RouteRow): void {
    if (route.status === 'deleting')
      throw new AppError('DOMAIN_STATE_FORBIDS', { params: { DOMAIN_STATE_FORBIDS: { status: route.status } } });
    if (route.suspended_at !== null)
      throw new AppError('DOMAIN_STATE_FORBIDS', {
        message: 'The domain is suspended.',
        params: { DOMAIN_STATE_FORBIDS: { status: 'suspended' } },
      });
  }

  const audit = (
    executor: Executor,
    actor: Actor,
    action: string,
    route: { id: string; domain_name: string },
    details: object = {},
  ) =>
    insertAudit(executor, {
      accountId: actor.accountId,
      actorKind: actor.kind,
      actor: actor.label,
      action,
      subject: `route ${route.id}`,
      details: { domain_name: route.domain_name, ...details },
    });

  async function deployIn(executor: Executor, route: repository.RouteRow, actor: Actor, note: string): Promise<void> {
    requireChangeable(route);
    const version = route.version_last + 1;
    await repository.updateRoute(
      executor,
      route.id,
      { status: 'running', version_last: version, version_live: version, live: route.draft, pending_changes: 0 },
      { deployed: true },
    );
    // After the route says which one is live: that one is never let go.
    await repository.insertVersion(executor, {
      routeId: route.id,
      version,
      accountId: route.account_id,
      config: route.draft,
      note,
      by: actor.label,
    });
    await audit(executor, actor, 'route.deploy', route, { version, ...(note === '' ? {} : { note }) });
    const revision = await publication.republish(executor, route.id);
    await publication.beginOperation(executor, route, 'deploy', version, revision);
  }

  /** Frees what a deleted route held. Its nodes no longer serve it. */
  async function finishDeletion(executor: Executor, route: repository.RouteRow): Promise<void> {
    const names = await repository.deleteNames(executor, route.id);
    await accounts.returnNames(executor, route.subscription_id, names.length);
    if (route.ownership_state === 'verified')
      await repository.insertReleasedNames(
        executor,
        route.account_id,
        names.map(({ name }) => name),
      );
    await repository.updateRoute(executor, route.id, { status: 'deleted' }, { deleted: true });
  }

  /** Whether the operation has ended: every live node has reported it, and at least one did. */
  async function judge(
    executor: Executor,
    operation: repository.OperationRow,
    route: repository.RouteRow,
    isLast: boolean,
  ): Promise<void> {
    if (operation.state === 'successful') return;
    const nodes = await repository.nodeReceipts(executor, operation.id, route.czone, NODE_LIVENESS_SECONDS);
    const live = nodes.filter((node) => node.is_live);
    const isReported = live.every((node) => node.state === 'live');
    const isProved = nodes.some((node) => node.state === 'live');
    // With no node that could serve it, what is to leave the edge has left it.
    const hasNobody = nodes.length === 0 || (live.length === 0 && isLast);
    if (isReported && (isProved || (isRemoval(operation.action) && hasNobody))) {
      await repository.finishOperation(executor, operation.id, 'successful', null);
      if (operation.action === 'delete') await finishDeletion(executor, route);
    } else if (isLast && operation.state === 'running') {
      await repository.finishOperation(
        executor,
        operation.id,
        'failed',
        live.length === 0 ? 'NO_NODE_LIVE' : 'NODES_NOT_REACHED',
      );
    } else return;
    await publication.announce(executor, route.id);
  }

  async function judgeNow(operationId: string, isLast: boolean): Promise<boolean> {
    return db.transaction().execute(async (trx) => {
      const found = await repository.findOperation(trx, operationId);
      if (!found) return true;
      // The route before its operation, as everywhere, so that two transactions never wait for each other.
      const route = await repository.lockRoute(trx, found.account_id, found.route_id);
      const operation = await repository.lockOperation(trx, operationId);
      if (!route || !operation || route.operation_id !== operationId) return true;
      await judge(trx, operation, route, isLast);
      return (await repository.findOperation(trx, operationId))?.state === 'successful';
    });
  }

  return {
    deployIn,
    deploy: (actor, routeId, revision, note, requireRevision) =>
      db.transaction().execute(async (trx) => {
        const route = await lock(trx, actor.accountId, routeId);
        await requireRevision(route, revision);
        await deployIn(trx, route, actor, note);
      }),
    deactivate: (actor, routeId) =>
      db.transaction().execute(async (trx) => {
        const route = await lock(trx, actor.accountId, routeId);
        requireChangeable(route);
        if (route.status !== 'running')
          throw new AppError('DOMAIN_STATE_FORBIDS', { params: { DOMAIN_STATE_FORBIDS: { status: route.status } } });
        await repository.updateRoute(trx, route.id, { status: 'deactivated' });
        await audit(trx, actor, 'route.deactivate', route);
        await publication.beginOperation(trx, route, 'deactivate', null, await publication.republish(trx, route.id));
      }),
    resume: (actor, routeId) =>
      db.transaction().execute(async (trx) => {
        const route = await lock(trx, actor.accountId, routeId);
        requireChangeable(route);
        if (route.version_live === null) throw new AppError('DOMAIN_NOT_DEPLOYED');
        if (route.status !== 'deactivated')
          throw new AppError('DOMAIN_STATE_FORBIDS', { params: { DOMAIN_STATE_FORBIDS: { status: route.status } } });
        await repository.updateRoute(trx, route.id, { status: 'running' }, { deployed: true });
        await audit(trx, actor, 'route.resume', route, { version: route.version_live });
        await publication.beginOperation(
          trx,
          route,
          'resume',
          route.version_live,
          await publication.republish(trx, route.id),
        );
      }),
    remove: (actor, routeId, check) =>
      db.transaction().execute(async (trx) => {
        const route = await lock(trx, actor.accountId, routeId);
        const subscription = await accounts.getSubscription(actor.accountId, { cname: check.cname }, trx);
        if (subscription.id !== route.subscription_id) throw new AppError('SUBSCRIPTION_NOT_FOUND');
        if (
          check.confirm !== undefined &&
          ![route.domain_name, route.domain_name_unicode].includes(check.confirm.trim().toLowerCase())
        )
          throw fieldErrors({ confirm: 'NAME_CONFIRMATION_MISMATCH' });
        await audit(trx, actor, 'route.delete', route);
        if (!(await repository.isOnEdge(trx, route.id))) {
          await repository.supersedeOperations(trx, route.id);
          const operation = await repository.insertOperation(trx, {
            accountId: route.account_id,
            routeId: route.id,
            action: 'delete',
            version: null,
            revision: null,
            state: 'successful',
          });
          await repository.updateRoute(trx, route.id, { operation_id: operation.id });
          await finishDeletion(trx, route);
          await publication.announce(trx, route.id);
          return;
        }
        await repository.updateRoute(trx, route.id, { status: 'deleting' });
        await publication.beginOperation(trx, route, 'delete', null, await publication.republish(trx, route.id));
      }),
    async evictIn(executor, routeId, name) {
      // Locked: a deploy that has not committed yet would bring the route back after it was taken off the edge.
      const route = await repository.lockAnyRoute(executor, routeId);
      if (!route) return;
      await audit(
        executor,
        { accountId: route.account_id, kind: 'system', label: 'Cordon' },
        'route.name_moved',
        route,
        { name, why: 'another account proved by TXT that the name is its own' },
      );
      const names = await repository.deleteNames(executor, route.id);
      await accounts.returnNames(executor, route.subscription_id, names.length);
      if (!(await repository.isOnEdge(executor, route.id))) {
        await repository.updateRoute(executor, route.id, { status: 'deleted' }, { deleted: true });
        await publication.announce(executor, route.id);
        return;
      }
      await repository.updateRoute(executor, route.id, { status: 'deleting', ownership_state: 'pending' });
      await publication.beginOperation(
        executor,
        route,
        'delete',
        null,
        await publication.republish(executor, route.id),
      );
    },
    async getReceipt(accountId, routeId) {
      const route = await repository.findRoute(db, accountId, routeId);
      if (!route) throw notFound();
      const operation =
        route.operation_id === null ? undefined : await repository.findOperation(db, route.operation_id);
      if (!operation) return null;
      const nodes = await repository.nodeReceipts(db, operation.id, route.czone, NODE_LIVENESS_SECONDS);
      return {
        route_id: route.id,
        version: operation.version ?? route.version_live ?? 0,
        action: operation.action,
        state: operation.state,
        committed_at: operation.started_at,
        nodes: nodes.map((node) => ({
          node: node.node,
          state: node.state ?? (node.is_live ? 'waiting' : 'offline'),
          version: node.version,
          live_ms: node.live_ms,
          probe_status: node.probe_status,
          at: node.at,
        })),
      };
    },
    async recordReceipts(node, receipts) {
      const newest = new Map<string, NodeReceipt>();
      for (const receipt of receipts) {
        if ((newest.get(receipt.route_id)?.revision ?? -1) <= receipt.revision) newest.set(receipt.route_id, receipt);
      }
      if (newest.size === 0 || node.czones.length === 0) return;
      const operations = await repository.operationsOfRoutes(db, [...newest.keys()], node.czones);
      for (const operation of operations) {
        const receipt = newest.get(operation.route_id);
        if (!receipt || operation.revision === null || receipt.revision < operation.revision) continue;
        const isThere =
          receipt.version === operation.version &&
          receipt.probe?.ok === true &&
          receipt.probe.version === operation.version;
        const isDone = isRemoval(operation.action) ? receipt.version === null : isThere;
        await repository.putReceipt(db, {
          operationId: operation.id,
          nodeId: node.node_id,
          state: isDone ? 'live' : 'failed',
          version: receipt.version,
          probeStatus: receipt.probe?.status ?? null,
        });
        if (operation.state !== 'successful') await judgeNow(operation.id, false);
      }
    },
    async lookAtOperation(operationId, look) {
      const isLast = look >= OPERATION_LOOKS_SECONDS.length - 1;
      const hasEnded = await judgeNow(operationId, isLast);
      if (hasEnded) return;
      const operation = await repository.findOperation(db, operationId);
      // What must leave the edge is pursued to the end; a deploy that failed is the customer's to repeat.
      if (!operation || (isLast && operation.action !== 'delete')) return;
      const next = Math.min(look + 1, OPERATION_LOOKS_SECONDS.length - 1);
      const waitSeconds = isLast ? 60 : (OPERATION_LOOKS_SECONDS[next] ?? 60) - (OPERATION_LOOKS_SECONDS[look] ?? 0);
      await addJob(
        db,
        'look-at-operation',
        { operation_id: operationId, look: next },
        { runAt: new Date(Date.now() + waitSeconds * 1000) },
      );
    },
  };
}
