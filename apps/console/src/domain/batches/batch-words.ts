import type { Batch } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { type createCleared, useCleared } from '../clears/use-cleared';

type Named = Pick<Batch, 'kind' | 'state' | 'total' | 'succeeded' | 'undoes' | 'clear'>;

/**
 * What a batch does, as in "Deploy 12 domains", or has done: "11 of 12 domains deployed". One that undoes another says so, one that
 * clears a part of caches which. Needs the catalog `batches`.
 */
export function batchTitle(
  t: ReturnType<typeof useTranslations<'batches'>>,
  cleared: ReturnType<typeof createCleared>,
  batch: Named,
): string {
  const { kind, state, total, succeeded, undoes, clear } = batch;
  // Of what failed altogether there is nothing to tell but what it was to do.
  const isDone = state !== 'running' && succeeded > 0;
  const words = isDone ? (undoes ? 'undone' : 'done') : undoes ? 'undoing' : 'kind';
  const key = `${words}.${kind}` as 'kind.other';
  const domains = t(`domains.${succeeded === total ? 'all' : 'some'}`, { count: succeeded, total });
  const what = t(t.has(key) ? key : (`${words}.other` as 'kind.other'), { count: total, domains } as { count: number });
  // An API of before there were parts has none.
  return !clear || (clear.kind === 'all' && !clear.soft) ? what : `${what} · ${cleared(clear)}`;
}

export function useBatchTitle(): (batch: Named) => string {
  const t = useTranslations('batches');
  const cleared = useCleared();
  return (batch) => batchTitle(t, cleared, batch);
}
