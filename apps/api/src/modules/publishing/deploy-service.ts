import type { FieldErrorCode, OperationError, Receipt } from '@cordon/contract';
import { type Db, type Executor, runInTransaction } from '../../platform/database.ts';
import { AppError, fieldErrors, notFound } from '../../platform/errors.ts';
import { groupBy } from '../../platform/group-by.ts';
import { addJob } from '../../platform/queue.ts';
import type { AccountService } from '../accounts/service.ts';
import type { NameRules } from '../names/name-rules.ts';
import { deleteNames, insertReleasedNames, namesOfRoute } from '../names/repository.ts';
import { type Actor, auditRoute, requireChangeable, stateForbids } from '../routes/audit.ts';
import * as repository from '../routes/repository.ts';
import { requireRevision } from './draft.ts';
import {
  isImmediate,
  isRemoval,
  OPERATION_LOOKS_SECONDS,
  type Publication,
  slotOf,
  toRunningOperation,
} from './publication.ts';
import { announceMany } from './publish-many.ts';
import * as bulk from './repository.ts';
import { insertVersion } from './version-repository.ts';

export type { Actor } from '../routes/audit.ts';

/** A node that was silent for longer is offline: operations do not wait for it, it catches up later. */
export const NODE_LIVENESS_SECONDS = 15;

/** One line of a node's report (contract, `postEdgeReceipts`). */
export interface NodeReceipt {
  readonly route_id: string;
  readonly revision: number;
  readonly version: number | null;
  readonly probe: { readonly ok: boolean; readonly status: number; readonly version: number | null } | null;
}

export interface DeployService {
  /** Makes the locked route's draft version N and brings it to the nodes, inside the caller's transaction. */
  deployIn(
    executor: Executor,
    route: repository.RouteRow,
    actor: Actor,
    note: string,
    /** The earlier version that this one brings back. */
    rolledBackTo?: number,
  ): Promise<void>;
  /** Deletes the locked route inside the caller's transaction; answers the operation. */
  removeIn(executor: Executor, route: repository.RouteRow, actor: Actor): Promise<string>;
  deploy(actor: Actor, routeId: string, revision: number, note: string): Promise<void>;
  /** Throws DOMAIN_STATE_FORBIDS unless running. */
  deactivate(actor: Actor, routeId: string): Promise<void>;
  /** Throws DOMAIN_NOT_DEPLOYED without a version, DOMAIN_STATE_FORBIDS unless deactivated. */
  resume(actor: Actor, routeId: string): Promise<void>;
  /** Throws SUBSCRIPTION_NOT_FOUND unless `cname` is the route's subscription, NAME_CONFIRMATION_MISMATCH at `confirm`. */
  remove(actor: Actor, routeId: string, check: { cname: string; confirm: string | undefined }): Promise<void>;
  /** The newest operation with what each node reported; null before the first. */
  getReceipt(accountId: string, routeId: string): Promise<Receipt | null>;
  /** Reports of a node; those about other czones' routes and older revisions are left out. */
  recordReceipts(node: { node_id: string; czones: readonly string[] }, receipts: readonly NodeReceipt[]): Promise<void>;
  /** Job: whether an operation has ended by now. */
  lookAtOperation(operationId: string, look: number): Promise<void>;
}

/** What a name may be is asked again whenever it goes live, also at a roll-back: rules and our own hosts change. */
export function requireNamesThatMayGoLive(
  rules: Pick<NameRules, 'faultOf'>,
  names: readonly { name: string; kind: 'main' | 'shadow' }[],
): void {
  const fields: Record<string, FieldErrorCode> = {};
  let aliases = 0;
  for (const { name, kind } of names) {
    const fault = rules.faultOf(name);
    const path = kind === 'main' ? 'domain_name' : `shadow_domains.${aliases++}`;
    if (fault !== undefined) fields[path] = fault;
  }
  if (Object.keys(fields).length > 0) throw fieldErrors(fields);
}

