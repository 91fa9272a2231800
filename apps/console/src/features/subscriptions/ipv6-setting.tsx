import type { Route } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../app/failure';
import { PlanLimitLine } from '../../domain/form/upgrade-prompt';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { joinSentences } from '../../ui/sentences';
import { Skeleton } from '../../ui/states';
import { subscriptionConfigOptions, useEnableIpv6 } from './queries';

/** IPv6 of the domain's subscription in one line: one switch for all its names, and never off again. */
export default function Ipv6Setting({ route }: { route: Route }) {
  const t = useTranslations('subscriptions');
  const cname = route.subscription_cname;
  const config = useQuery(subscriptionConfigOptions(cname));
  const enable = useEnableIpv6(cname);
  const [isAsking, setAsking] = useState(false);
  if (config.data?.ipv6 ?? route.ipv6) {
    const hasNone = config.data?.ipv6_addresses.length === 0;
    return (
      <p className="min-w-0">
        {t('on')} <span className="text-sm text-muted">{t(hasNone ? 'noAddresses' : 'never')}</span>
      </p>
    );
  }
  if (config.isLoadingError)
    return (
      <>
        <span className="min-w-0 text-sm text-danger">{joinSentences(describeFailure(config.error).reasons)}</span>
        <Button size="sm" loading={config.isFetching} onClick={() => void config.refetch()}>
          {t('retry')}
        </Button>
      </>
    );
  if (!config.data) return <Skeleton className="h-5 w-40" />;
  if (!config.data.can_enable_ipv6) return <PlanLimitLine reason="IPV6_NEEDS_VIP" />;
  return (
    <>
      <span title={t('offWhere', { cname })}>{t('off')}</span>
      <Button size="sm" onClick={() => setAsking(true)}>
        {t('enable')}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t('confirm.title')}
        confirmLabel={t('enable')}
        onConfirm={() => enable.mutateAsync()}
      >
        {t('confirm.body')}
      </ConfirmDialog>
    </>
  );
}
