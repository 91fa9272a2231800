import type { CacheOverview, CostlyPaths, CostlySort, TrafficRange } from '@cordon/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../../app/api-client';
import { domainKeys } from '../../../domain/data/keys';

const figureKeys = {
  all: (routeId: string) => [...domainKeys.traffic(routeId), 'cache'] as const,
  overview: (routeId: string, range: TrafficRange) => [...figureKeys.all(routeId), 'overview', range] as const,
  costly: (routeId: string, range: TrafficRange, sort: CostlySort) =>
    [...figureKeys.all(routeId), 'costly', range, sort] as const,
};

const OVERVIEW_MS = 5_000;
/** Rows are read for them, and an order that changes is hard to read. */
const COSTLY_MS = 30_000;

/** Figures of a domain's cache in a range; the former ones stay on the screen while the next are read. */
export const cacheOverviewOptions = (routeId: string, range: TrafficRange) =>
  queryOptions<CacheOverview>({
    queryKey: figureKeys.overview(routeId, range),
    queryFn: async ({ signal }) =>
      (await api.getCacheOverview({ params: { id: routeId }, query: { range }, signal })).result,
    refetchInterval: OVERVIEW_MS,
    placeholderData: keepPreviousData,
  });

/** The paths of a domain that cost its origin most. */
export const costlyPathsOptions = (routeId: string, range: TrafficRange, sort: CostlySort) =>
  queryOptions<CostlyPaths>({
    queryKey: figureKeys.costly(routeId, range, sort),
    queryFn: async ({ signal }) =>
      (await api.listCostlyPaths({ params: { id: routeId }, query: { range, sort }, signal })).result,
    refetchInterval: COSTLY_MS,
    placeholderData: keepPreviousData,
  });