export function createDeployService(
  db: Db,
  accounts: AccountService,
  publication: Publication,
  rules: Pick<NameRules, 'faultOf'>,
): DeployService {
  async function lock(executor: Executor, accountId: string, routeId: string): Promise<repository.RouteRow> {
    const route = await repository.lockRoute(executor, accountId, routeId);
    if (!route) throw notFound();
    return route;
  }

  async function namesThatMayGoLive(executor: Executor, routeId: string): Promise<string[]> {
    const names = await namesOfRoute(executor, routeId);
    requireNamesThatMayGoLive(rules, names);
    return names.map(({ name }) => name);
  }

  async function deployIn(
    executor: Executor,
    route: repository.RouteRow,
    actor: Actor,
    note: string,
    rolledBackTo?: number,
  ): Promise<void> {
    requireChangeable(route);
    const names = await namesThatMayGoLive(executor, route.id);
    const version = route.version_last + 1;
    await repository.updateRoute(
      executor,
      route.id,
      { status: 'running', version_last: version, version_live: version, live: route.draft, pending_changes: 0 },
      { deployed: true },
    );
    // After the route says which one is live: that one is never let go.
    await insertVersion(executor, {
      routeId: route.id,
      version,
      accountId: route.account_id,
      config: route.draft,
      note,
      by: actor.label,
      byKind: actor.kind,
      rolledBackTo: rolledBackTo ?? null,
      names,
      certificateId: route.certificate_id,
    });
    await auditRoute(executor, actor, 'route.deploy', route, {
      version,
      ...(note === '' ? {} : { note }),
      ...(rolledBackTo === undefined ? {} : { rolled_back_to: rolledBackTo }),
    });
    const revision = await publication.republish(executor, route.id);
    await publication.beginOperation(executor, route, 'deploy', version, revision);
  }

  /** Frees what a deleted route held. Its nodes no longer serve it. */
  async function finishDeletion(executor: Executor, route: repository.RouteRow): Promise<void> {
    const names = await deleteNames(executor, route.id);
    await accounts.returnNames(executor, route.subscription_id, names.length);
    await insertReleasedNames(
      executor,
      route.account_id,
      names.filter(({ isProved }) => isProved).map(({ name }) => name),
    );
    await repository.updateRoute(
      executor,
      route.id,
      { status: 'deleted', ...repository.NOT_PAUSED },
      { deleted: true },
    );
  }

  async function removeIn(executor: Executor, route: repository.RouteRow, actor: Actor): Promise<string> {
    await auditRoute(executor, actor, 'route.delete', route);
    if (await repository.isOnEdge(executor, route.id)) {
      await repository.updateRoute(executor, route.id, { status: 'deleting', ...repository.NOT_PAUSED });
      const revision = await publication.republish(executor, route.id);
      return (await publication.beginOperation(executor, route, 'delete', null, revision)).id;
    }
    await repository.supersedeOperations(executor, route.id);
    const operation = await repository.insertOperation(executor, {
      accountId: route.account_id,
      routeId: route.id,
      action: 'delete',
      version: null,
      revision: null,
      state: 'successful',
    });
    await repository.updateRoute(executor, route.id, { operation_id: operation.id });
    await finishDeletion(executor, route);
    await publication.announce(executor, route.id);
    return operation.id;
  }

  /** Whether the operation has ended: every live node has reported it, and at least one did. */
  function verdictOf(
    operation: repository.OperationRow,
    nodes: readonly repository.NodeReceiptRow[],
    isLast: boolean,
  ): 'successful' | OperationError | undefined {
    const live = nodes.filter((node) => node.is_live);
    const isReported = live.every((node) => node.state === 'live');
    const isProved = nodes.some((node) => node.state === 'live');
    // With no node that could serve it, what is to leave the edge has left it.
    const hasNobody = nodes.length === 0 || (live.length === 0 && isLast);
    if (isReported && (isProved || (isRemoval(operation.action) && hasNobody))) return 'successful';
    if (isLast && operation.state === 'running') return live.length === 0 ? 'NO_NODE_LIVE' : 'NODES_NOT_REACHED';
    return undefined;
  }

  /** Ends those of an account's operations that have ended, and tells. */
  async function judgeIn(
    executor: Executor,
    accountId: string,
    found: readonly repository.OperationRow[],
    isLast: boolean,
  ): Promise<void> {
    // The routes before their operations, as everywhere, so that two transactions never wait for each other.
    const rows = await bulk.lockRoutes(
      executor,
      accountId,
      found.map((operation) => operation.route_id),
    );
    const routes = new Map(rows.map((route) => [route.id, route]));
    const operations = await bulk.lockOperations(
      executor,
      found.map((operation) => operation.id),
    );
    const receipts = await bulk.nodeReceipts(
      executor,
      operations.map((operation) => operation.id),
      NODE_LIVENESS_SECONDS,
    );
    const ended: { route: repository.RouteRow; operation: repository.OperationRow }[] = [];
    for (const operation of operations) {
      const route = routes.get(operation.route_id);
      const isCurrent = [route?.operation_id, route?.immediate_operation_id].includes(operation.id);
      if (!route || !isCurrent || operation.state === 'successful') continue;
      const verdict = verdictOf(operation, receipts.get(operation.id) ?? [], isLast);
      if (verdict === undefined) continue;
      if (verdict === 'successful') ended.push({ route, operation });
      else {
        await repository.finishOperation(executor, operation.id, 'failed', verdict);
        await publication.announce(executor, route.id, slotOf(operation.action));
      }
    }
    await bulk.finishOperations(
      executor,
      ended.map(({ operation }) => operation.id),
    );
    for (const { route, operation } of ended) if (operation.action === 'delete') await finishDeletion(executor, route);
    await announceMany(
      executor,
      ended.map(({ route, operation }) => ({ routeId: route.id, slot: slotOf(operation.action) })),
    );
  }

  async function judge(found: readonly repository.OperationRow[], isLast: boolean): Promise<void> {
    for (const [accountId, operations] of groupBy(found, (operation) => operation.account_id))
      await runInTransaction(db, (trx) => judgeIn(trx, accountId, operations, isLast));
  }

  return {
    deployIn,
    removeIn,
    deploy: (actor, routeId, revision, note) =>
      db.transaction().execute(async (trx) => {
        const route = await lock(trx, actor.accountId, routeId);
        await requireRevision(trx, route, revision);
        await deployIn(trx, route, actor, note);
      }),
    deactivate: (actor, routeId) =>
      db.transaction().execute(async (trx) => {
        const route = await lock(trx, actor.accountId, routeId);
        requireChangeable(route);
        if (route.status !== 'running') throw stateForbids(route.status);
        await repository.updateRoute(trx, route.id, { status: 'deactivated', ...repository.NOT_PAUSED });
        await auditRoute(trx, actor, 'route.deactivate', route);
        await publication.beginOperation(trx, route, 'deactivate', null, await publication.republish(trx, route.id));
      }),
    resume: (actor, routeId) =>
      db.transaction().execute(async (trx) => {
        const route = await lock(trx, actor.accountId, routeId);
        requireChangeable(route);
        if (route.version_live === null) throw new AppError('DOMAIN_NOT_DEPLOYED');
        if (route.status !== 'deactivated') throw stateForbids(route.status);
        await namesThatMayGoLive(trx, route.id);
        await repository.updateRoute(trx, route.id, { status: 'running' }, { deployed: true });
        await auditRoute(trx, actor, 'route.resume', route, { version: route.version_live });
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
        await removeIn(trx, route, actor);
      }),
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
        action: toRunningOperation(operation).action,
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
      const reports: bulk.NodeReport[] = [];
      const open: repository.OperationRow[] = [];
      for (const operation of operations) {
        const receipt = newest.get(operation.route_id);
        if (!receipt || operation.revision === null || receipt.revision < operation.revision) continue;
        // What makes no version is there with whatever version came meanwhile.
        const version = isImmediate(operation.action) ? receipt.version : operation.version;
        const isThere =
          version !== null &&
          receipt.version === version &&
          receipt.probe?.ok === true &&
          receipt.probe.version === version;
        const isDone = isRemoval(operation.action) ? receipt.version === null : isThere;
        reports.push({
          operationId: operation.id,
          state: isDone ? 'live' : 'failed',
          version: receipt.version,
          probeStatus: receipt.probe?.status ?? null,
        });
        if (operation.state !== 'successful') open.push(operation);
      }
      await bulk.putReceipts(db, node.node_id, reports);
      await judge(open, false);
    },
    async lookAtOperation(operationId, look) {
      const isLast = look >= OPERATION_LOOKS_SECONDS.length - 1;
      const found = await repository.findOperation(db, operationId);
      if (!found || found.state === 'successful' || found.error === 'SUPERSEDED') return;
      await judge([found], isLast);
      const operation = await repository.findOperation(db, operationId);
      // What must leave the edge is pursued to the end; a deploy that failed is the customer's to repeat.
      if (!operation || operation.state === 'successful' || (isLast && operation.action !== 'delete')) return;
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
