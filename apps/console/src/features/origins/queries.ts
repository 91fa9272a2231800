import type { CallInput, Operations } from '@cordon/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../app/api-client';
import { domainKeys } from '../../domain/data/keys';

export type LockAction = CallInput<Operations['changeOriginLock']>['body']['action'];

const HEALTH_MS = 5000;

export const originHealthOptions = (id: string) =>
  queryOptions({
    queryKey: domainKeys.originHealth(id),
    queryFn: async ({ signal }) => (await api.getOriginHealth({ params: { id }, signal })).result,
    refetchInterval: HEALTH_MS,
  });

export const originAccessOptions = (id: string) =>
  queryOptions({
    queryKey: domainKeys.originAccess(id),
    queryFn: async ({ signal }) => (await api.getOriginAccess({ params: { id }, signal })).result,
  });

/** Switches and rotates the lock; the screen shows what the API answered. */
export function useChangeLock(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (action: LockAction) => (await api.changeOriginLock({ params: { id }, body: { action } })).result,
    // Another user may have changed it meanwhile: what is shown then is wrong as well.
    onSettled: () => client.invalidateQueries({ queryKey: domainKeys.originAccess(id) }),
    onSuccess: (lock) =>
      client.setQueryData(originAccessOptions(id).queryKey, (before) => before && { ...before, lock }),
  });
}

/** Secret values are never kept in a cache. */
export function useRevealKey(id: string) {
  return useMutation({
    mutationFn: async () => (await api.revealOriginKey({ params: { id } })).result,
    gcTime: 0,
  });
}
