import { PAUSE_MINUTES, type RouteSummary } from '@cordon/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Callout } from '../../../domain/form/callout';
import { Button } from '../../../ui/button';
import { RadioCards } from '../../../ui/choice';
import { CloseButton } from '../../../ui/closing';
import { Dialog } from '../../../ui/dialog';
import { FailureLine } from '../../../ui/failure-line';
import { useFailingHere } from '../../../ui/use-failing-here';
import { type PauseMinutes, usePauseRoute } from './queries';

const OPEN_END = 'open';

/** Asks for how long, and says what is off meanwhile. */
export default function PauseDialog({
  route,
  open,
  onOpenChange,
}: {
  route: RouteSummary;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const t = useTranslations('pause');
  const pause = usePauseRoute(route.id);
  const [value, setValue] = useState(String(PAUSE_MINUTES[0]));
  const { isRunning, failure, run } = useFailingHere(open, onOpenChange);
  async function submit() {
    const minutes: PauseMinutes = PAUSE_MINUTES.find((one) => String(one) === value) ?? null;
    await run(() => pause.mutateAsync(minutes));
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="sm"
      busy={isRunning}
      title={t('dialog.title', { name: route.domain_name_unicode })}
      description={t('dialog.body')}
      footer={
        <>
          <CloseButton>{t('dialog.cancel')}</CloseButton>
          <Button variant="danger" loading={isRunning} onClick={() => void submit()}>
            {t('dialog.confirm')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <RadioCards
          label={t('dialog.howLong')}
          value={value}
          onValueChange={setValue}
          options={[
            ...PAUSE_MINUTES.map((minutes) => ({
              value: String(minutes),
              label: t(`dialog.for.${minutes}`),
            })),
            { value: OPEN_END, label: t('dialog.for.open') },
          ]}
        />
        <Callout tone="warning">{t('dialog.warning')}</Callout>
        {route.traffic_action === 'redirect' && <p className="text-sm text-muted">{t('dialog.redirect')}</p>}
        {failure && <FailureLine failure={failure} />}
      </div>
    </Dialog>
  );
}
