import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../app/api-client';
import { subscriptionKeys } from '../../app/keys';
import { domainKeys } from '../../domain/data/keys';

export const subscriptionConfigOptions = (cname: string) =>
  queryOptions({
    queryKey: subscriptionKeys.config(cname),
    queryFn: async ({ signal }) => (await api.getSubscriptionConfig({ query: { cname }, signal })).result,
  });

export function useEnableIpv6(cname: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => (await api.configureSubscription({ body: { cname, ipv6: true } })).result,
    onSuccess: (config) => {
      client.setQueryData(subscriptionKeys.config(cname), config);
      void client.invalidateQueries({ queryKey: domainKeys.details() });
      void client.invalidateQueries({ queryKey: subscriptionKeys.list() });
    },
  });
}
