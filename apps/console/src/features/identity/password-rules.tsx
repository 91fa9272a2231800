import { PASSWORD_CHARACTERS_MIN } from '@cordon/contract/constants';
import clsx from 'clsx';
import { Check, Circle, CircleX } from 'lucide-react';
import { useTranslations } from 'use-intl';

type State = 'met' | 'unmet' | 'broken';

const icons = { met: Check, unmet: Circle, broken: CircleX };

/** What the provider refuses a password for, each of which is one of the rules. */
const RULE_CODES: readonly string[] = ['REQUIRED', 'PASSWORD_TOO_SHORT', 'PASSWORD_IS_EMAIL', 'PASSWORD_BREACHED'];

/** Whether a refusal is told by the rules. */
export const isRule = (code: string | undefined): boolean => code !== undefined && RULE_CODES.includes(code);

interface PasswordRulesProps {
  password: string;
  email: string;
  /** Code of what was refused of this password. */
  refused: string | undefined;
}

/** What the provider asks of a password, ticked off as one types and marked where it was refused. */
export function PasswordRules({ password, email, refused }: PasswordRulesProps) {
  const t = useTranslations('identity');
  // Characters as people count them, not UTF-16 units.
  const length = [...password].length;
  const isEmail = length > 0 && password.toLowerCase() === email.trim().toLowerCase();
  const isTooShort = refused === 'REQUIRED' || refused === 'PASSWORD_TOO_SHORT';
  const rules: { id: string; state: State; text: string }[] = [
    {
      id: 'length',
      state: length >= PASSWORD_CHARACTERS_MIN ? 'met' : isTooShort ? 'broken' : 'unmet',
      text: t('rules.length', {
        minimum: PASSWORD_CHARACTERS_MIN,
        left: length === 0 ? 0 : Math.max(0, PASSWORD_CHARACTERS_MIN - length),
      }),
    },
    {
      id: 'not-email',
      state: isEmail || refused === 'PASSWORD_IS_EMAIL' ? 'broken' : length > 0 ? 'met' : 'unmet',
      text: t('rules.notEmail'),
    },
    {
      id: 'not-breached',
      state: refused === 'PASSWORD_BREACHED' ? 'broken' : 'unmet',
      text: t(refused === 'PASSWORD_BREACHED' ? 'errors.PASSWORD_BREACHED' : 'rules.breached'),
    },
  ];
  return (
    <ul aria-label={t('rules.label')} className="flex flex-col gap-1">
      {rules.map(({ id, state, text }) => {
        const Icon = icons[state];
        return (
          <li
            key={id}
            data-state={state}
            className={clsx(
              'flex items-start gap-2',
              state === 'met' && 'text-success',
              state === 'broken' && 'text-danger',
            )}
          >
            <Icon size={14} className={clsx('mt-0.5 shrink-0', state === 'unmet' && 'p-0.5')} aria-hidden />
            {text}
            <span className="sr-only"> {t(`rules.${state}`)}</span>
          </li>
        );
      })}
    </ul>
  );
}
