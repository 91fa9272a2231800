import type { CacheClear } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { useListed } from '../words/use-listed';

/** Of the values of a clear so many are named, the others counted. */
export const VALUES_SHOWN = 2;

/** What a clear is of. */
type Cleared = Pick<CacheClear, 'kind' | 'values' | 'entries' | 'soft'>;

/** What a clear clears, with its kind: a URL and a prefix are written alike. */
export function useCleared(): (clear: Cleared) => string {
  const t = useTranslations('domain.clears');
  const listed = useListed();
  return ({ kind, values, entries, soft }) => {
    const named = listed(values.slice(0, VALUES_SHOWN), entries);
    const what = kind === 'all' ? t('kind.all') : t(`cleared.${kind}`, { count: entries, values: named });
    return soft ? t('softly', { what }) : what;
  };
}
