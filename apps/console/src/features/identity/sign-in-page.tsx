import clsx from 'clsx';
import { Info } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useBrand } from '../../app/brand';
import { SIGNED_OUT_STORAGE_KEY } from '../../app/signed-out';
import { Button } from '../../ui/button';
import { useDocumentTitle } from '../../ui/document-title';
import { PasswordInput } from '../../ui/password-input';
import { TextInput } from '../../ui/text-input';
import { textLinkClass } from '../../ui/text-link-class';
import { FormState } from './form-state';
import { SteadyField } from './steady-field';
import { useInteractionForm } from './use-interaction-form';

interface SignInPageProps {
  uid: string;
  /** Says how it goes on after registering, in words that are true whether or not the address was known. */
  isAfterRegistration?: boolean;
  onExpired: () => void;
}

/** E-mail and password. */
export function SignInPage({ uid, isAfterRegistration, onExpired }: SignInPageProps) {
  const t = useTranslations('identity');
  const brand = useBrand();
  const [isSignedOut] = useState(() => window.sessionStorage.getItem(SIGNED_OUT_STORAGE_KEY) !== null);
  // Said once: loaded anew, the page is only one to sign in.
  useEffect(() => window.sessionStorage.removeItem(SIGNED_OUT_STORAGE_KEY), []);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const form = useInteractionForm({
    uid,
    form: 'login',
    values: () => ({ email: email.trim(), password }),
    check: () => ({
      ...(email.trim() === '' && { email: 'REQUIRED' }),
      ...(password === '' && { password: 'REQUIRED' }),
    }),
    onExpired,
  });
  useDocumentTitle(t('signIn.submit'));
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">{t('signIn.title', { brand: brand.name })}</h1>
      {(isAfterRegistration || isSignedOut) && (
        <p role="status" className="mt-4 flex gap-2 rounded-control bg-soft px-3 py-2.5 text-ink">
          <Info size={16} className="mt-0.5 shrink-0 text-primary-ink" aria-hidden />
          {t(isAfterRegistration ? 'signIn.afterRegistration' : 'signIn.signedOutElsewhere')}
        </p>
      )}
      <form noValidate onSubmit={form.onSubmit} className="mt-5 flex flex-col gap-2">
        <SteadyField label={t('email')} error={form.errorOf('email')}>
          <TextInput
            name="email"
            type="email"
            autoComplete="username"
            inputMode="email"
            required
            autoFocus
            value={email}
            onChange={(event) => {
              setEmail(event.target.value);
              form.clearError('email');
            }}
          />
        </SteadyField>
        <SteadyField label={t('password')} error={form.errorOf('password')}>
          <PasswordInput
            words={{ show: t('showPassword'), capsLock: t('capsLock') }}
            name="password"
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => {
              setPassword(event.target.value);
              form.clearError('password');
            }}
          />
        </SteadyField>
        <Button type="submit" variant="primary" size="lg" loading={form.isSending} className="mt-1 w-full">
          {t('signIn.submit')}
        </Button>
        <FormState form={form} />
      </form>
      <p className="mt-1 text-center text-muted">
        {t.rich('signIn.noAccount', {
          link: (chunks) => (
            <a
              className={clsx(textLinkClass, 'touch:-mx-2 touch:inline-block touch:px-2 touch:py-2.5')}
              href={`#/pages/register?interaction=${encodeURIComponent(uid)}`}
            >
              {chunks}
            </a>
          ),
        })}
      </p>
    </>
  );
}
