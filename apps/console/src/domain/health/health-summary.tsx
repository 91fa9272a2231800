import type { Health } from '@cordon/contract';
import { CircleCheck } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { StatusBadge } from '../../ui/badge';
import { useShortFinding } from './health-words';

const TONES = { error: 'danger', warning: 'warning' } as const;

/**
 * The judgement of a domain in one line: how many findings need a hand, and what visitors meet. `children`: what runs now, instead.
 * That it is healthy stands in the page's header already. `title`: what is said in place of the judgement's own words.
 */
export function HealthSummary({
  health,
  title,
  children,
}: {
  health: Health;
  title?: string | undefined;
  children?: string | undefined;
}) {
  const t = useTranslations('health');
  const short = useShortFinding();
  const { state, findings } = health;
  if (children !== undefined)
    return (
      <p className="min-w-0 flex-1 basis-40" role="status" data-health={state}>
        <StatusBadge tone="primary" busy>
          {children}
        </StatusBadge>
      </p>
    );
  const isUnwell = (state === 'error' || state === 'warning') && findings.length > 0;
  return (
    <>
      {state === 'ok' && <CircleCheck size={18} aria-hidden className="shrink-0 text-success" />}
      {(state === 'error' || state === 'warning') && (
        <StatusBadge tone={TONES[state]}>
          {isUnwell ? t('toFix', { count: findings.length }) : t(`state.${state}`)}
        </StatusBadge>
      )}
      <p className="min-w-0 flex-1 basis-40 font-semibold" role="status" data-health={state}>
        {title ?? (state === 'off' && findings[0] ? short(findings[0]) : t(`title.${state}`))}
      </p>
    </>
  );
}
