import type { Batch } from '@cordon/contract';
import { useTranslations } from 'use-intl';

type Named = Pick<Batch, 'kind' | 'state' | 'total' | 'succeeded' | 'undoes'>;

/**
 * What a batch does, as in "Deploy 12 domains", or has done: "11 of 12 domains deployed". One that undoes another says so.
 * Needs the catalog `batches`.
 */
export function batchTitle(t: ReturnType<typeof useTranslations<'batches'>>, batch: Named): string {
  const { kind, state, total, succeeded, undoes } = batch;
  // Of what failed altogether there is nothing to tell but what it was to do.
  const isDone = state !== 'running' && succeeded > 0;
  const words = isDone ? (undoes ? 'undone' : 'done') : undoes ? 'undoing' : 'kind';
  const key = `${words}.${kind}` as 'kind.other';
  const domains = t(`domains.${succeeded === total ? 'all' : 'some'}`, { count: succeeded, total });
  return t(t.has(key) ? key : (`${words}.other` as 'kind.other'), { count: total, domains } as { count: number });
}

export function useBatchTitle(): (batch: Named) => string {
  const t = useTranslations('batches');
  return (batch) => batchTitle(t, batch);
}
