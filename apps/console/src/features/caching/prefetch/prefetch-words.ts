import { useTranslations } from 'use-intl';
import { useCodeWords } from '../../../domain/words/error-words';

/** Words of an error code, where a URL of a prefetch has it: no prefix is of help to that. */
export function usePrefetchWords(): ReturnType<typeof useCodeWords> {
  const t = useTranslations('caching.prefetch');
  const words = useCodeWords();
  return (code, params) => (code === 'CACHE_URL_PATTERN' ? t('pattern') : words(code, params));
}
