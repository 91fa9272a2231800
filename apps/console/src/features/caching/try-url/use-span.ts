import { useTranslations } from 'use-intl';
import { useFormat } from '../../../ui/format';

/** Times of caches, which are counted in whole seconds: `0 s`, `4 s`, `2 h 5 min`. */
export function useSpan(): (seconds: number) => string {
  const t = useTranslations('caching.tryUrl');
  const format = useFormat();
  return (seconds) => (seconds < 1 ? t('noSeconds') : format.duration(Math.floor(seconds) * 1000));
}
