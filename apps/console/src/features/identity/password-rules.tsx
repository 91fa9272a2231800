import { PASSWORD_CHARACTERS_MIN } from '@cordon/contract/constants';
import clsx from 'clsx';
import { Check, Circle } from 'lucide-react';
import { useTranslations } from 'use-intl';

/** What the provider will ask of a password, ticked off as one types. */
export function PasswordRules({ password, email }: { password: string; email: string }) {
  const t = useTranslations('identity');
  // Characters as people count them, not UTF-16 units.
  const length = [...password].length;
  const rules = [
    {
      id: 'length',
      isMet: length >= PASSWORD_CHARACTERS_MIN,
      text: t('rules.length', {
        minimum: PASSWORD_CHARACTERS_MIN,
        left: length === 0 ? 0 : Math.max(0, PASSWORD_CHARACTERS_MIN - length),
      }),
    },
    {
      id: 'not-email',
      isMet: length > 0 && password.toLowerCase() !== email.trim().toLowerCase(),
      text: t('rules.notEmail'),
    },
  ];
  return (
    <ul aria-label={t('rules.label')} className="flex flex-col gap-1 text-sm text-muted">
      {rules.map(({ id, isMet, text }) => (
        <li key={id} className={clsx('flex items-start gap-2', isMet && 'text-success')}>
          {isMet ? (
            <Check size={14} className="mt-0.5 shrink-0" aria-hidden />
          ) : (
            <Circle size={14} className="mt-0.5 shrink-0 p-0.5" aria-hidden />
          )}
          {text}
          <span className="sr-only"> ({t(isMet ? 'rules.met' : 'rules.unmet')})</span>
        </li>
      ))}
      <li className="flex items-start gap-2">
        <Circle size={14} className="mt-0.5 shrink-0 p-0.5" aria-hidden />
        {t('rules.breached')}
      </li>
    </ul>
  );
}
