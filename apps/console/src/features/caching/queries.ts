import type { CacheClear, CallInput, Operations } from '@cordon/contract';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../app/api-client';
import { domainKeys } from '../../domain/data/keys';

export type ClearBody = CallInput<Operations['clearCache']>['body'];

const clearKeys = {
  all: (routeId: string) => [...domainKeys.detail(routeId), 'clears'] as const,
  page: (routeId: string, page: number) => [...clearKeys.all(routeId), 'page', page] as const,
  one: (routeId: string, id: string) => [...clearKeys.all(routeId), id] as const,
};

export const CLEARS_PER_PAGE = 5;
/** Nodes that are late answer within moments of their being back. */
const POLL_MS = 1_000;
/** Others clear, too, and scripts, and what was scheduled. */
const LIST_POLL_MS = 15_000;

/** Clears of a domain's cache, the newest first. */
export const clearsOptions = (routeId: string, page: number) =>
  queryOptions({
    queryKey: clearKeys.page(routeId, page),
    queryFn: ({ signal }) =>
      api.listCacheClears({ params: { id: routeId }, query: { page, perpage: CLEARS_PER_PAGE }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: LIST_POLL_MS,
  });

const isOpen = (clear: CacheClear | undefined) => clear?.nodes.some(({ state }) => state === 'waiting') ?? false;

/** One that was answered, and how far it is since: asked for while a node is late. */
export const clearOptions = (routeId: string, answered: CacheClear) =>
  queryOptions({
    queryKey: clearKeys.one(routeId, answered.id),
    queryFn: async ({ signal }) =>
      (await api.getCacheClear({ params: { id: routeId, clear_id: answered.id }, signal })).clear,
    initialData: answered,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => isOpen(state.data) && POLL_MS,
    meta: { isSilent: true },
  });

/** Clears it. `isSilent`: what asks shows the errors itself, those of a value beside it. */
export function useClearCache(routeId: string, { isSilent = false } = {}) {
  const client = useQueryClient();
  return useMutation({
    meta: { isSilent },
    mutationFn: async (body: ClearBody) => (await api.clearCache({ params: { id: routeId }, body })).clear,
    onSuccess: () => client.invalidateQueries({ queryKey: [...clearKeys.all(routeId), 'page'] }),
  });
}
