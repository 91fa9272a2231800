import type { Route, RouteSummary } from '@cordon/contract';
import { hashKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../app/api-client';
import { domainKeys } from '../../../domain/data/keys';
import { watchOperation } from '../../../domain/data/operation-watch';
import { useTakeRoute } from '../../../domain/data/queries';
import { taskKeys } from '../../../domain/tasks/queries';

/** Shows the action as running in lists and on the page before the API has answered. */
function useShowRunning() {
  const client = useQueryClient();
  return async (id: string, action: 'deploy' | 'resume' | 'deactivate' | 'delete') => {
    await client.cancelQueries({ queryKey: domainKeys.lists() });
    await client.cancelQueries({ queryKey: domainKeys.route(id) });
    const before = client.getQueriesData<unknown>({ queryKey: domainKeys.all });
    const running = <T extends RouteSummary>(route: T): T => ({
      ...route,
      operation: {
        id: '00000000-0000-0000-0000-000000000000',
        action,
        state: 'running',
        started_at: new Date().toISOString(),
        finished_at: null,
        error: null,
      },
    });
    client.setQueriesData<{ results: RouteSummary[] }>(
      { queryKey: domainKeys.lists() },
      (page) => page && { ...page, results: page.results.map((route) => (route.id === id ? running(route) : route)) },
    );
    client.setQueryData<Route>(domainKeys.route(id), (route) => route && running(route));
    return () => {
      for (const [key, data] of before) client.setQueryData(key, data);
      void client.invalidateQueries({ queryKey: domainKeys.all });
    };
  };
}

export function useDeployRoute(id: string) {
  const take = useTakeRoute();
  const showRunning = useShowRunning();
  return useMutation({
    mutationFn: async ({ revision, note }: { revision: number; note: string }) =>
      (await api.deployRoute({ params: { id }, ifMatch: revision, body: { note } })).result,
    onMutate: () => showRunning(id, 'deploy'),
    onError: (_error, _input, undo) => undo?.(),
    onSuccess: (route) => take(route, true),
    meta: { isSilent: true },
  });
}

export function useResumeRoute() {
  const take = useTakeRoute();
  const showRunning = useShowRunning();
  return useMutation({
    mutationFn: async (id: string) => (await api.resumeRoute({ params: { id } })).result,
    onMutate: (id) => showRunning(id, 'resume'),
    onError: (_error, _id, undo) => undo?.(),
    onSuccess: (route) => take(route, true),
  });
}

export function useDeactivateRoute() {
  const take = useTakeRoute();
  const showRunning = useShowRunning();
  return useMutation({
    mutationFn: async (id: string) => (await api.deactivateRoute({ params: { id } })).result,
    onMutate: (id) => showRunning(id, 'deactivate'),
    onError: (_error, _id, undo) => undo?.(),
    onSuccess: (route) => take(route, true),
  });
}

export function useDeleteRoute() {
  const client = useQueryClient();
  const showRunning = useShowRunning();
  return useMutation({
    mutationFn: async ({ route, confirm }: { route: RouteSummary; confirm: string }) =>
      (await api.deleteRoute({ params: { id: route.id }, body: { cname: route.subscription_cname, confirm } })).result,
    onMutate: ({ route }) => showRunning(route.id, 'delete'),
    onError: (_error, _input, undo) => undo?.(),
    onSuccess: (summary) => {
      watchOperation(summary);
      void client.invalidateQueries({ queryKey: domainKeys.lists() });
      // It may be gone already: nothing of it is asked for any more.
      void client.invalidateQueries({ queryKey: domainKeys.detail(summary.id), refetchType: 'none' });
      // It has left them.
      const ofDeleted = hashKey(taskKeys.list(summary.id));
      void client.invalidateQueries({ queryKey: taskKeys.all, predicate: ({ queryHash }) => queryHash !== ofDeleted });
    },
  });
}
