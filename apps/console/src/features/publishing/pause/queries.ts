import type { CallInput, Operations, Route } from '@cordon/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../app/api-client';
import { domainKeys } from '../../../domain/data/keys';

export type PauseMinutes = CallInput<Operations['pauseRoute']>['body']['minutes'];

function useTake() {
  const client = useQueryClient();
  return (route: Route) => {
    client.setQueryData(domainKeys.route(route.id), route);
    void client.invalidateQueries({ queryKey: domainKeys.lists() });
  };
}

export function usePauseRoute(id: string) {
  const take = useTake();
  return useMutation({
    mutationFn: async (minutes: PauseMinutes) => (await api.pauseRoute({ params: { id }, body: { minutes } })).result,
    onSuccess: take,
  });
}

export function useEndPause(id: string) {
  const take = useTake();
  return useMutation({
    mutationFn: async () => (await api.endPause({ params: { id } })).result,
    onSuccess: take,
  });
}
