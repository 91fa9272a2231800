import { type Area, areas } from '@cordon/plugins/areas';

const BEFORE = ['overview', 'upstreams', 'shadow-domains', 'ssl'] as const;
const AFTER = ['versions', 'diagnosis'] as const;

/** A tab of cards: one for each plugin of an area. Upstreams have fields of their own besides. */
export type PluginTab = Exclude<Area, 'upstreams'>;
export const PLUGIN_TABS = areas.filter((area) => area !== 'upstreams');

export type DomainTab = (typeof BEFORE)[number] | PluginTab | (typeof AFTER)[number];
/** Tabs of the domain page that are built, in the order of the page. */
export const DOMAIN_TABS: readonly DomainTab[] = [...BEFORE, ...PLUGIN_TABS, ...AFTER];
