import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';

/** Says that nothing has answered for long. Unless said otherwise of a dialog: closing it takes nothing back. */
export function LongWaitLine({ children }: { children?: ReactNode }) {
  const t = useTranslations('ui');
  return (
    <p role="status" className="text-sm text-warning">
      {children ?? t('longWait')}
    </p>
  );
}
