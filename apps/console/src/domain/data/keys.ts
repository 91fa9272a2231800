import type { CallInput, Operations } from '@cordon/contract';

export type RouteListQuery = NonNullable<CallInput<Operations['listRoutes']>['query']>;

/** Keys of everything that belongs to domains; a shorter key covers the longer ones. */
export const domainKeys = {
  all: ['domains'] as const,
  lists: () => [...domainKeys.all, 'list'] as const,
  list: (query: RouteListQuery) => [...domainKeys.lists(), query] as const,
  details: () => [...domainKeys.all, 'detail'] as const,
  detail: (id: string) => [...domainKeys.details(), id] as const,
  route: (id: string) => [...domainKeys.detail(id), 'route'] as const,
  receipt: (id: string) => [...domainKeys.detail(id), 'receipt'] as const,
  versions: (id: string) => [...domainKeys.detail(id), 'versions'] as const,
  versionPage: (id: string, page: number, perpage: number) => [...domainKeys.versions(id), { page, perpage }] as const,
  allVersions: (id: string) => [...domainKeys.versions(id), 'all'] as const,
  rollback: (id: string, version: number, revision: number) =>
    [...domainKeys.versions(id), 'rollback', version, revision] as const,
  version: (id: string, version: number) => [...domainKeys.versions(id), version] as const,
  traffic: (id: string) => [...domainKeys.all, 'traffic', id] as const,
};
