import type { Subscription } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { Select } from '../../../ui/select';

const ALL = 'all';

/** Which subscription's domains the list shows. */
export default function SubscriptionFilter({
  subscriptions,
  value,
  onValueChange,
}: {
  subscriptions: readonly Subscription[];
  value: string | undefined;
  onValueChange: (cname: string | undefined) => void;
}) {
  const t = useTranslations('domain.list');
  return (
    <Select
      label={t('filter.subscription')}
      className="w-40 shrink-0"
      options={[
        { value: ALL, label: t('filter.allSubscriptions') },
        ...subscriptions.map(({ cname, plan_name: plan }) => ({ value: cname, label: plan, description: cname })),
      ]}
      value={value ?? ALL}
      onValueChange={(cname) => onValueChange(cname === ALL ? undefined : cname)}
    />
  );
}
