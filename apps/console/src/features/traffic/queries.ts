import { ACCESS_LOG_ENTRIES, type TopDomains, type TrafficOverview, type TrafficRange } from '@cordon/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../app/api-client';
import { actionOf, type RequestMatch } from '../../domain/traffic/request-match';

export const trafficKeys = {
  all: ['traffic'] as const,
  overview: (range: TrafficRange, domain: string | undefined) =>
    [...trafficKeys.all, 'overview', range, domain ?? null] as const,
  latest: (match: RequestMatch) => [...trafficKeys.all, 'latest', match] as const,
  topDomains: (range: TrafficRange, match: RequestMatch) => [...trafficKeys.all, 'top', range, match] as const,
};

/** A request is seen within 5 s of being answered; of a week it is next to nothing. */
const REFETCH_MS: Record<TrafficRange, number> = { '15m': 2000, '1h': 3000, '24h': 3000, '7d': 15_000 };

/** Numbers of a range, of all domains or one; the former ones stay on the screen while the next are read. */
export const overviewOptions = (range: TrafficRange, domain: string | undefined) =>
  queryOptions<TrafficOverview>({
    queryKey: trafficKeys.overview(range, domain),
    queryFn: async ({ signal }) =>
      (await api.getTrafficOverview({ query: { range, ...(domain && { route_id: domain }) }, signal })).result,
    refetchInterval: REFETCH_MS[range],
    placeholderData: keepPreviousData,
  });

/** The domains with most requests of a kind. */
export const topDomainsOptions = (range: TrafficRange, match: RequestMatch) =>
  queryOptions<TopDomains>({
    queryKey: trafficKeys.topDomains(range, match),
    queryFn: async ({ signal }) => {
      const { status, country, plugin, reason } = match;
      const by = match.challenged ? 'challenged' : match.by;
      return (await api.listTopDomains({ query: { range, by, status, country, plugin, reason }, signal })).result;
    },
    refetchInterval: REFETCH_MS[range],
  });

const LATEST_REFETCH_MS = 10_000;

/** The last requests of a kind, of all domains, as many as the access log shows. */
export const latestRequestsOptions = (match: RequestMatch) =>
  queryOptions({
    queryKey: trafficKeys.latest(match),
    queryFn: async ({ signal }) => {
      const { status, country, plugin, reason } = match;
      const query = { limit: ACCESS_LOG_ENTRIES, action: actionOf(match), status, country, plugin, reason } as const;
      return (await api.listRecentRequests({ query, signal })).result;
    },
    refetchInterval: LATEST_REFETCH_MS,
  });
