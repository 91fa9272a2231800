import type { CostlyPath } from '@cordon/contract';
import { useTranslations } from 'use-intl';

/** Which words a path has: those of the reason, else of what became of its requests. */
export const costKey = ({ cache, cache_reason: reason }: Pick<CostlyPath, 'cache' | 'cache_reason'>): string => {
  if (reason !== '') return reason;
  return cache === '' ? 'uncached' : cache;
};

/** Why a path is not served from the cache, and what its origin would have to send, or its owner to do. */
export function useCostWords(): (cost: Pick<CostlyPath, 'cache' | 'cache_reason' | 'status'>) => {
  why: string;
  advice: string | undefined;
} {
  const t = useTranslations('caching.cacheFigures');
  return (cost) => {
    const key = costKey(cost);
    const [why, advice] = [`why.${key}`, `advice.${key}`] as const;
    return {
      // A node of a newer release may have reasons that have no words here.
      why: t.has(why as never)
        ? t(why as 'why.status', { status: String(cost.status) })
        : t('why.other', { reason: key }),
      advice: t.has(advice as never) ? t(advice as 'advice.status') : undefined,
    };
  };
}
