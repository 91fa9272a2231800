import type { Route } from '@cordon/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../app/api-client';

/** While a name does not point here yet: often enough to see it turn, and within the account's rate. */
export const RECHECK_SECONDS = 30;

const diagnosisKeys = {
  all: ['diagnosis'] as const,
  checks: ({ id, status, version_live, operation, ownership }: Route) =>
    [...diagnosisKeys.all, id, status, version_live, operation?.state ?? null, ownership.state] as const,
};

/** Asked anew whenever something that it looks at has changed here; nothing else makes a dozen connections. */
export const diagnosisOptions = (route: Route) =>
  queryOptions({
    queryKey: diagnosisKeys.checks(route),
    queryFn: async ({ signal }) => (await api.checkDomain({ body: { route_id: route.id }, signal })).result,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    refetchInterval: route.ownership.state === 'pending' ? RECHECK_SECONDS * 1000 : false,
  });
