import type { Route } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../app/failure';
import { UpgradePrompt } from '../../domain/form/upgrade-prompt';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { ErrorState, Skeleton } from '../../ui/states';
import { subscriptionConfigOptions, useEnableIpv6 } from './queries';

/** IPv6 of the domain's subscription: one switch for all its names, and never off again. */
export default function Ipv6Card({ route }: { route: Route }) {
  const t = useTranslations('subscriptions');
  const cname = route.subscription_cname;
  const config = useQuery(subscriptionConfigOptions(cname));
  const enable = useEnableIpv6(cname);
  const [isAsking, setAsking] = useState(false);
  const isOn = config.data?.ipv6 ?? route.ipv6;
  return (
    <Card title={t('title')} description={t('body')}>
      {isOn ? (
        <>
          <p className="flex items-start gap-2 text-success">
            <CircleCheck size={18} className="mt-px shrink-0" aria-hidden />
            <span className="min-w-0 wrap-anywhere">{t('on', { cname })}</span>
          </p>
          <p className="mt-2 text-sm text-muted">
            {config.data && config.data.ipv6_addresses.length === 0 ? t('noAddresses') : t('never')}
          </p>
        </>
      ) : config.isError ? (
        <ErrorState
          className="py-4!"
          {...describeFailure(config.error)}
          onRetry={() => void config.refetch()}
          isRetrying={config.isFetching}
        />
      ) : !config.data ? (
        <Skeleton className="h-9 w-40" />
      ) : config.data.can_enable_ipv6 ? (
        <>
          <p className="mb-3 wrap-anywhere text-muted">{t('off', { cname })}</p>
          <Button size="sm" onClick={() => setAsking(true)}>
            {t('enable')}
          </Button>
        </>
      ) : (
        <UpgradePrompt reason="IPV6_NEEDS_VIP" />
      )}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t('confirm.title')}
        confirmLabel={t('enable')}
        onConfirm={() => enable.mutateAsync()}
      >
        {t('confirm.body', { cname })}
      </ConfirmDialog>
    </Card>
  );
}
