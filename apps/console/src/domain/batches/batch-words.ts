import type { Batch } from '@cordon/contract';
import { useTranslations } from 'use-intl';

/** What a batch does, as in "Deploy 12 domains". */
export function useBatchTitle(): (batch: Pick<Batch, 'kind' | 'total'>) => string {
  const t = useTranslations('batches');
  return ({ kind, total }) => {
    const key = `kind.${kind}` as 'kind.other';
    return t(t.has(key) ? key : 'kind.other', { count: total });
  };
}
