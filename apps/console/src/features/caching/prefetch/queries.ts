import type { CallInput, Operations, PrefetchSummary } from '@cordon/contract';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../app/api-client';
import { domainKeys } from '../../../domain/data/keys';

export type PrefetchBody = CallInput<Operations['startPrefetch']>['body'];
export type PrefetchListBody = CallInput<Operations['updatePrefetchList']>['body'];

const keys = {
  all: (routeId: string) => [...domainKeys.detail(routeId), 'prefetches'] as const,
  page: (routeId: string, page: number) => [...keys.all(routeId), 'page', page] as const,
  one: (routeId: string, id: string) => [...keys.all(routeId), 'one', id] as const,
  list: (routeId: string) => [...domainKeys.detail(routeId), 'prefetch-list'] as const,
};

export const PREFETCHES_PER_PAGE = 5;
/** Nodes report twice a second. */
const POLL_MS = 1_000;

export const isRunning = ({ state }: Pick<PrefetchSummary, 'state'>): boolean => state === 'running';

/** Prefetches of a domain, the newest first; asked for again while one of them runs. */
export const prefetchesOptions = (routeId: string, page: number) =>
  queryOptions({
    queryKey: keys.page(routeId, page),
    queryFn: ({ signal }) =>
      api.listPrefetches({ params: { id: routeId }, query: { page, perpage: PREFETCHES_PER_PAGE }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.results.some(isRunning) ?? false) && POLL_MS,
  });

/** One with its nodes and what was not kept, as of when its list was read. */
export const prefetchOptions = (routeId: string, id: string) =>
  queryOptions({
    queryKey: keys.one(routeId, id),
    queryFn: async ({ signal }) => (await api.getPrefetch({ params: { id: routeId, prefetch_id: id }, signal })).result,
    refetchInterval: ({ state }) => (state.data === undefined || isRunning(state.data)) && POLL_MS,
  });

export const prefetchListOptions = (routeId: string) =>
  queryOptions({
    queryKey: keys.list(routeId),
    queryFn: async ({ signal }) => (await api.getPrefetchList({ params: { id: routeId }, signal })).result,
  });

/** What is wrong with a URL is said beside it. */
export function useStartPrefetch(routeId: string) {
  const client = useQueryClient();
  return useMutation({
    meta: { isSilent: true },
    mutationFn: async (body: PrefetchBody) => (await api.startPrefetch({ params: { id: routeId }, body })).result,
    onSuccess: () => client.invalidateQueries({ queryKey: keys.all(routeId) }),
  });
}

export function useCancelPrefetch(routeId: string) {
  const client = useQueryClient();
  return useMutation({
    meta: { isSilent: true },
    mutationFn: async (id: string) => (await api.cancelPrefetch({ params: { id: routeId, prefetch_id: id } })).result,
    onSettled: () => client.invalidateQueries({ queryKey: keys.all(routeId) }),
  });
}

export function useSavePrefetchList(routeId: string) {
  const client = useQueryClient();
  return useMutation({
    meta: { isSilent: true },
    mutationFn: async (body: PrefetchListBody) =>
      (await api.updatePrefetchList({ params: { id: routeId }, body })).result,
    onSuccess: (list) => client.setQueryData(keys.list(routeId), list),
  });
}
