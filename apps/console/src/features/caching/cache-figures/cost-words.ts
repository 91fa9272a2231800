import type { CostlyPath } from '@cordon/contract';
import { useTranslations } from 'use-intl';

/** Which words a path has: those of the reason, else of what became of its requests. */
export const costKey = ({ cache, cache_reason: reason }: Pick<CostlyPath, 'cache' | 'cache_reason'>): string => {
  if (reason !== '') return reason;
  return cache === '' ? 'uncached' : cache;
};

/** Advice on what an answer should say, or on what to switch on, which is none for errors: these need not be kept. */
const OF_ANSWERS: readonly string[] = [
  ...['uncached', 'off', 'path', 'no_store', 'private', 'authorization', 'set_cookie'],
  ...['vary_all', 'vary_long', 'type_mismatch', 'no_lifetime', 'miss'],
];

/** Their words say that it is an error. */
const SAYS_ERROR: readonly string[] = ['status', 'stale_if_error'];

/** What is missing may be kept for a while; what is refused, or fails, is nothing for a cache. */
function errorAdvice(status: number): string {
  if (status === 404 || status === 410) return 'status_missing';
  return status >= 500 ? 'status_failed' : 'status';
}

interface Cost extends Pick<CostlyPath, 'cache' | 'cache_reason' | 'status'> {
  /** Of answers without a lifetime only those of listed types are kept, to which others can be added. */
  readonly listsTypes?: boolean;
  /** Where a cache is on now. */
  readonly cachingIn?: 'live' | 'draft' | undefined;
}

function adviceKey({ status, listsTypes, cachingIn, ...cost }: Cost): string {
  const key = costKey(cost);
  if (status >= 500 || (status >= 400 && (key === 'status' || OF_ANSWERS.includes(key)))) return errorAdvice(status);
  if (key === 'uncached' && cachingIn) return 'path';
  return key === 'no_lifetime' && listsTypes ? 'no_lifetime_listed' : key;
}

/** Why a path is not served from the cache, or was not as it was logged, and what its origin would have to send, or its owner to do. */
export function useCostWords(when: 'now' | 'logged' = 'now'): (cost: Cost) => {
  why: string;
  advice: string | undefined;
} {
  const t = useTranslations('caching.cacheFigures');
  return (cost) => {
    const key = costKey(cost);
    const isOver = key === 'development' || (key === 'uncached' && cost.cachingIn === 'live');
    const why = when === 'logged' && isOver ? `why.was_${key}` : `why.${key}`;
    const advice = `advice.${adviceKey(cost)}`;
    const status = String(cost.status);
    // A node of a newer release may have reasons that have no words here.
    const said = t.has(why as never) ? t(why as 'why.status', { status }) : t('why.other', { reason: key });
    return {
      why: cost.status >= 400 && !SAYS_ERROR.includes(key) ? t('why.ofError', { why: said, status }) : said,
      advice: t.has(advice as never) ? t(advice as 'advice.status_missing', { status }) : undefined,
    };
  };
}
