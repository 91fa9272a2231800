import { PASSWORD_CHARACTERS_MIN, USER_NAME_CHARACTERS_MAX } from '@cordon/contract/constants';
import clsx from 'clsx';
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useIntlState } from '../../app/intl-store';
import { Button } from '../../ui/button';
import { Checkbox } from '../../ui/checkbox';
import { useDocumentTitle } from '../../ui/document-title';
import { Field } from '../../ui/field';
import { PasswordInput } from '../../ui/password-input';
import { TextInput } from '../../ui/text-input';
import { textLinkClass } from '../../ui/text-link-class';
import { FormState } from './form-state';
import { TERMS_VERSION } from './interaction';
import { isRule, PasswordRules } from './password-rules';
import { SteadyField } from './steady-field';
import { TermsLink } from './terms';
import { useInteractionForm } from './use-interaction-form';

interface RegisterPageProps {
  uid: string;
  termsVersion?: string;
  termsUrl?: string | null;
  onExpired: () => void;
}

interface RegisterValues {
  email: string;
  name: string;
  password: string;
  /** Whether they are accepted. */
  terms: boolean;
}

function useRegisterForm({ uid, termsVersion, onExpired }: RegisterPageProps) {
  const { locale } = useIntlState();
  const [values, setValues] = useState<RegisterValues>({ email: '', name: '', password: '', terms: false });
  const { name, password, terms } = values;
  const email = values.email.trim();
  const form = useInteractionForm({
    uid,
    form: 'register',
    values: () => ({
      email,
      password,
      ...(name.trim() !== '' && { name: name.trim() }),
      locale,
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      terms_version: termsVersion ?? TERMS_VERSION,
    }),
    check: () => ({
      ...(!/^\S+@\S+$/.test(email) && { email: email === '' ? 'REQUIRED' : 'EMAIL_INVALID' }),
      ...(name.trim().length > USER_NAME_CHARACTERS_MAX && { name: 'NAME_TOO_LONG' }),
      ...([...password].length < PASSWORD_CHARACTERS_MIN && { password: 'PASSWORD_TOO_SHORT' }),
      ...(!terms && { terms: 'TERMS_REQUIRED' }),
    }),
    onExpired,
  });
  return {
    ...form,
    values,
    set<Name extends keyof RegisterValues>(field: Name, value: RegisterValues[Name]) {
      setValues((before) => ({ ...before, [field]: value }));
      form.clearError(field);
    },
  };
}

interface PartProps {
  form: ReturnType<typeof useRegisterForm>;
}

/** Who registers, and the password. */
function AccountFields({ form: { values, set, errorOf, codeOf } }: PartProps) {
  const t = useTranslations('identity');
  const refused = codeOf('password');
  return (
    <>
      <SteadyField label={t('email')} error={errorOf('email')}>
        <TextInput
          name="email"
          type="email"
          autoComplete="username"
          inputMode="email"
          required
          autoFocus
          maxLength={254}
          value={values.email}
          onChange={(event) => set('email', event.target.value)}
        />
      </SteadyField>
      <SteadyField label={t('name')} aside={t('optional')} error={errorOf('name')}>
        <TextInput
          name="name"
          autoComplete="name"
          value={values.name}
          onChange={(event) => set('name', event.target.value)}
        />
      </SteadyField>
      <Field
        label={t('password')}
        error={isRule(refused) ? undefined : errorOf('password')}
        hint={<PasswordRules password={values.password} email={values.email} refused={refused} />}
      >
        <PasswordInput
          words={{ show: t('showPassword'), capsLock: t('capsLock') }}
          name="password"
          autoComplete="new-password"
          required
          aria-invalid={refused ? true : undefined}
          maxLength={256}
          value={values.password}
          onChange={(event) => set('password', event.target.value)}
        />
      </Field>
    </>
  );
}

function TermsField({ form: { values, set, errorOf }, url }: PartProps & { url: string | null | undefined }) {
  const t = useTranslations('identity');
  const error = errorOf('terms') ?? errorOf('terms_version');
  return (
    <div className="mt-2 flex flex-col gap-1.5">
      <Checkbox
        name="terms"
        label={t.rich('terms', { link: (chunks) => <TermsLink url={url}>{chunks}</TermsLink> })}
        checked={values.terms}
        onChange={(event) => set('terms', event.target.checked)}
        aria-invalid={error ? true : undefined}
      />
      <p role="alert" className="flex gap-1.5 text-sm text-danger">
        {error ? <CircleAlert size={14} className="mt-0.5 shrink-0" aria-hidden /> : '\u00A0'}
        {error}
      </p>
    </div>
  );
}

/** A new account; the provider has the last word on the password. */
export function RegisterPage(props: RegisterPageProps) {
  const t = useTranslations('identity');
  const form = useRegisterForm(props);
  const title = t('register.title');
  useDocumentTitle(title);
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
      <p className="mt-1 text-muted">{t('register.intro')}</p>
      <form noValidate onSubmit={form.onSubmit} className="mt-5 flex flex-col gap-4">
        <AccountFields form={form} />
        <TermsField form={form} url={props.termsUrl} />
        <Button type="submit" variant="primary" size="lg" loading={form.isSending} className="mt-1 w-full">
          {t('register.submit')}
        </Button>
        <FormState form={form} />
      </form>
      <p className="mt-1 text-center text-muted">
        {t.rich('register.hasAccount', {
          link: (chunks) => (
            <a
              className={clsx(textLinkClass, 'touch:-mx-2 touch:inline-block touch:px-2 touch:py-2.5')}
              href={`#/pages/login?interaction=${encodeURIComponent(props.uid)}`}
            >
              {chunks}
            </a>
          ),
        })}
      </p>
    </>
  );
}
