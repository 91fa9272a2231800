import type { ClearSummary } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { type Listed, useListed } from '../words/use-listed';

/** Of the values of a clear so many are named, the others counted. */
export const VALUES_SHOWN = 2;

/** What a clear clears, with its kind: a URL and a prefix are written alike. @param t Of `domain.clears`. */
export const createCleared =
  (t: ReturnType<typeof useTranslations<'domain.clears'>>, listed: Listed) =>
  ({ kind, values, entries, soft }: ClearSummary): string => {
    const named = listed(values.slice(0, VALUES_SHOWN), entries);
    const what = kind === 'all' ? t('kind.all') : t(`cleared.${kind}`, { count: entries, values: named });
    return soft ? t('softly', { what }) : what;
  };

export const useCleared = () => createCleared(useTranslations('domain.clears'), useListed());
