import type { CallInput, Operations, SslConfig } from '@cordon/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../app/api-client';
import { domainKeys } from '../../domain/data/keys';

export type SslChange = CallInput<Operations['updateSslConfig']>['body'];

const sslKey = (routeId: string) => [...domainKeys.detail(routeId), 'ssl'] as const;

/** How often it is asked which nodes have a change: most have it within a second. */
const POLL_MS = 1_000;

export const sslOptions = (routeId: string) =>
  queryOptions<SslConfig>({
    queryKey: sslKey(routeId),
    queryFn: async ({ signal }) => (await api.getSslConfig({ params: { id: routeId }, signal })).result,
    refetchInterval: ({ state }) => (state.data?.change?.state === 'running' ? POLL_MS : false),
  });

/**
 * Shown as changed at once, and as it was where it could not be changed.
 * @param how Silent: who asks says why.
 */
export function useUpdateSsl(routeId: string, how: { readonly isSilent?: boolean } = {}) {
  const client = useQueryClient();
  const key = sslKey(routeId);
  return useMutation({
    meta: how,
    mutationFn: async (change: SslChange) =>
      (await api.updateSslConfig({ params: { id: routeId }, body: change })).result,
    onMutate: async ({ force_https }) => {
      await client.cancelQueries({ queryKey: key });
      const before = client.getQueryData<SslConfig>(key);
      if (before && force_https !== undefined) client.setQueryData<SslConfig>(key, { ...before, force_https });
      return before;
    },
    onError: (_error, _change, before) => {
      client.setQueryData(key, before);
      // What nothing answered may have been done.
      return client.invalidateQueries({ queryKey: key });
    },
    onSuccess: (ssl) => {
      client.setQueryData(key, ssl);
      void client.invalidateQueries({ queryKey: domainKeys.route(routeId) });
    },
  });
}
