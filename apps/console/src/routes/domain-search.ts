import type { TrafficRange } from '@cordon/contract';
import type { RequestMatch } from '../domain/traffic/request-match';
import type { AuditSearch } from '../features/audit/audit-search';
import type { BansSearch } from '../features/bans/bans-search';
import type { DomainListSearch } from '../features/domains/list/list-search';
import type { RulesSearch } from '../features/rules/rules-search';

/*
 * Search parameters by type only: the schemas that read them are in their screens' own chunks, not in the shell's.
 * `state` and `error` are taken by sign-in (url-markers.ts).
 */

/** Search of `/dashboard`; what it says of requests, the screen reads. */
export interface DashboardSearch extends RequestMatch {
  range?: TrafficRange | undefined;
  /** Id of the one domain that is shown. */
  domain?: string | undefined;
}

/** Search of `/domain/list/{id}`: the URL holds the tab, and what the tab itself keeps there. */
export interface DomainSearch {
  tab?: string;
  [key: string]: unknown;
}

/** Search of `/user/info`: the tab, what the audit log keeps there, the permissions that a new API token begins with, and the domain whose page leads there. */
export type UserInfoSearch = AuditSearch & { tab?: string; create?: string | undefined; domain?: string | undefined };

/** Search of `/manage-ip`: the tab, and what it keeps there. */
export type ManageIpSearch = BansSearch & { tab?: string };

/** Search of `/domain/import`. */
export interface DomainImportSearch {
  /** The import that is shown. */
  batch?: string | undefined;
}

const isRange = (value: unknown): value is TrafficRange =>
  value === '15m' || value === '1h' || value === '24h' || value === '7d';

const isId = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value);

/* The router adds these to the search as it was typed: what is not taken must be named, or it stays. */
export const dashboardSearch = ({ range, domain }: Record<string, unknown>): DashboardSearch => ({
  range: isRange(range) ? range : undefined,
  domain: isId(domain) ? domain : undefined,
});
export const domainListSearch = (search: Record<string, unknown>) => search as DomainListSearch;
export const domainSearch = (search: Record<string, unknown>) => search as DomainSearch;
export const bansSearch = (search: Record<string, unknown>) => search as ManageIpSearch;
export const userInfoSearch = (search: Record<string, unknown>) => search as UserInfoSearch;
export const rulesSearch = (search: Record<string, unknown>) => search as RulesSearch;
export const domainImportSearch = ({ batch }: Record<string, unknown>): DomainImportSearch => ({
  batch: isId(batch) ? batch : undefined,
});
