import type { Route } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { StatusBadge } from '../../../ui/badge';

/** Whether the name points here; turns green without a reload, because the page keeps asking while it does not. */
export function CnameCheck({ route }: { route: Route }) {
  const t = useTranslations('domain.dns');
  const isVerified = route.ownership.state === 'verified';
  return (
    <span role="status">
      <StatusBadge tone={isVerified ? 'success' : 'warning'} busy={!isVerified}>
        {t(isVerified ? (route.ownership.method === 'demo' ? 'badge.demo' : 'badge.verified') : 'badge.pending')}
      </StatusBadge>
    </span>
  );
}
