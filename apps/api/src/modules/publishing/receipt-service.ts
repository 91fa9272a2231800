import type { ImmediateAction, OperationError, Receipt } from '@cordon/contract';
import { type Db, type Executor, runInTransaction } from '../../platform/database.ts';
import { notFound } from '../../platform/errors.ts';
import { groupBy } from '../../platform/group-by.ts';
import { addJob } from '../../platform/queue.ts';
import { findRoute, lockRoutes, type RouteRow } from '../routes/service.ts';
import type { Deletion } from './deletion.ts';
import * as repository from './operation-repository.ts';
import { isImmediate, isRemoval, OPERATION_LOOKS_SECONDS, slotOf, toRunningOperation } from './operations.ts';
import type { Publication } from './publication.ts';

/** One line of a node's report (contract, `postEdgeReceipts`). */
export interface NodeReceipt {
  readonly route_id: string;
  readonly revision: number;
  readonly version: number | null;
  readonly probe: { readonly ok: boolean; readonly status: number; readonly version: number | null } | null;
  readonly refusal?: string | undefined;
}

/** What nodes have reported of a change that makes no version. */
export type ImmediateReceipt = Pick<Receipt, 'state' | 'committed_at' | 'nodes'> & {
  readonly finished_at: string | null;
};

/** What nodes report of operations, and how operations end by it. */
export interface ReceiptService {
  /** The newest operation with what each node reported; null before the first. Another account's route is NOT_FOUND. */
  getReceipt(accountId: string, routeId: string): Promise<Receipt | null>;
  /** The same of the newest change that took effect without a version; null where that is none of `actions`. */
  getImmediateReceipt(route: RouteRow, actions: readonly ImmediateAction[]): Promise<ImmediateReceipt | null>;
  /** Reports of a node; those about other czones' routes and older revisions are left out. */
  recordReceipts(node: { id: string; czones: readonly string[] }, receipts: readonly NodeReceipt[]): Promise<void>;
  /** Ends operations that waited for nodes of these czones only because these were not known to be silent. */
  judgeWaiting(czones: readonly string[]): Promise<void>;
  /** Job: whether an operation has ended by now. */
  lookAtOperation(operationId: string, look: number): Promise<void>;
}

/** What follows deploys that have reached all nodes, in the transaction that notes it. */
export type AfterDeploys = (
  executor: Executor,
  deployed: readonly { readonly routeId: string; readonly version: number }[],
) => Promise<void>;

export interface ReceiptParts {
  readonly db: Db;
  readonly publication: Publication;
  readonly deletion: Deletion;
  readonly afterDeploys: AfterDeploys;
}

/** Operations that are judged in one transaction. */
const JUDGED_AT_ONCE = 500;

