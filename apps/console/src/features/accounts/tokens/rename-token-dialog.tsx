import { type ApiToken, TOKEN_NAME_CHARACTERS_MAX } from '@cordon/contract';
import { type FormEvent, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { fieldTexts } from '../../../app/failure';
import { useStandingError } from '../../../domain/form/use-standing-error';
import { useSaveErrorList } from '../../../domain/words/error-words';
import { Button } from '../../../ui/button';
import { CloseButton } from '../../../ui/closing';
import { Dialog } from '../../../ui/dialog';
import { Field } from '../../../ui/field';
import { useLeadToError } from '../../../ui/lead-to-error';
import { joinSentences } from '../../../ui/sentences';
import { TextInput } from '../../../ui/text-input';
import { useRenameToken } from './queries';

/** Another name for a token. */
export default function RenameTokenDialog({ token, onClose }: { token: ApiToken; onClose: () => void }) {
  const t = useTranslations('accounts.tokens');
  const tUi = useTranslations('ui');
  const formId = useId();
  const [name, setName] = useState(token.name);
  const rename = useRenameToken();
  const errorList = useSaveErrorList();
  const element = useRef<HTMLFormElement>(null);
  const leadToError = useLeadToError(element);
  const failure = useStandingError(rename.error, name);
  const error = failure ? (fieldTexts(failure).name ?? joinSentences(errorList(failure))) : undefined;
  const isNameless = name.trim() === '';
  function submit(event: FormEvent) {
    event.preventDefault();
    if (rename.isPending || isNameless) return;
    rename.mutate({ id: token.id, name: name.trim() }, { onSuccess: onClose, onError: leadToError });
  }
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('rename.title')}
      size="sm"
      busy={rename.isPending}
      dirty={name !== token.name}
      footer={
        <>
          <CloseButton>{tUi('cancel')}</CloseButton>
          <Button type="submit" form={formId} variant="primary" loading={rename.isPending} disabled={isNameless}>
            {t('rename.submit')}
          </Button>
        </>
      }
    >
      <form ref={element} id={formId} onSubmit={submit} noValidate>
        <Field label={t('form.name')} error={error}>
          <TextInput
            value={name}
            maxLength={TOKEN_NAME_CHARACTERS_MAX}
            autoComplete="off"
            onChange={(event) => {
              setName(event.target.value);
              if (rename.error) rename.reset();
            }}
          />
        </Field>
      </form>
    </Dialog>
  );
}
