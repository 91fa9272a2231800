import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../app/api-client';
import { subscriptionsQuery } from '../../app/subscriptions';
import { domainKeys } from '../../domain/data/keys';

const configKey = (cname: string) => ['subscriptions', 'config', cname] as const;

export const subscriptionConfigOptions = (cname: string) =>
  queryOptions({
    queryKey: configKey(cname),
    queryFn: async ({ signal }) => (await api.getSubscriptionConfig({ query: { cname }, signal })).result,
  });

export function useEnableIpv6(cname: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => (await api.configureSubscription({ body: { cname, ipv6: true } })).result,
    onSuccess: (config) => {
      client.setQueryData(configKey(cname), config);
      void client.invalidateQueries({ queryKey: domainKeys.details() });
      void client.invalidateQueries({ queryKey: subscriptionsQuery.queryKey, exact: true });
    },
  });
}
