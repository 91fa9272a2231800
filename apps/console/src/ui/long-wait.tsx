import { useTranslations } from 'use-intl';

/** Says in a dialog that nothing has answered for long: closing it takes nothing back. */
export function LongWaitLine() {
  const t = useTranslations('ui');
  return (
    <p role="status" className="text-sm text-warning">
      {t('longWait')}
    </p>
  );
}
