import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';

const APART = { margin: '0 0.5rem' };

/** A value that became another. `before` undefined: there was none to compare with. */
export function BeforeAfter({ before, after }: { before: ReactNode; after: ReactNode }) {
  const t = useTranslations('domain.changes');
  return (
    <span className="wrap-anywhere">
      {before !== undefined && (
        <>
          <span className="text-muted line-through">
            <span className="sr-only">{t('before')} </span>
            {before}
          </span>
          <ArrowRight size={14} style={APART} className="inline-block text-muted" aria-hidden />
        </>
      )}
      <span className="font-medium">
        <span className="sr-only">{t('after')} </span>
        {after}
      </span>
    </span>
  );
}
