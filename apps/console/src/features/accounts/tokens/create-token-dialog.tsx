import { TOKEN_DAYS_DEFAULT, TOKEN_NAME_CHARACTERS_MAX, type TokenScope } from '@cordon/contract';
import { type FormEvent, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { fieldTexts } from '../../../app/failure';
import { Callout } from '../../../domain/form/callout';
import { useStandingError } from '../../../domain/form/use-standing-error';
import { useUnplacedTexts } from '../../../domain/words/unplaced-texts';
import { Button } from '../../../ui/button';
import { CloseButton } from '../../../ui/closing';
import { Dialog } from '../../../ui/dialog';
import { Field } from '../../../ui/field';
import { useFormat } from '../../../ui/format';
import { useLeadToError } from '../../../ui/lead-to-error';
import { Select } from '../../../ui/select';
import { joinSentences } from '../../../ui/sentences';
import { TextInput } from '../../../ui/text-input';
import { MadeToken, useTriedDomain } from './made-token';
import { useCreateToken } from './queries';
import { ScopeChoice } from './scope-choice';
import { PRESETS, type Preset } from './token-scopes';

const DAY_MS = 86_400_000;
const DAYS = ['1', '7', '30', '90', '180', '365'] as const;
type Days = (typeof DAYS)[number];
const DEFAULT_DAYS: Days = DAYS.find((days) => Number(days) === TOKEN_DAYS_DEFAULT) ?? '90';
const FIELDS = new Set(['name', 'scopes', 'days']);

interface CreateTokenDialogProps {
  preset: Preset;
  /** The domain whose page has led here. */
  domainId: string | undefined;
  onClose: () => void;
}

/** Asks what a new token is for and may do, makes it, and shows its secret once. */
export default function CreateTokenDialog({ preset, domainId, onClose }: CreateTokenDialogProps) {
  const t = useTranslations('accounts.tokens');
  const tUi = useTranslations('ui');
  const words = useTranslations('fieldErrors');
  const format = useFormat();
  const formId = useId();
  const [name, setName] = useState('');
  const [days, setDays] = useState<Days>(DEFAULT_DAYS);
  const [scopes, setScopes] = useState<readonly TokenScope[]>(PRESETS[preset]);
  /** What is missing is said once it was tried. */
  const [isTried, setTried] = useState(false);
  const create = useCreateToken();
  const tried = useTriedDomain(domainId);
  const element = useRef<HTMLFormElement>(null);
  const leadToError = useLeadToError(element);
  const unplacedTexts = useUnplacedTexts();
  const refused: Partial<Record<string, string>> = create.error ? fieldTexts(create.error) : {};
  const other = joinSentences(unplacedTexts(useStandingError(create.error, name), (path) => FIELDS.has(path)));
  const isNameless = name.trim() === '';
  const nameError =
    name.trim().length > TOKEN_NAME_CHARACTERS_MAX
      ? words('TOO_LONG', { maximum: TOKEN_NAME_CHARACTERS_MAX })
      : isTried && isNameless
        ? words('REQUIRED')
        : refused.name;
  const scopesError = isTried && scopes.length === 0 ? t('form.scopesNone') : refused.scopes;
  const change = <Value,>(set: (value: Value) => void) => {
    return (value: Value) => {
      set(value);
      // It was about what has been changed since.
      if (create.error) create.reset();
    };
  };
  function submit(event: FormEvent) {
    event.preventDefault();
    if (create.isPending) return;
    setTried(true);
    if (isNameless || scopes.length === 0 || name.trim().length > TOKEN_NAME_CHARACTERS_MAX) return leadToError();
    create.mutate({ name: name.trim(), scopes: [...scopes], days: Number(days) }, { onError: leadToError });
  }
  const made = create.data;
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={made ? t('made.title') : t('create')}
      busy={create.isPending}
      dirty={!made && name !== ''}
      // The secret would be lost by a press beside it.
      keepOnOutsidePress={made !== undefined}
      footer={
        made ? (
          <CloseButton variant="primary">{t('made.done')}</CloseButton>
        ) : (
          <>
            <CloseButton>{tUi('cancel')}</CloseButton>
            <Button type="submit" form={formId} variant="primary" loading={create.isPending}>
              {t('form.submit')}
            </Button>
          </>
        )
      }
    >
      {made ? (
        <MadeToken secret={made.secret} scopes={made.scopes} preset={preset} tried={tried} />
      ) : (
        <form ref={element} id={formId} onSubmit={submit} noValidate className="flex flex-col gap-4">
          {other && (
            <Callout tone="danger" role="alert">
              {other}
            </Callout>
          )}
          <Field label={t('form.name')} hint={t('form.nameHint')} error={nameError}>
            <TextInput
              value={name}
              placeholder={t('form.nameExample')}
              autoComplete="off"
              onChange={(event) => change(setName)(event.target.value)}
            />
          </Field>
          <ScopeChoice value={scopes} onValueChange={change(setScopes)} error={scopesError} />
          <Field
            label={t('form.expires')}
            hint={t('form.expiresHint', { date: format.date(Date.now() + Number(days) * DAY_MS) })}
            error={refused.days}
          >
            <Select<Days>
              value={days}
              onValueChange={change(setDays)}
              options={DAYS.map((value) => ({ value, label: t('form.days', { days: Number(value) }) }))}
              className="w-60 phone:w-full"
            />
          </Field>
        </form>
      )}
    </Dialog>
  );
}
