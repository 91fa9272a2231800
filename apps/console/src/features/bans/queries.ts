import type { CallInput, CallOutput } from '@cordon/contract';
import type { PluginOperations } from '@cordon/plugins/operations';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../app/api-client';
import { settleUndo } from '../../ui/undo-notice';
import { banCause, liftCause } from './undo/causes';

export type Ban = CallOutput<PluginOperations['listBans']>['results'][number];
export type FoundBans = CallInput<PluginOperations['liftFoundBans']>['body'];
export type NewBans = CallInput<PluginOperations['addBans']>['body'];

export const banKeys = {
  all: ['bans'] as const,
  list: (query: BanListQuery) => [...banKeys.all, 'list', query] as const,
  /** Of the mutation. */
  lift: () => [...banKeys.all, 'lift'] as const,
};

/** Of one call that lifts or restores. */
export const IDS_MAX = 1000;

export interface BanListQuery {
  readonly page: number;
  readonly perpage: number;
  readonly q?: string | undefined;
  readonly route_id?: string | undefined;
}

/** Nodes ban at any moment. */
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

const idsOf = (bans: readonly Pick<Ban, 'id'>[]) => bans.map(({ id }) => id);

/** Bans to lift, and the ids of those that they replaced, to bring back. */
interface Lift {
  readonly bans: readonly Pick<Ban, 'id'>[];
  readonly restore?: readonly string[];
}

type BanPage = CallOutput<PluginOperations['listBans']>;

/** Lifts at most `IDS_MAX` bans; they leave the list at once, and come back if that fails. Its notice says so. */
export function useLiftBans() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: banKeys.lift(),
    mutationFn: async ({ bans, restore = [] }: Lift) =>
      (await api.liftBans({ body: { ids: idsOf(bans), ...(restore.length > 0 && { restore: [...restore] }) } })).result,
    async onMutate({ bans }) {
      await client.cancelQueries({ queryKey: banKeys.all });
      const gone = new Set(idsOf(bans));
      const before = client.getQueriesData<BanPage>({ queryKey: banKeys.all });
      client.setQueriesData<BanPage>({ queryKey: banKeys.all }, (page) => {
        if (!page) return page;
        const results = page.results.filter(({ id }) => !gone.has(id));
        return { ...page, results, count: page.count - (page.results.length - results.length) };
      });
      return { before, gone };
    },
    // Without a network the list cannot be read again: what was not lifted stands where it stood.
    onError(_error, _lift, context) {
      for (const [key, page] of context?.before ?? [])
        client.setQueryData<BanPage>(key, (now) => {
          if (!now || !page) return now;
          const shown = new Set(idsOf(now.results));
          const results = page.results.filter(({ id }) => shown.has(id) || context?.gone.has(id));
          const known = new Set(idsOf(results));
          results.push(...now.results.filter(({ id }) => !known.has(id)));
          return { ...now, results, count: now.count + results.length - now.results.length };
        });
    },
    onSuccess: (_result, { bans }) => settleUndo(() => bans.map(({ id }) => banCause(id))),
    // What another press is lifting still would come back for a moment.
    onSettled: () =>
      client.isMutating({ mutationKey: banKeys.lift() }) > 1
        ? undefined
        : client.invalidateQueries({ queryKey: banKeys.all }),
    meta: { isSilent: true },
  });
}

export type RestoredBans = CallOutput<PluginOperations['restoreBans']>['result'];

/** Brings lifted bans back, any number. Its notice says what went wrong. */
export function useRestoreBans() {
  const client = useQueryClient();
  return useMutation({
    async mutationFn(bans: readonly Ban[]) {
      const all = { restored: 0, ended: 0, replaced: 0 };
      for (let at = 0; at < bans.length; at += IDS_MAX) {
        const { result } = await api.restoreBans({ body: { ids: idsOf(bans.slice(at, at + IDS_MAX)) } });
        all.restored += result.restored;
        all.ended += result.ended;
        all.replaced += result.replaced;
      }
      return all;
    },
    onSuccess: (_result, bans) => settleUndo(() => bans.map(liftCause)),
    onSettled: () => client.invalidateQueries({ queryKey: banKeys.all }),
    meta: { isSilent: true },
  });
}

/** Lifts all bans that a search finds. Its notice says how it went. */
export function useLiftFound() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: FoundBans) => (await api.liftFoundBans({ body })).result,
    onSettled: () => client.invalidateQueries({ queryKey: banKeys.all }),
    meta: { isSilent: true },
  });
}

/** Brings back what `useLiftFound` has lifted. Its notice says how it went. */
export function useRestoreFound() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (liftId: string) => (await api.restoreFoundBans({ body: { lift_id: liftId } })).result,
    onSettled: () => client.invalidateQueries({ queryKey: banKeys.all }),
    meta: { isSilent: true },
  });
}
