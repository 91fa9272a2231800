import type { HealthState, RouteSummary } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { StatusBadge, type Tone } from '../../ui/badge';
import { isOperationRunning } from '../model/domain-state';
import { useShortFinding } from './health-words';

const TONES: Readonly<Record<HealthState, Tone>> = {
  ok: 'success',
  warning: 'warning',
  error: 'danger',
  off: 'neutral',
};

/** The health of a domain: what runs now, else its worst finding; further findings as a number with their names. */
export function HealthBadge({ route }: { route: Pick<RouteSummary, 'health' | 'operation'> }) {
  const t = useTranslations('health');
  const operations = useTranslations('domain.operation');
  const short = useShortFinding();
  if (isOperationRunning(route))
    return (
      <StatusBadge tone="primary" busy>
        {operations(`running.${route.operation?.action ?? 'deploy'}`)}
      </StatusBadge>
    );
  const { state, findings } = route.health;
  const [worst, ...others] = findings;
  return (
    <span className="inline-flex max-w-full items-center gap-1.5" title={worst && findings.map(short).join('\n')}>
      <StatusBadge tone={TONES[state]} className="min-w-0">
        <span className="truncate">{worst ? short(worst) : t('healthy')}</span>
      </StatusBadge>
      {others.length > 0 && (
        <span className="text-sm text-muted">
          <span aria-hidden>+{others.length}</span>
          <span className="sr-only">{t('more', { count: others.length })}</span>
        </span>
      )}
    </span>
  );
}
