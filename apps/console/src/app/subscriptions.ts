import { PAGE_SIZE_MAX, SUBSCRIPTIONS_STORAGE_KEY, type Subscription } from '@cordon/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { api } from './api-client';
import { subscriptionKeys } from './keys';
import { wasRegistered } from './session/registered';
import { SELECTED_STORAGE_KEY } from './session/session';

const listeners = new Set<() => void>();

function cached(): Subscription[] | undefined {
  try {
    return JSON.parse(window.localStorage.getItem(SUBSCRIPTIONS_STORAGE_KEY) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Whether the account had no domain when it was last asked, or was made just now: what is drawn first is drawn for that, and need not change. */
export const hadNoDomain = (): boolean => cached()?.every(({ usage }) => usage.domains === 0) ?? wasRegistered();

/** The account's subscriptions; drawn at once from the browser's storage, then fetched. */
export const subscriptionsOptions = queryOptions({
  queryKey: subscriptionKeys.list(),
  async queryFn({ signal }) {
    const { results } = await api.listSubscriptions({ query: { page: 1, perpage: PAGE_SIZE_MAX }, signal });
    window.localStorage.setItem(SUBSCRIPTIONS_STORAGE_KEY, JSON.stringify(results));
    return results;
  },
  placeholderData: cached,
  staleTime: 60_000,
});

/** Chooses a subscription by its cname; remembered. */
export function selectSubscription(cname: string): void {
  window.localStorage.setItem(SELECTED_STORAGE_KEY, cname);
  for (const listener of listeners) listener();
}

/** The list and the chosen one: the first by default. Undefined while the list is not known. */
export function useSubscriptions(): { subscriptions: Subscription[] | undefined; selected: Subscription | undefined } {
  const { data } = useQuery(subscriptionsOptions);
  const cname = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => window.localStorage.getItem(SELECTED_STORAGE_KEY),
  );
  return { subscriptions: data, selected: data?.find((one) => one.cname === cname) ?? data?.[0] };
}
