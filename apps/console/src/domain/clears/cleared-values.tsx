import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button';
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
  const [isOpen, setOpen] = useState(false);
  if (entries <= VALUES_SHOWN) return { button: undefined, text: undefined };
  const rest = entries - values.length;
  return {
    button: (
      <Button
        size="sm"
        variant="ghost"
        aria-expanded={isOpen}
        aria-label={t(isOpen ? 'hideValuesOf' : 'showValuesOf', { what })}
        onClick={() => setOpen(!isOpen)}
      >
        {t(isOpen ? 'hideValues' : 'showValues')}
      </Button>
    ),
    text: isOpen && (
      <pre className="max-h-60 overflow-y-auto rounded-control bg-sunken p-3 font-mono text-xs whitespace-pre-wrap wrap-anywhere">
        {[...values, ...(rest > 0 ? [t('moreValues', { count: rest })] : [])].join('\n')}
      </pre>
    ),
  };
}
