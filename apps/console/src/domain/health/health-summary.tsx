import type { Health } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { StatusBadge, type Tone } from '../../ui/badge';

const TONES: Readonly<Record<Health['state'], Tone>> = {
  error: 'danger',
  warning: 'warning',
  off: 'neutral',
  ok: 'success',
};

/** The judgement of a domain in one line: how many findings need a hand, and what visitors meet. `children` instead of the latter. */
export function HealthSummary({ health, children }: { health: Health; children?: string | undefined }) {
  const t = useTranslations('health');
  const { state, findings } = health;
  const isUnwell = (state === 'error' || state === 'warning') && findings.length > 0;
  return (
    <>
      <StatusBadge tone={TONES[state]}>
        {isUnwell ? t(state === 'error' ? 'toFix' : 'toLookAt', { count: findings.length }) : t(`state.${state}`)}
      </StatusBadge>
      <p className="min-w-0 flex-1 basis-40 font-semibold" role="status" data-health={state}>
        {children ?? t(`title.${state}`)}
      </p>
    </>
  );
}
