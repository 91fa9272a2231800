import type { ApiError, CallInput, Operations, Route, TrafficRange } from '@cordon/contract';
import { keepPreviousData, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../app/api-client';
import { domainKeys, type RouteListQuery } from './keys';
import { watchOperation } from './operation-watch';
import { sharedRows } from './shared-rows';

export type RouteChange = CallInput<Operations['updateRoute']>['body'];
export type NewRoute = CallInput<Operations['createRoute']>['body'];

/** A page of domains; where its order goes by traffic, which comes from elsewhere and is refused, another one `instead`. */
export const routeListOptions = (query: RouteListQuery) =>
  queryOptions({
    queryKey: domainKeys.list(query),
    queryFn: async ({ signal }) => {
      let instead: { sort: 'domain_name'; why: ApiError } | undefined;
      const page = await api.listRoutes({ query, signal }).catch((error: ApiError) => {
        if (error.code !== 'TRAFFIC_UNAVAILABLE') throw error;
        instead = { sort: 'domain_name', why: error };
        return api.listRoutes({ query: { ...query, sort: instead.sort }, signal });
      });
      return { ...page, results: sharedRows(page.results), instead };
    },
    placeholderData: keepPreviousData,
  });

export const readRoute = async (id: string, signal: AbortSignal): Promise<Route> =>
  (await api.getRoute({ params: { id }, signal })).result;

export const routeOptions = (id: string) =>
  queryOptions({ queryKey: domainKeys.route(id), queryFn: ({ signal }) => readRoute(id, signal) });

export const receiptOptions = (id: string) =>
  queryOptions({
    queryKey: domainKeys.receipt(id),
    queryFn: async ({ signal }) => (await api.getReceipt({ params: { id }, signal })).result,
  });

export const versionsOptions = (id: string, page: number, perpage: number) =>
  queryOptions({
    queryKey: domainKeys.versionPage(id, page, perpage),
    queryFn: ({ signal }) => api.listVersions({ params: { id }, query: { page, perpage }, signal }),
    placeholderData: keepPreviousData,
  });

/** The list of requests beside it is read every 2 s: numbers that are much older contradict it. */
const TRAFFIC_MS = 5_000;

export const trafficOptions = (id: string, range: TrafficRange = '24h') =>
  queryOptions({
    queryKey: domainKeys.trafficOverview(id, range),
    queryFn: async ({ signal }) =>
      (await api.getTrafficOverview({ query: { range, ...(id && { route_id: id }) }, signal })).result,
    refetchInterval: TRAFFIC_MS,
  });

export const TRAFFIC_PARTS_MS = 15_000;

/** The last 24 hours of the domains of a page. */
export const trafficOfRowsOptions = (ids: readonly string[]) =>
  queryOptions({
    queryKey: domainKeys.trafficOfRows(ids),
    queryFn: async ({ signal }) => {
      const { result } = await api.listDomainTraffic({ query: { route_ids: ids.toSorted().join() }, signal });
      return new Map(result.map((one) => [one.route_id, one]));
    },
    enabled: ids.length > 0,
    // Where one row goes or comes, the others keep their numbers.
    placeholderData: keepPreviousData,
    refetchInterval: TRAFFIC_PARTS_MS,
    meta: { isSilent: true },
  });

const HEALTH_MS = 30_000;

/** How many domains of the account are in which state of health, and the worst. */
export const accountHealthOptions = queryOptions({
  queryKey: domainKeys.health(),
  queryFn: async ({ signal }) => (await api.getAccountHealth({ signal })).result,
  refetchInterval: HEALTH_MS,
  meta: { isSilent: true },
});

export const pluginEffectsOptions = (id: string) =>
  queryOptions({
    queryKey: domainKeys.pluginEffects(id),
    queryFn: async ({ signal }) => (await api.getPluginEffects({ query: { route_id: id }, signal })).result,
    refetchInterval: TRAFFIC_PARTS_MS,
  });

/** As it is now; undefined where that cannot be read. */
export const readNewestRoute = (client: QueryClient, id: string): Promise<Route | undefined> =>
  client.fetchQuery({ ...routeOptions(id), staleTime: 0 }).catch(() => undefined);

/** What is done with a domain as a write has answered it. */
export function useTakeRoute() {
  const client = useQueryClient();
  return (route: Route, hasStarted: boolean, rolledBackTo?: number) => {
    if (hasStarted) watchOperation(route, rolledBackTo);
    // What was done long ago is answered as it was then.
    client.setQueryData<Route>(domainKeys.route(route.id), (known) =>
      known && known.draft_revision > route.draft_revision ? known : route,
    );
    void client.invalidateQueries({ queryKey: domainKeys.lists() });
    void client.invalidateQueries({ queryKey: domainKeys.receipt(route.id) });
    void client.invalidateQueries({ queryKey: domainKeys.versions(route.id) });
  };
}

export function useCreateRoute() {
  const take = useTakeRoute();
  return useMutation({
    mutationFn: async (body: NewRoute) => (await api.createRoute({ body })).result,
    onSuccess: (route, body) => take(route, body.deploy === true),
    meta: { isSilent: true },
  });
}

export function useCreatePreview(id: string) {
  return useMutation({ mutationFn: async () => (await api.createPreview({ params: { id } })).result });
}
