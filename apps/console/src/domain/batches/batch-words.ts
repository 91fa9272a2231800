import type { Batch } from '@cordon/contract';
import { useTranslations } from 'use-intl';

type Named = Pick<Batch, 'kind' | 'total' | 'undoes'>;

/** What a batch does, as in "Deploy 12 domains"; one that undoes another says so. Needs the catalog `batches`. */
export function batchTitle(t: ReturnType<typeof useTranslations<'batches'>>, { kind, total, undoes }: Named): string {
  const words = undoes ? 'undoing' : 'kind';
  const key = `${words}.${kind}` as 'kind.other';
  return t(t.has(key) ? key : `${words}.other`, { count: total });
}

export function useBatchTitle(): (batch: Named) => string {
  const t = useTranslations('batches');
  return (batch) => batchTitle(t, batch);
}
