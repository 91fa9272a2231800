import type { Subscription } from '@cordon/contract';
import { useTranslations } from 'use-intl';

/** Name of a subscription's plan as people read it: the free one has a name in each language, the others are product names. */
export function usePlanName(): (subscription: Pick<Subscription, 'plan_name'>) => string {
  const t = useTranslations('shell.subscription');
  return ({ plan_name: name }) => (name === 'Free' ? t('free') : name);
}
