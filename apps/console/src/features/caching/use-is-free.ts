import type { Route } from '@cordon/contract';
import { useSubscriptions } from '../../app/subscriptions';

/** Whether a domain is of a free plan, which neither clears its cache nor prefetches; false until it is known. */
export function useIsFree({ subscription_cname: cname }: Pick<Route, 'subscription_cname'>): boolean {
  const { subscriptions } = useSubscriptions();
  return subscriptions?.find((one) => one.cname === cname)?.tier === 'free';
}
