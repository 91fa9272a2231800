import { useTranslations } from 'use-intl';

/** Says so: closing the dialog takes nothing back. */
export function LongWaitLine() {
  const t = useTranslations('ui');
  return (
    <p role="status" className="text-sm text-warning">
      {t('longWait')}
    </p>
  );
}
