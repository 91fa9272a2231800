import { queryOptions } from '@tanstack/react-query';
import { api } from '../../app/api-client';
import { batchKeys } from './queries';

/** Failures shown on the screen; all of them are in the CSV file. */
export const FAILURES_SHOWN = 50;
export const SUCCESSES_SHOWN = 10;

/** `failed` is part of the key: each further failure is a new question. */
export const failuresOptions = (id: string, failed: number) =>
  queryOptions({
    queryKey: [...batchKeys.batch(id), 'failures', failed],
    queryFn: async ({ signal }) =>
      (await api.listBatchItems({ params: { id }, query: { state: 'failed', perpage: FAILURES_SHOWN }, signal }))
        .results,
    enabled: failed > 0,
    placeholderData: (before) => before,
  });

/** `succeeded` is part of the key: what was resumed has more of them. */
export const successesOptions = (id: string, succeeded: number, shown = SUCCESSES_SHOWN) =>
  queryOptions({
    queryKey: [...batchKeys.batch(id), 'successes', succeeded, shown],
    queryFn: async ({ signal }) =>
      (await api.listBatchItems({ params: { id }, query: { state: 'successful', perpage: shown }, signal })).results,
  });
