import { useLocale } from 'use-intl';
import { useFormat } from '../../ui/format';

/** Names, numbers and the like after each other; in Chinese without a word before the last, which would stand at it without a blank. */
export function useListed(): (items: readonly string[]) => string {
  const format = useFormat();
  const isChinese = useLocale() === 'zh';
  return (items) => (isChinese ? items.join('、') : format.list(items));
}
