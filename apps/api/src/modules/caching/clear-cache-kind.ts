import { randomUUID } from 'node:crypto';
import { summarizeClear, TASK_NAMES_MAX } from '@cordon/contract';
import { systemActor } from '../../platform/actor.ts';
import type { NewAuditLine } from '../../platform/audit.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import type { BatchContext, BatchKind, BatchOutcome, BatchService, BatchWork } from '../batches/service.ts';
import * as repository from './clear-repository.ts';
import { clearAudit, requireClearable } from './clear-service.ts';
import { type ClearParams, clearOf, hasHosts, readClear, SENT_MAX } from './clear-values.ts';
import { auditTask } from './task-audit.ts';

/** Clears the caches of many domains: done once nodes are told, which then need milliseconds. */
export function createClearCacheKind({ firstNamesOf }: Pick<BatchService, 'firstNamesOf'>): BatchKind {
  async function runMany(
    { executor, actor, params }: BatchContext,
    items: readonly { readonly item: BatchWork }[],
  ): Promise<(BatchOutcome | AppError)[]> {
    const { task } = params as ClearParams;
    const { kind, soft, values } = clearOf(params as ClearParams);
    const valuesOf = readClear({ kind, values });
    const ids = items.flatMap(({ item }) => item.routeId ?? []);
    const rows = await repository.findClearedOfBatch(executor, actor.accountId, ids, hasHosts(kind));
    const routes = new Map(rows.map((route) => [route.id, route]));
    let clears: repository.NewClear[] = [];
    let lines: NewAuditLine[] = [];
    const store = async () => {
      if (clears.length > 0) await repository.insertClears(executor, clears, lines);
      clears = [];
      lines = [];
    };

    function clear({ routeId }: BatchWork): BatchOutcome | AppError {
      const route = routes.get(routeId ?? '');
      if (!route) return notFound();
      if (params.subscription_id !== undefined && route.subscription_id !== params.subscription_id)
        return new AppError('SUBSCRIPTION_NOT_FOUND');
      try {
        requireClearable(route);
        const { shown, sent } = valuesOf(repository.namesOf(route));
        const id = randomUUID();
        clears.push({
          ...{ id, kind, shown, sent, soft, created_by: actor.label },
          ...{ account_id: route.account_id, route_id: route.id, czone: route.czone },
        });
        lines.push(clearAudit(actor, route, { kind, soft, values: shown }, task));
        return { result: { clear_id: id } };
      } catch (error) {
        if (error instanceof AppError) return error;
        throw error;
      }
    }

    const outcomes: (BatchOutcome | AppError)[] = [];
    for (const { item } of items) {
      outcomes.push(clear(item));
      // Paths of domains with very many names: others are answered meanwhile.
      if (clears.reduce((sum, { sent }) => sum + sent.length, 0) >= SENT_MAX) await store();
    }
    await store();
    return outcomes;
  }
  return {
    name: 'clear_cache',
    describe(params) {
      const clear = params as ClearParams;
      return { clear: summarizeClear(clearOf(clear)), scheduledFor: clear.task?.at };
    },
    runMany,
    async onEnd(executor, { id, account_id: accountId, params, total, failed }) {
      const clear = params as ClearParams;
      const { task } = clear;
      if (!task) return;
      const names = (await firstNamesOf([id], TASK_NAMES_MAX)).get(id) ?? [];
      const audited = { clear: clearOf(clear), domains: total, names, routeId: task.route_id, at: task.at, failed };
      await auditTask(executor, systemActor(accountId), 'task.end', task.id, audited);
    },
    async run(context, item) {
      const [outcome] = await runMany(context, [{ item }]);
      if (outcome instanceof AppError) throw outcome;
      return outcome ?? {};
    },
  };
}
