import type { Route } from '@cordon/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../app/api-client';

/** While a name does not point here yet: often enough to see it turn, and within the account's rate. */
export const RECHECK_SECONDS = 30;

/** Asked anew whenever something that it looks at has changed here; nothing else makes a dozen connections. */
export const diagnosisOptions = (route: Route) =>
  queryOptions({
    queryKey: [
      'diagnosis',
      route.id,
      route.status,
      route.version_live,
      route.operation?.state ?? null,
      route.ownership.state,
    ],
    queryFn: async ({ signal }) => (await api.checkDomain({ body: { route_id: route.id }, signal })).result,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    refetchInterval: route.ownership.state === 'pending' ? RECHECK_SECONDS * 1000 : false,
  });
