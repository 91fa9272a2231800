import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Callout } from '../../domain/form/callout';
import { Button } from '../../ui/button';
import { RadioCards } from '../../ui/choice';
import { CloseButton } from '../../ui/closing';
import { Dialog } from '../../ui/dialog';
import { notify } from '../../ui/notices';
import { useStartAttackMode } from './queries';

const MINUTES = ['15', '60', '360', '1440'] as const;

/** Asks for how long, and says what visitors meet meanwhile. Without a domain it is about all of the account. */
export default function AttackDialog({
  route,
  open,
  onOpenChange,
}: {
  route?: { readonly id: string; readonly domain_name_unicode: string } | undefined;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const t = useTranslations('attackMode');
  const start = useStartAttackMode(route?.id ?? null);
  const [minutes, setMinutes] = useState<string>('60');
  async function submit() {
    try {
      await start.mutateAsync(Number(minutes) * 60);
      onOpenChange(false);
      notify({ tone: 'success', title: t('started') });
    } catch {
      // Told by its notice; the dialog stays.
    }
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="sm"
      busy={start.isPending}
      title={route ? t('dialog.title', { name: route.domain_name_unicode }) : t('dialog.titleAll')}
      description={t('dialog.body')}
      footer={
        <>
          <CloseButton>{t('dialog.cancel')}</CloseButton>
          <Button variant="primary" loading={start.isPending} onClick={() => void submit()}>
            {t('dialog.confirm')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <RadioCards
          label={t('dialog.howLong')}
          value={minutes}
          onValueChange={setMinutes}
          options={MINUTES.map((value) => ({ value, label: t(`dialog.for.${value}`) }))}
        />
        <Callout tone="warning">{t('dialog.warning')}</Callout>
      </div>
    </Dialog>
  );
}
