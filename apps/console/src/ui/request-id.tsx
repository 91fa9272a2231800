import { useTranslations } from 'use-intl';
import { CopyButton } from './copy-button';

/** By which support finds the call that failed. */
export function RequestId({ id }: { id: string }) {
  const t = useTranslations('ui');
  return (
    <span className="inline-flex items-center gap-1 text-sm text-muted">
      <span className="whitespace-nowrap">{t('error.requestId')}</span>
      <code className="font-mono wrap-anywhere">{id}</code>
      <CopyButton value={id} label={t('error.copyRequestId')} copiedLabel={t('copied')} />
    </span>
  );
}
