import { useQuery } from '@tanstack/react-query';
import { ChevronsUpDown } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button';
import { Menu } from '../../ui/menu';
import { Skeleton } from '../../ui/states';
import { useBrand } from '../brand';
import { usePlanName } from '../plan-name';
import { selectSubscription, subscriptionsOptions, useSubscriptions } from '../subscriptions';

/** The subscription that lists are about, with what is used of it, and the choice of another. */
export default function SubscriptionSelector() {
  const t = useTranslations('shell');
  const { subscriptions, selected } = useSubscriptions();
  const planName = usePlanName();
  const { support_email: email } = useBrand();
  const { isError, isFetching, refetch } = useQuery(subscriptionsOptions);
  if (!subscriptions && isError)
    return (
      <Button loading={isFetching} onClick={() => void refetch()} className="min-w-0 shrink!">
        <span className="min-w-0 truncate text-sm">{t('subscription.failed')}</span>
      </Button>
    );
  if (!subscriptions) return <Skeleton className="h-9 w-44" />;
  if (!selected) return null;
  return (
    <Menu
      trigger={
        <Button
          aria-label={t('subscription.choose', {
            name: t('subscription.plan', { plan: planName(selected), czone: selected.czone }),
          })}
          title={selected.cname}
          className="min-w-0 shrink! justify-between!"
        >
          <span className="min-w-0 truncate text-sm">{planName(selected)}</span>
          <span className="min-w-0 truncate text-sm text-muted phone:hidden">
            {t('subscription.zone', { czone: selected.czone })}
          </span>
          <ChevronsUpDown size={14} aria-hidden className="shrink-0 text-muted" />
        </Button>
      }
      groups={() => [
        subscriptions.map((one) => ({
          id: one.id,
          label: t('subscription.plan', { plan: planName(one), czone: one.czone }),
          description: (
            <>
              {t('subscription.used', {
                used: one.usage.domains,
                total: one.features.domains + one.additional_domain_number,
              })}
              <span className="block wrap-anywhere">{one.cname}</span>
            </>
          ),
          checked: one.id === selected.id,
          onSelect: () => selectSubscription(one.cname),
        })),
        ...(email === ''
          ? []
          : [[{ id: 'upgrade', label: t('subscription.upgrade'), description: email, href: `mailto:${email}` }]]),
      ]}
    />
  );
}
