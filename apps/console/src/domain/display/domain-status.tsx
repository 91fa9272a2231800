import type { RouteSummary } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { Badge, StatusBadge } from '../../ui/badge';
import { domainBadge, isWaitingForDns } from '../model/domain-state';

type Subject = Pick<
  RouteSummary,
  'status' | 'last_deployed' | 'ownership_state' | 'operation' | 'pending_changes' | 'suspension'
> &
  Partial<Pick<RouteSummary, 'is_paused'>>;

/** Status of a domain in words: that it is suspended, what runs now, else its status, and whether its name still has to point here. */
export function DomainStatus({ route }: { route: Subject }) {
  const t = useTranslations('domain');
  const { message, tone, isBusy } = domainBadge(route);
  const action = route.operation?.action ?? 'deploy';
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5 phone:justify-end">
      <StatusBadge tone={tone} busy={isBusy}>
        {message === 'operation_running'
          ? t(`operation.running.${action}`)
          : message === 'operation_failed'
            ? t(`operation.short_failed.${action}`)
            : t(`status.${message}`)}
      </StatusBadge>
      {route.is_paused && route.suspension === null && <Badge tone="warning">{t('status.paused')}</Badge>}
      {isWaitingForDns(route) && <Badge tone="warning">{t('status.waiting_for_dns')}</Badge>}
    </span>
  );
}
