import { useTranslations } from 'use-intl';
import { failInNotices } from './notices';
import { useLong } from './use-long';

/** Whether what a dialog was asked for has been on its way for long: it may then be closed, whatever comes of it, also when it fails. */
export const useLongWait = (busy: boolean): boolean => useLong(busy, failInNotices);

/** Says so: closing the dialog takes nothing back. */
export function LongWaitLine() {
  const t = useTranslations('ui');
  return (
    <p role="status" className="text-sm text-warning">
      {t('longWait')}
    </p>
  );
}
