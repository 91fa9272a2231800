import { Ban } from 'lucide-react';
import { useId } from 'react';
import { useTranslations } from 'use-intl';
import { Callout } from '../../domain/form/callout';
import { Button } from '../../ui/button';
import { CloseButton } from '../../ui/closing';
import { Dialog } from '../../ui/dialog';
import { DomainFields, LengthFields, NetworksField, NoteField } from './add-bans-fields';
import { type AddBansStart, useAddBansForm } from './use-add-bans-form';
import { WideBansQuestion } from './wide-bans-question';

/** Bans many addresses and ranges, from one domain or from all. */
export default function AddBansDialog(start: AddBansStart) {
  const t = useTranslations('bans.add');
  const tUi = useTranslations('ui');
  const formId = useId();
  const form = useAddBansForm(start);
  const { networks, note } = form.values;
  const submit = (
    <Button type="submit" form={formId} variant="primary" icon={<Ban size={16} aria-hidden />} loading={form.isPending}>
      {form.networks.length > 1 ? t('submitMany', { count: form.networks.length }) : t('submit')}
    </Button>
  );
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && start.onClose()}
      title={t('title')}
      description={t('body')}
      busy={form.isPending}
      dirty={networks.join() !== (start.address ?? '') || note !== ''}
      footer={
        <>
          <CloseButton>{tUi('cancel')}</CloseButton>
          {submit}
        </>
      }
    >
      <form ref={form.element} id={formId} onSubmit={form.submit} noValidate className="flex flex-col gap-4">
        {form.failure && (
          <Callout tone="danger" role="alert">
            {form.failure}
          </Callout>
        )}
        <NetworksField form={form} />
        <DomainFields form={form} />
        <LengthFields form={form} />
        <NoteField form={form} />
      </form>
      <WideBansQuestion
        open={form.isAsking}
        onOpenChange={form.setAsking}
        networks={form.networks}
        onConfirm={form.send}
      />
    </Dialog>
  );
}
