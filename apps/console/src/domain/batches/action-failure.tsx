import { useTranslations } from 'use-intl';
import { isTransient } from '../../app/failure';
import { saidFailureTexts } from '../../app/save-failure';
import { Button } from '../../ui/button';
import { joinSentences } from '../../ui/sentences';
import { Callout } from '../form/callout';

interface ActionFailureProps {
  action: 'undo' | 'resume';
  error: unknown;
  isRetrying: boolean;
  onRetry: () => void;
}

/** What was pressed on a batch and not done: why, and Retry where that may help. Stays until it is tried again. */
export function ActionFailure({ action, error, isRetrying, onRetry }: ActionFailureProps) {
  const t = useTranslations();
  return (
    <Callout
      tone="danger"
      role="alert"
      className="mt-2 text-sm"
      actions={
        isTransient(error) && (
          <Button size="sm" loading={isRetrying} onClick={onRetry}>
            {t('ui.retry')}
          </Button>
        )
      }
    >
      <p className="font-medium">{t(`batches.notDone.${action}`)}</p>
      {joinSentences(saidFailureTexts(error))}
    </Callout>
  );
}
