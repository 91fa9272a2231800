import { useLocale, useTranslations } from 'use-intl';
import { type Format, useFormat } from '../../ui/format';

/**
 * Names, numbers and the like after each other; in Chinese without a word before the last, which would stand at it without a blank.
 * Of `all` those that are not among them are counted.
 */
export type Listed = (items: readonly string[], all?: number) => string;

/** @param t Of `domain`. */
export const createListed =
  (t: ReturnType<typeof useTranslations<'domain'>>, format: Pick<Format, 'list'>, locale: string): Listed =>
  (items, all = items.length) => {
    const isChinese = locale === 'zh';
    const rest = all - items.length;
    // "a and 2 more", but 「a 等 3 个」.
    const more = rest > 0 ? [t('more', { count: isChinese ? all : rest })] : [];
    return isChinese ? [items.join('、'), ...more].join(' ') : format.list([...items, ...more]);
  };

export function useListed(): Listed {
  return createListed(useTranslations('domain'), useFormat(), useLocale());
}
