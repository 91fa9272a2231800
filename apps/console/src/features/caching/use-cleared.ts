import type { CacheClear } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { useListed } from './use-listed';

/** Of the values of a clear so many are named, the others counted. */
export const VALUES_SHOWN = 2;

/** What a clear has cleared, with its kind: a URL and a prefix are written alike. */
export function useCleared(): (clear: Pick<CacheClear, 'kind' | 'values' | 'soft'>) => string {
  const t = useTranslations('caching');
  const listed = useListed();
  return ({ kind, values, soft }) => {
    const named = listed(values.slice(0, VALUES_SHOWN), values.length);
    const what = kind === 'all' ? t('kind.all') : t(`cleared.${kind}`, { count: values.length, values: named });
    return soft ? t('softly', { what }) : what;
  };
}
