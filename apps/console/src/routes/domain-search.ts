import type { TrafficRange } from '@cordon/contract';
import type { DomainListSearch } from '../features/domains/list/list-search';

/*
 * Search parameters by type only: the schemas that read them are in their screens' own chunks, not in the shell's.
 * `state` and `error` are taken by sign-in (url-markers.ts).
 */

/** Search of `/dashboard`. */
export interface DashboardSearch {
  range?: TrafficRange;
}

/** Search of `/domain/list/{id}`: the URL holds the tab, and whatever the tab itself keeps there. */
export interface DomainSearch {
  tab?: string;
  [key: string]: unknown;
}

const isRange = (value: unknown): value is TrafficRange =>
  value === '15m' || value === '1h' || value === '24h' || value === '7d';

export const dashboardSearch = (search: Record<string, unknown>): DashboardSearch =>
  isRange(search.range) ? { range: search.range } : {};
export const domainListSearch = (search: Record<string, unknown>) => search as DomainListSearch;
export const domainSearch = (search: Record<string, unknown>) => search as DomainSearch;
