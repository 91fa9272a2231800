import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../ui/button';
import { renewFailedParts } from '../ui/lazy-part';
import { ErrorState } from '../ui/states';
import { describeFailure } from './failure';

/** A screen that broke: the shell around it stays. */
export function ScreenError({ error, reset }: ErrorComponentProps) {
  const t = useTranslations('errors.broken');
  const router = useRouter();
  const { reasons, requestId } = describeFailure(error);
  useEffect(() => {
    console.error(error);
    renewFailedParts();
  }, [error]);
  return (
    <main className="grid min-h-[60dvh] place-items-center">
      <div>
        <ErrorState
          title={t('title')}
          reasons={[...reasons, t('hint')]}
          requestId={requestId}
          onRetry={() => {
            renewFailedParts();
            void router.invalidate();
            reset();
          }}
        />
        <p className="-mt-8 text-center">
          <Button variant="ghost" onClick={() => window.location.reload()}>
            {t('reload')}
          </Button>
        </p>
      </div>
    </main>
  );
}
