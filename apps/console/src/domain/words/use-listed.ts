import { useLocale, useTranslations } from 'use-intl';
import { useFormat } from '../../ui/format';

/**
 * Names, numbers and the like after each other; in Chinese without a word before the last, which would stand at it without a blank.
 * Of `all` those that are not among them are counted.
 */
export function useListed(): (items: readonly string[], all?: number) => string {
  const t = useTranslations('domain');
  const format = useFormat();
  const isChinese = useLocale() === 'zh';
  return (items, all = items.length) => {
    const rest = all - items.length;
    // "a and 2 more", but 「a 等 3 个」.
    const more = rest > 0 ? [t('more', { count: isChinese ? all : rest })] : [];
    return isChinese ? [items.join('、'), ...more].join(' ') : format.list([...items, ...more]);
  };
}
