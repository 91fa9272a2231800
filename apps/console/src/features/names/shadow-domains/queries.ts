import type { Route, ShadowDomain } from '@cordon/contract';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../app/api-client';
import { subscriptionKeys } from '../../../app/keys';
import { domainKeys, type ShadowDomainQuery } from '../../../domain/data/keys';

export const shadowDomainsOptions = (id: string, query: ShadowDomainQuery) =>
  queryOptions({
    queryKey: domainKeys.shadowDomainPage(id, query),
    queryFn: ({ signal }) => api.listShadowDomains({ params: { id }, query, signal }),
    placeholderData: keepPreviousData,
  });

function useTakeChange(id: string) {
  const client = useQueryClient();
  return (route: Route) => {
    client.setQueryData(domainKeys.route(id), route);
    void client.invalidateQueries({ queryKey: domainKeys.shadowDomains(id) });
    void client.invalidateQueries({ queryKey: domainKeys.lists() });
    void client.invalidateQueries({ queryKey: subscriptionKeys.all });
  };
}

/** Adds all or none; its dialog shows the errors. */
export function useAddShadowDomains(id: string) {
  const take = useTakeChange(id);
  return useMutation({
    mutationFn: async (names: readonly string[]) =>
      (await api.addShadowDomains({ params: { id }, body: { names: [...names] } })).result,
    onSuccess: take,
    meta: { isSilent: true },
  });
}

export function useRemoveShadowDomains(id: string) {
  const take = useTakeChange(id);
  return useMutation({
    mutationFn: async (names: readonly string[]) =>
      (await api.removeShadowDomains({ params: { id }, body: { names: [...names] } })).result,
    onSuccess: take,
  });
}

export function usePromoteShadowDomain(id: string) {
  const take = useTakeChange(id);
  return useMutation({
    mutationFn: async (name: string) => (await api.promoteShadowDomain({ params: { id }, body: { name } })).result,
    onSuccess: take,
  });
}

/** Looks at DNS now and shows what was found wherever the shadow domain is on the screen. */
export function useVerifyShadowDomains(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (names: readonly string[]) =>
      (await api.verifyShadowDomains({ params: { id }, body: { names: [...names] } })).result,
    onSuccess: (found) => {
      const byName = new Map(found.map((one) => [one.name, one]));
      client.setQueriesData<{ results: ShadowDomain[] }>(
        { queryKey: domainKeys.shadowDomains(id) },
        (page) => page && { ...page, results: page.results.map((one) => byName.get(one.name) ?? one) },
      );
    },
    meta: { isSilent: true },
  });
}