export function createReceiptService({ db, publication, deletion, afterDeploys }: ReceiptParts): ReceiptService {
  /** Whether the operation has ended: every live node has reported it, and at least one did; or one cannot load it, which no waiting mends. */
  function verdictOf(
    operation: repository.OperationRow,
    nodes: readonly repository.NodeReceiptRow[],
    isLast: boolean,
  ): 'successful' | OperationError | undefined {
    const live = nodes.filter((node) => node.is_live);
    const isReported = live.every((node) => node.state === 'live');
    const isProved = nodes.some((node) => node.state === 'live');
    // With no node that could serve it, what is to leave the edge has left it.
    const hasNoNode = nodes.length === 0 || (live.length === 0 && isLast);
    if (isReported && (isProved || (isRemoval(operation.action) && hasNoNode))) return 'successful';
    if (operation.state !== 'running') return undefined;
    if (live.some((node) => node.refusal !== null)) return 'REFUSED_BY_NODE';
    if (isLast) return live.length === 0 ? 'NO_NODE_LIVE' : 'NODES_NOT_REACHED';
    return undefined;
  }

  /** Ends those of an account's operations that have ended, and announces them. */
  async function judgeIn(
    executor: Executor,
    accountId: string,
    found: readonly repository.OperationRow[],
    isLast: boolean,
  ): Promise<void> {
    // The routes before their operations, as everywhere, so that two transactions never wait for each other.
    const rows = await lockRoutes(
      executor,
      accountId,
      found.map((operation) => operation.route_id),
    );
    const routes = new Map(rows.map((route) => [route.id, route]));
    const operations = await repository.lockOperations(
      executor,
      found.map((operation) => operation.id),
    );
    const receipts = await repository.nodeReceipts(
      executor,
      operations.map((operation) => operation.id),
    );
    const ended: { route: RouteRow; operation: repository.OperationRow }[] = [];
    for (const operation of operations) {
      const route = routes.get(operation.route_id);
      const isCurrent = [route?.operation_id, route?.immediate_operation_id].includes(operation.id);
      if (!route || !isCurrent || operation.state === 'successful') continue;
      const verdict = verdictOf(operation, receipts.get(operation.id) ?? [], isLast);
      if (verdict === undefined) continue;
      if (verdict === 'successful') ended.push({ route, operation });
      else {
        await repository.failOperation(executor, operation.id, verdict);
        await publication.announce(executor, [{ routeId: route.id, slot: slotOf(operation.action) }]);
      }
    }
    await repository.finishOperations(
      executor,
      ended.map(({ operation }) => operation.id),
    );
    await afterDeploys(
      executor,
      ended.flatMap(({ route, operation: { action, version } }) =>
        action === 'deploy' && version !== null ? [{ routeId: route.id, version }] : [],
      ),
    );
    for (const { route, operation } of ended) if (operation.action === 'delete') await deletion.finish(executor, route);
    await publication.announce(
      executor,
      ended.map(({ route, operation }) => ({ routeId: route.id, slot: slotOf(operation.action) })),
    );
  }

  async function judge(found: readonly repository.OperationRow[], isLast: boolean): Promise<void> {
    for (const [accountId, operations] of groupBy(found, (operation) => operation.account_id))
      await runInTransaction(db, (trx) => judgeIn(trx, accountId, operations, isLast));
  }

  async function nodesOf(operationId: string): Promise<Receipt['nodes']> {
    const nodes = (await repository.nodeReceipts(db, [operationId])).get(operationId) ?? [];
    return nodes.map((node) => ({
      node: node.node,
      state: node.state ?? (node.is_live ? 'waiting' : 'offline'),
      version: node.version,
      live_ms: node.live_ms,
      probe_status: node.probe_status,
      refusal: node.refusal,
      at: node.at,
    }));
  }

  return {
    async getImmediateReceipt({ immediate_operation_id: id }, actions) {
      const operation = id === null ? undefined : await repository.findOperation(db, id);
      if (!operation || !actions.some((action) => action === operation.action)) return null;
      const { state, started_at: committed_at, finished_at } = operation;
      return { state, committed_at, finished_at, nodes: await nodesOf(operation.id) };
    },
    async getReceipt(accountId, routeId) {
      const route = await findRoute(db, accountId, routeId);
      if (!route) throw notFound();
      const operation =
        route.operation_id === null ? undefined : await repository.findOperation(db, route.operation_id);
      if (!operation) return null;
      return {
        route_id: route.id,
        version: operation.version ?? route.version_live ?? 0,
        action: toRunningOperation(operation).action,
        state: operation.state,
        committed_at: operation.started_at,
        nodes: await nodesOf(operation.id),
      };
    },
    async recordReceipts(node, receipts) {
      const newest = new Map<string, NodeReceipt>();
      for (const receipt of receipts) {
        if ((newest.get(receipt.route_id)?.revision ?? -1) <= receipt.revision) newest.set(receipt.route_id, receipt);
      }
      if (newest.size === 0 || node.czones.length === 0) return;
      const operations = await repository.operationsOfRoutes(db, [...newest.keys()], node.czones);
      const reports: repository.NodeReport[] = [];
      const open: repository.OperationRow[] = [];
      for (const operation of operations) {
        const receipt = newest.get(operation.route_id);
        if (!receipt || operation.revision === null) continue;
        // A node that has learned by a snapshot that a domain is gone knows no revision of its end.
        const isGone = operation.action === 'delete' && receipt.version === null && receipt.revision === 0;
        if (receipt.revision < operation.revision && !isGone) continue;
        // What makes no version is there with whatever version came meanwhile.
        const version = isImmediate(operation.action) ? receipt.version : operation.version;
        const isThere =
          version !== null &&
          receipt.version === version &&
          receipt.probe?.ok === true &&
          receipt.probe.version === version;
        const isDone =
          receipt.refusal === undefined && (isRemoval(operation.action) ? receipt.version === null : isThere);
        reports.push({
          operationId: operation.id,
          state: isDone ? 'live' : 'failed',
          version: receipt.version,
          probeStatus: receipt.probe?.status ?? null,
          refusal: receipt.refusal ?? null,
        });
        if (operation.state !== 'successful') open.push(operation);
      }
      await repository.putReceipts(db, node.id, reports);
      await judge(open, false);
    },
    async judgeWaiting(czones) {
      const waiting = await repository.runningIn(db, czones);
      for (let start = 0; start < waiting.length; start += JUDGED_AT_ONCE)
        await judge(waiting.slice(start, start + JUDGED_AT_ONCE), false);
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
