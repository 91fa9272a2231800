import type { CallInput, CallOutput } from '@cordon/contract';
import type { PluginOperations } from '@cordon/plugins/operations';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../app/api-client';
import { liftInParts, type RestoreCall } from './restore';

export type Ban = CallOutput<PluginOperations['listBans']>['results'][number];
export type NewBans = CallInput<PluginOperations['addBans']>['body'];

const banKeys = {
  all: ['bans'] as const,
  list: (query: BanListQuery) => ['bans', query] as const,
};

export interface BanListQuery {
  readonly page: number;
  readonly perpage: number;
  readonly q?: string | undefined;
  readonly route_id?: string | undefined;
}

/** Nodes ban by themselves at any moment. */
const POLL_MS = 4000;

/** The list, looked at again and again while it is visible, unless `isHeld`: then nothing moves. */
export const banListOptions = (query: BanListQuery, isHeld: boolean) =>
  queryOptions({
    queryKey: banKeys.list(query),
    queryFn: ({ signal }) => api.listBans({ query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: isHeld ? false : POLL_MS,
    refetchOnWindowFocus: !isHeld,
    refetchOnReconnect: !isHeld,
  });

/** Bans addresses. Its dialog shows the errors. */
export function useAddBans() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: NewBans) => (await api.addBans({ body })).result,
    onSuccess: () => client.invalidateQueries({ queryKey: banKeys.all }),
    meta: { isSilent: true },
  });
}

/** Lifts bans; they leave the list at once, and come back if that fails. */
export function useLiftBans() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (bans: readonly Ban[]) =>
      liftInParts(
        bans.map(({ id }) => id),
        async (ids) => (await api.liftBans({ body: { ids } })).result.lifted,
      ),
    async onMutate(bans) {
      await client.cancelQueries({ queryKey: banKeys.all });
      const gone = new Set(bans.map(({ id }) => id));
      client.setQueriesData<CallOutput<PluginOperations['listBans']>>({ queryKey: banKeys.all }, (page) => {
        if (!page) return page;
        const results = page.results.filter(({ id }) => !gone.has(id));
        return { ...page, results, count: page.count - (page.results.length - results.length) };
      });
    },
    onSettled: () => client.invalidateQueries({ queryKey: banKeys.all }),
  });
}

/** Bans again what was lifted. */
export function useRestoreBans() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (calls: readonly RestoreCall[]) => {
      for (const body of calls) await api.addBans({ body });
    },
    onSettled: () => client.invalidateQueries({ queryKey: banKeys.all }),
  });
}
