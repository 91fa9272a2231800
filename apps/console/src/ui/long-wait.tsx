import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { failInNotices } from './notices';

/** From then on nobody believes that an answer comes in a moment. */
const LONG_MS = 10_000;

/** Whether what a dialog was asked for has been on its way for long: it may then be closed, whatever comes of it. */
export function useLongWait(busy: boolean): boolean {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (!busy) return;
    const timer = window.setTimeout(() => {
      setLong(true);
      // It may be closed when it fails.
      failInNotices();
    }, LONG_MS);
    return () => {
      window.clearTimeout(timer);
      setLong(false);
    };
  }, [busy]);
  return busy && isLong;
}

/** Says so: closing the dialog takes nothing back. */
export function LongWaitLine() {
  const t = useTranslations('ui');
  return (
    <p role="status" className="text-sm text-warning">
      {t('longWait')}
    </p>
  );
}
