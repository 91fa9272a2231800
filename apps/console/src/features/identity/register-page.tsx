import { PASSWORD_CHARACTERS_MIN } from '@cordon/contract/constants';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useIntlState } from '../../app/intl-store';
import { Button } from '../../ui/button';
import { Checkbox } from '../../ui/choice';
import { Field } from '../../ui/field';
import { TextInput } from '../../ui/text-input';
import { textLinkClass } from '../../ui/text-link-class';
import { TERMS_VERSION } from './interaction';
import { PasswordInput } from './password-input';
import { PasswordRules } from './password-rules';
import { FormError } from './sign-in-page';
import { useInteractionForm } from './use-interaction-form';

/** A new account; the provider has the last word on the password. */
export function RegisterPage({
  uid,
  termsVersion,
  onExpired,
}: {
  uid: string;
  termsVersion?: string;
  onExpired: () => void;
}) {
  const t = useTranslations('identity');
  const { locale } = useIntlState();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [hasAccepted, setAccepted] = useState(false);
  const form = useInteractionForm({
    uid,
    form: 'register',
    values: () => ({
      email: email.trim(),
      password,
      ...(name.trim() !== '' && { name: name.trim() }),
      locale,
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      terms_version: termsVersion ?? TERMS_VERSION,
    }),
    check: () => ({
      ...(!/^\S+@\S+$/.test(email.trim()) && { email: email.trim() === '' ? 'REQUIRED' : 'EMAIL_INVALID' }),
      ...([...password].length < PASSWORD_CHARACTERS_MIN && { password: 'PASSWORD_TOO_SHORT' }),
      ...(!hasAccepted && { terms: 'TERMS_REQUIRED' }),
    }),
    onExpired,
  });
  const termsError = form.errorOf('terms') ?? form.errorOf('terms_version');
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">{t('register.title')}</h1>
      <p className="mt-1 text-muted">{t('register.intro')}</p>
      <form noValidate onSubmit={form.onSubmit} className="mt-6 flex flex-col gap-4">
        <FormError text={form.error} />
        <Field label={t('email')} error={form.errorOf('email')}>
          <TextInput
            name="email"
            type="email"
            autoComplete="username"
            inputMode="email"
            required
            autoFocus
            maxLength={254}
            value={email}
            onChange={(event) => {
              setEmail(event.target.value);
              form.clearError('email');
            }}
          />
        </Field>
        <Field label={t('name')} aside={t('optional')} error={form.errorOf('name')}>
          <TextInput
            name="name"
            autoComplete="name"
            maxLength={100}
            value={name}
            onChange={(event) => {
              setName(event.target.value);
              form.clearError('name');
            }}
          />
        </Field>
        <Field
          label={t('password')}
          error={form.errorOf('password')}
          hint={<PasswordRules password={password} email={email} />}
        >
          <PasswordInput
            name="password"
            autoComplete="new-password"
            required
            maxLength={256}
            value={password}
            onChange={(event) => {
              setPassword(event.target.value);
              form.clearError('password');
            }}
          />
        </Field>
        <div>
          <Checkbox
            name="terms"
            label={t('terms')}
            checked={hasAccepted}
            onChange={(event) => {
              setAccepted(event.target.checked);
              form.clearError('terms');
            }}
            aria-invalid={termsError ? true : undefined}
          />
          {termsError && (
            <p role="alert" className="mt-1 text-sm text-danger">
              {termsError}
            </p>
          )}
        </div>
        <Button type="submit" variant="primary" size="lg" loading={form.isSending} className="mt-1 w-full">
          {t('register.submit')}
        </Button>
      </form>
      <p className="mt-6 text-center text-muted">
        {t.rich('register.hasAccount', {
          link: (chunks) => (
            <a className={textLinkClass} href={`#/pages/login?interaction=${encodeURIComponent(uid)}`}>
              {chunks}
            </a>
          ),
        })}
      </p>
    </>
  );
}
