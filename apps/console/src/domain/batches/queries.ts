import { queryOptions } from '@tanstack/react-query';
import { api } from '../../app/api-client';

export const batchKeys = {
  all: ['batches'] as const,
  latest: () => [...batchKeys.all, 'latest'] as const,
  running: () => [...batchKeys.all, 'running'] as const,
  batch: (id: string) => [...batchKeys.all, 'batch', id] as const,
};

/** The websocket reports at once; polling besides makes up for a lost event. */
export const ASK_EVERY_MS = 2000;
export const batchOptions = (id: string) =>
  queryOptions({
    queryKey: batchKeys.batch(id),
    queryFn: async ({ signal }) => (await api.getBatch({ params: { id }, signal })).result,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? ASK_EVERY_MS : false),
  });

export const runningBatchesOptions = queryOptions({
  queryKey: batchKeys.running(),
  queryFn: async ({ signal }) => (await api.listBatches({ query: { state: 'running', perpage: 20 }, signal })).results,
});
