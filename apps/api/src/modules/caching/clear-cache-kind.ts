import { randomUUID } from 'node:crypto';
import { AppError, notFound } from '../../platform/errors.ts';
import type { BatchContext, BatchKind, BatchOutcome, BatchWork } from '../batches/service.ts';
import * as repository from './clear-repository.ts';
import { clearAudit, requireClearable } from './clear-service.ts';

/** Clears all of the caches of many domains: done once nodes are told, which then need milliseconds. */
export function createClearCacheKind(): BatchKind {
  async function runMany(
    { executor, actor, params }: BatchContext,
    items: readonly { readonly item: BatchWork }[],
  ): Promise<(BatchOutcome | AppError)[]> {
    const ids = items.flatMap(({ item }) => item.routeId ?? []);
    const rows = await repository.findClearedOfBatch(executor, actor.accountId, ids);
    const routes = new Map(rows.map((route) => [route.id, route]));
    const soft = params.soft === true;
    const clears: repository.NewClear[] = [];
    const lines: ReturnType<typeof clearAudit>[] = [];
    const outcomes = items.map(({ item }): BatchOutcome | AppError => {
      const route = routes.get(item.routeId ?? '');
      if (!route) return notFound();
      if (params.subscription_id !== undefined && route.subscription_id !== params.subscription_id)
        return new AppError('SUBSCRIPTION_NOT_FOUND');
      try {
        requireClearable(route);
      } catch (error) {
        if (error instanceof AppError) return error;
        throw error;
      }
      const id = randomUUID();
      clears.push({
        ...{ id, kind: 'all', shown: [], sent: [], soft, created_by: actor.label },
        ...{ account_id: route.account_id, route_id: route.id, czone: route.czone },
      });
      lines.push(clearAudit(actor, route, { kind: 'all', soft }, 0));
      return { result: { clear_id: id } };
    });
    if (clears.length > 0) await repository.insertClears(executor, clears, lines);
    return outcomes;
  }
  return {
    name: 'clear_cache',
    runMany,
    async run(context, item) {
      const [outcome] = await runMany(context, [{ item }]);
      if (outcome instanceof AppError) throw outcome;
      return outcome ?? {};
    },
  };
}
