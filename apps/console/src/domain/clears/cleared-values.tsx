import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useDisclosure } from '../../ui/use-disclosure';
import { VALUES_SHOWN } from './use-cleared';

/**
 * The values of a clear that its line only counts, for below it, and the button that shows them; neither where it names all.
 * @param what What the line says.
 */
export function useClearedValues(
  what: string,
  values: readonly string[],
  entries: number,
): { readonly button: ReactNode; readonly text: ReactNode } {
  const t = useTranslations('domain.clears');
  const { isOpen, button } = useDisclosure((isShown) => ({
    text: t(isShown ? 'hideValues' : 'showValues'),
    of: t(isShown ? 'hideValuesOf' : 'showValuesOf', { what }),
  }));
  if (entries <= VALUES_SHOWN) return { button: undefined, text: undefined };
  const rest = entries - values.length;
  return {
    button,
    text: isOpen && (
      <pre className="max-h-60 overflow-y-auto rounded-control bg-sunken p-3 font-mono text-xs whitespace-pre-wrap wrap-anywhere">
        {[...values, ...(rest > 0 ? [t('moreValues', { count: rest })] : [])].join('\n')}
      </pre>
    ),
  };
}
