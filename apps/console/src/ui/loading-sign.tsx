import { LoaderCircle } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';

/** What is quicker needs no sign. */
const SHOWN_AFTER_MS = 300;

interface LoadingSignProps {
  isLoading: boolean;
  /** Over the window, for what has no place of its own yet, such as a dialog. */
  isFixed?: boolean;
}

/** Says over rows that others are on their way, or over the window that what was asked for is, once they take their time. */
export function LoadingSign({ isLoading, isFixed }: LoadingSignProps) {
  const t = useTranslations('ui');
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (!isLoading) return setShown(false);
    const timer = window.setTimeout(() => setShown(true), SHOWN_AFTER_MS);
    return () => window.clearTimeout(timer);
  }, [isLoading]);
  return (
    <div
      role="status"
      className={`pointer-events-none flex justify-center ${isFixed ? 'fixed inset-0 z-50' : 'sticky top-20 z-10 h-0'}`}
    >
      {isShown && (
        <span className="mt-14 flex h-9 shrink-0 items-center gap-2 rounded-full bg-card px-4 text-sm shadow-float">
          <LoaderCircle size={16} className="animate-[spin_1s_linear_infinite]" aria-hidden />
          {t('table.loading')}
        </span>
      )}
    </div>
  );
}
