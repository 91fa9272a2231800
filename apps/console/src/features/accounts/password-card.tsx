import { PASSWORD_CHARACTERS_MAX, PASSWORD_CHARACTERS_MIN } from '@cordon/contract/constants';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useBrand } from '../../app/brand';
import { fieldTexts } from '../../app/failure';
import { useStandingError } from '../../domain/form/use-standing-error';
import { useUnplacedTexts } from '../../domain/words/unplaced-texts';
import { Button, buttonClass } from '../../ui/button';
import { Card } from '../../ui/card';
import { Field } from '../../ui/field';
import { useLeadToError } from '../../ui/lead-to-error';
import { notify } from '../../ui/notices';
import { PasswordInput } from '../../ui/password-input';
import { joinSentences } from '../../ui/sentences';
import { useUnsavedChanges } from '../../ui/unsaved-changes';
import { useChangePassword } from './queries';

const NOTHING = { current_password: '', new_password: '' };
type Values = typeof NOTHING;

function PasswordForm() {
  const t = useTranslations('accounts.password');
  const error = useTranslations('fieldErrors');
  const capsLock = t('capsLock');
  const [values, setValues] = useState(NOTHING);
  /** Found before anything is sent. */
  const [found, setFound] = useState<Partial<Values>>({});
  const change = useChangePassword();
  useUnsavedChanges(values.current_password !== '' || values.new_password !== '');
  const element = useRef<HTMLFormElement>(null);
  const leadToError = useLeadToError(element);
  const refused: Partial<Record<string, string>> = change.error ? fieldTexts(change.error) : {};
  const unplacedTexts = useUnplacedTexts();
  const other = joinSentences(unplacedTexts(useStandingError(change.error, values), (path) => path in NOTHING));
  const set = (part: Partial<Values>) => {
    setValues((before) => ({ ...before, ...part }));
    setFound({});
    if (change.error) change.reset();
  };
  function submit(event: FormEvent) {
    event.preventDefault();
    if (change.isPending) return;
    const faults: Partial<Values> = {
      ...(values.current_password === '' && { current_password: error('REQUIRED') }),
      ...([...values.new_password].length < PASSWORD_CHARACTERS_MIN && { new_password: error('PASSWORD_TOO_SHORT') }),
    };
    setFound(faults);
    if (Object.keys(faults).length > 0) return leadToError();
    change.mutate(values, {
      onSuccess() {
        setValues(NOTHING);
        notify({ tone: 'success', title: t('changed') });
      },
      onError: leadToError,
    });
  }
  return (
    <form ref={element} onSubmit={submit} noValidate className="grid max-w-3xl items-start gap-4 sm:grid-cols-2">
      <Field label={t('current')} error={found.current_password ?? refused.current_password}>
        <PasswordInput
          words={{ show: t('showCurrent'), capsLock }}
          autoComplete="current-password"
          maxLength={PASSWORD_CHARACTERS_MAX}
          value={values.current_password}
          onChange={(event) => set({ current_password: event.target.value })}
        />
      </Field>
      <Field
        label={t('new')}
        hint={t('hint', { minimum: PASSWORD_CHARACTERS_MIN })}
        error={found.new_password ?? refused.new_password}
      >
        <PasswordInput
          words={{ show: t('showNew'), capsLock }}
          autoComplete="new-password"
          maxLength={PASSWORD_CHARACTERS_MAX}
          value={values.new_password}
          onChange={(event) => set({ new_password: event.target.value })}
        />
      </Field>
      {other && (
        <p role="alert" className="col-span-full text-sm text-danger">
          {other}
        </p>
      )}
      <div className="col-span-full flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button type="submit" loading={change.isPending}>
          {t('submit')}
        </Button>
        <p className="min-w-0 text-sm text-muted">{t('endsSessions')}</p>
      </div>
    </form>
  );
}

/** The password, where this deployment keeps it; else the way to where it is kept. */
export function PasswordCard() {
  const t = useTranslations('accounts.password');
  const { authority } = useBrand().oidc;
  const isOwn = new URL(authority).origin === window.location.origin;
  return (
    <Card title={t('title')}>
      {isOwn ? (
        <PasswordForm />
      ) : (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <a
            href={`${authority.replace(/\/$/, '')}/account`}
            target="_blank"
            rel="noreferrer"
            className={buttonClass('secondary')}
          >
            {t('external')}
          </a>
          <p className="min-w-0 text-sm text-muted">{t('externalHint')}</p>
        </div>
      )}
    </Card>
  );
}
