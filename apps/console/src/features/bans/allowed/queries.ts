import type { CallInput, CallOutput } from '@cordon/contract';
import type { PluginOperations } from '@cordon/plugins/operations';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../app/api-client';

export type AllowedNetwork = CallOutput<PluginOperations['listAllowedNetworks']>['results'][number];
export type NewNetworks = CallInput<PluginOperations['allowNetworks']>['body'];
export type AllowedResult = CallOutput<PluginOperations['allowNetworks']>['result'];
export type Removal = CallInput<PluginOperations['removeAllowedNetworks']>['body'];

export const allowListKeys = {
  all: ['allowed-networks'] as const,
  list: (query: AllowListQuery) => [...allowListKeys.all, 'list', query] as const,
};

export interface AllowListQuery {
  readonly page: number;
  readonly perpage: number;
  readonly q?: string | undefined;
}

/** What has ended leaves the list. */
const POLL_MS = 30_000;

export const allowListOptions = (query: AllowListQuery, isHeld: boolean) =>
  queryOptions({
    queryKey: allowListKeys.list(query),
    queryFn: ({ signal }) => api.listAllowedNetworks({ query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: isHeld ? false : POLL_MS,
  });

export const edgeAddressesOptions = queryOptions({
  queryKey: ['edge-addresses'],
  queryFn: async ({ signal }) => (await api.listEdgeAddresses({ query: {}, signal })).result.addresses,
});

/** Takes entries off the list. Its notice says how it went. */
export function useRemoveNetworks() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: Removal) => (await api.removeAllowedNetworks({ body })).result,
    onSettled: () => client.invalidateQueries({ queryKey: allowListKeys.all }),
    meta: { isSilent: true },
  });
}

/** Brings back what a removal took. Its notice says how it went. */
export function useRestoreNetworks() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (removalId: string) =>
      (await api.restoreAllowedNetworks({ body: { removal_id: removalId } })).result,
    onSettled: () => client.invalidateQueries({ queryKey: allowListKeys.all }),
    meta: { isSilent: true },
  });
}
