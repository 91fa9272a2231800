import { type Area, areas } from '@cordon/plugins/areas';
import { readCount } from '../list/list-search';

const [BEFORE, AFTER] = [['overview', 'upstreams', 'shadow-domains'] as const, ['versions', 'diagnosis'] as const];

/** A tab of cards: one for each plugin of an area. Upstreams have fields of their own besides. */
export type PluginTab = Exclude<Area, 'upstreams'>;
export const PLUGIN_TABS = areas.filter((area) => area !== 'upstreams');

export type DomainTab = (typeof BEFORE)[number] | PluginTab | (typeof AFTER)[number];
/** Tabs of the domain page that are built, in the order of the page. */
export const DOMAIN_TABS: readonly DomainTab[] = [...BEFORE, ...PLUGIN_TABS, ...AFTER];

/** Search of `/domain/list/{id}`. */
export interface DomainPageSearch {
  tab?: DomainTab;
  /** Page of the versions. */
  page?: number;
  /** What the diagnosis shows; its checks when left out. */
  view?: 'trace';
  /** Id of a logged request to trace. */
  request?: string;
}

/** Reads the URL; what is not understood is left out. */
export function readPageSearch(raw: Readonly<Record<string, unknown>>): DomainPageSearch {
  return {
    tab: DOMAIN_TABS.find((tab) => tab === raw.tab),
    page: readCount(raw.page),
    view: raw.view === 'trace' ? 'trace' : undefined,
    request: typeof raw.request === 'string' || typeof raw.request === 'number' ? String(raw.request) : undefined,
  };
}
