import type { Subscription } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { usePlanName } from '../../../app/plan-name';
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
  const planName = usePlanName();
  return (
    <Select
      label={t('filter.subscription')}
      className="w-40 shrink-0"
      options={[
        { value: ALL, label: t('filter.allSubscriptions') },
        ...subscriptions.map((one) => ({ value: one.cname, label: planName(one), description: one.cname })),
      ]}
      value={value ?? ALL}
      onValueChange={(cname) => onValueChange(cname === ALL ? undefined : cname)}
    />
  );
}
