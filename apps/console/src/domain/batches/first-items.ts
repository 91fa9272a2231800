import type { Batch, BatchItem } from '@cordon/contract';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from '../../app/api-client';
import { SUCCESSES_SHOWN } from './item-queries';
import { ASK_EVERY_MS, batchKeys } from './queries';

const keyOf = (id: string) => [...batchKeys.batch(id), 'first'] as const;

/** The first of all, while they are worked on; the counts are read after them, so that none shown as done is not counted. */
export const firstItemsOptions = (id: string, isRunning: boolean) =>
  queryOptions({
    queryKey: keyOf(id),
    queryFn: async ({ signal, client }) => {
      const { results } = await api.listBatchItems({ params: { id }, query: { perpage: SUCCESSES_SHOWN }, signal });
      client.setQueryData(batchKeys.batch(id), (await api.getBatch({ params: { id }, signal })).result);
      return results;
    },
    refetchInterval: isRunning && ASK_EVERY_MS,
  });

/** Shows a batch that has just begun at once, by what its starter knows: it is asked for all the same. */
export function seedBatch(client: QueryClient, batch: Batch, names: readonly string[]): void {
  client.setQueryData<Batch>(batchKeys.batch(batch.id), batch);
  client.setQueryData<BatchItem[]>(
    keyOf(batch.id),
    names.slice(0, SUCCESSES_SHOWN).map((name, index) => ({
      position: index + 1,
      route_id: null,
      name,
      name_unicode: name,
      row: null,
      state: 'waiting',
      error: null,
      operation_id: null,
      deployed: null,
      result: null,
    })),
  );
  void client.invalidateQueries({ queryKey: batchKeys.batch(batch.id), refetchType: 'none' });
}
