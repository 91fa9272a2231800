import type { DevelopmentMode, Route } from '@cordon/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../app/api-client';
import { domainKeys } from '../../../domain/data/keys';

const developmentKey = (routeId: string) => [...domainKeys.detail(routeId), 'development-mode'] as const;

/** It ends by itself, and another may switch it. */
const POLL_MS = 15_000;

/** Whether a domain is in development mode, and until when: at first as the domain was read. */
export const developmentModeOptions = ({ id, development_ends_at }: Pick<Route, 'id' | 'development_ends_at'>) =>
  queryOptions<DevelopmentMode>({
    queryKey: developmentKey(id),
    queryFn: async ({ signal }) => (await api.getDevelopmentMode({ params: { id }, signal })).result,
    refetchInterval: POLL_MS,
    placeholderData: { ends_at: development_ends_at },
    meta: { isSilent: true },
  });

/** Switches it on for so many minutes from now, or (null) off. A failure is said beside the buttons. */
export function useSwitchDevelopmentMode(routeId: string) {
  const client = useQueryClient();
  return useMutation({
    meta: { isSilent: true },
    mutationFn: async (minutes: number | null): Promise<DevelopmentMode> => {
      const params = { id: routeId };
      if (minutes !== null) return (await api.startDevelopmentMode({ params, body: { seconds: minutes * 60 } })).result;
      await api.endDevelopmentMode({ params });
      return { ends_at: null };
    },
    onMutate: () => client.cancelQueries({ queryKey: developmentKey(routeId) }),
    onSuccess(mode) {
      client.setQueryData(developmentKey(routeId), mode);
      void client.invalidateQueries({ queryKey: domainKeys.route(routeId) });
      void client.invalidateQueries({ queryKey: domainKeys.lists() });
    },
    // What nothing answered may have been done.
    onError: () => client.invalidateQueries({ queryKey: developmentKey(routeId) }),
  });
}
