import { readCount } from '../list/list-search';

/** Tabs of the domain page that are built, in the order of the page. */
export const DOMAIN_TABS = ['overview', 'upstreams', 'access', 'history'] as const;
export type DomainTab = (typeof DOMAIN_TABS)[number];

/** Search of `/domain/list/{id}`. */
export interface DomainPageSearch {
  tab?: DomainTab;
  /** Page of the history. */
  page?: number;
}

/** Reads the URL; what is not understood is left out. */
export function readPageSearch(raw: Readonly<Record<string, unknown>>): DomainPageSearch {
  return { tab: DOMAIN_TABS.find((tab) => tab === raw.tab), page: readCount(raw.page) };
}
