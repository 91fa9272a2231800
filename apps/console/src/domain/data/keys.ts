import type { CallInput, Operations, TrafficRange } from '@cordon/contract';
import type { RequestMatch } from '../traffic/request-match';

export type RouteListQuery = NonNullable<CallInput<Operations['listRoutes']>['query']>;
export type ShadowDomainQuery = NonNullable<CallInput<Operations['listShadowDomains']>['query']>;

/** Keys of everything that belongs to domains; a shorter key covers the longer ones. */
export const domainKeys = {
  all: ['domains'] as const,
  lists: () => [...domainKeys.all, 'list'] as const,
  list: (query: RouteListQuery) => [...domainKeys.lists(), query] as const,
  /** Of all domains together: how many need fixing, and which are worst. */
  health: () => [...domainKeys.all, 'health'] as const,
  /** Where entries of a feed have no effect: of one domain below its details, else of all. */
  feedGaps: (feed: string, id: string | undefined) =>
    id === undefined
      ? ([...domainKeys.all, 'feed-gaps', feed] as const)
      : ([...domainKeys.detail(id), 'feed-gaps', feed] as const),
  details: () => [...domainKeys.all, 'detail'] as const,
  detail: (id: string) => [...domainKeys.details(), id] as const,
  route: (id: string) => [...domainKeys.detail(id), 'route'] as const,
  receipt: (id: string) => [...domainKeys.detail(id), 'receipt'] as const,
  versions: (id: string) => [...domainKeys.detail(id), 'versions'] as const,
  newestVersions: (id: string, pages: number) => [...domainKeys.versions(id), 'newest', pages] as const,
  versionPage: (id: string, page: number, perpage: number) => [...domainKeys.versions(id), { page, perpage }] as const,
  rollback: (id: string, version: number, revision: number) =>
    [...domainKeys.versions(id), 'rollback', version, revision] as const,
  version: (id: string, version: number) => [...domainKeys.versions(id), version] as const,
  /** What copying a plugin of the draft to other domains would change. */
  copyPreview: (id: string, plugin: string, revision: number) =>
    [...domainKeys.detail(id), 'copy-preview', plugin, revision] as const,
  originAccess: (id: string) => [...domainKeys.detail(id), 'origin-access'] as const,
  shadowDomains: (id: string) => [...domainKeys.detail(id), 'shadow-domains'] as const,
  shadowDomainPage: (id: string, query: ShadowDomainQuery) => [...domainKeys.shadowDomains(id), query] as const,
  /** Beside the details: events about a domain change nothing in its traffic. */
  traffic: (id: string) => [...domainKeys.all, 'traffic', id] as const,
  /** The last 24 hours of the domains of a page, in whatever order they stand there. */
  trafficOfRows: (ids: readonly string[]) => [...domainKeys.all, 'traffic', 'rows', ids.toSorted()] as const,
  trafficOverview: (id: string, range: TrafficRange) => [...domainKeys.traffic(id), 'overview', range] as const,
  recentRequests: (id: string, limit: number, match: RequestMatch | undefined) =>
    [...domainKeys.traffic(id), 'requests', limit, match ?? null] as const,
  pluginEffects: (id: string) => [...domainKeys.traffic(id), 'plugins'] as const,
  originHealth: (id: string) => [...domainKeys.traffic(id), 'origin-health'] as const,
};

export const groupKeys = {
  all: ['groups'] as const,
};
