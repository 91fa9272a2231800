import type { TrafficOverview } from '@cordon/contract';
import { areaOf, feedsOf } from '@cordon/plugins/areas';
import type { TrafficNumber } from '../../domain/traffic/traffic-numbers';

const pageOf = (id: string | undefined, tab?: string) =>
  id === undefined ? '#/domain/list' : `#/domain/list/${id}${tab === undefined ? '' : `?tab=${tab}`}`;

export interface DashboardLinks {
  /** Where an empty dashboard sends one. */
  home: string;
  numbers: Partial<Record<TrafficNumber, string | undefined>>;
  /** The settings behind a reason: the tab of its plugin, or the diagnosis for what the edge itself refuses. */
  reason: (plugin: string) => string | undefined;
  /** The settings that let countries in or not. */
  countries: string | undefined;
}

/**
 * Where the numbers and lines of the dashboard lead: the shown domain, or the only one with traffic. What is told of
 * several leads to what is set for all of them; where there is no such place, nowhere, instead of to one of them.
 */
export function hrefsOf(overview: TrafficOverview | undefined, domain: string | undefined): DashboardLinks {
  const [first, ...others] = overview?.top_domains ?? [];
  const only = domain ?? (others.length === 0 ? first?.route_id : undefined);
  const tabOf = (tab: string) => (only === undefined ? undefined : pageOf(only, tab));
  return {
    home: pageOf(domain),
    numbers: {
      requests: pageOf(domain),
      blocked: tabOf('protection'),
      errors: domain === undefined ? '#/domain/list?health=attention' : pageOf(domain, 'diagnosis'),
      bytes: pageOf(only),
    },
    reason: (plugin) =>
      only === undefined && feedsOf[plugin]?.includes('bans')
        ? '#/manage-ip'
        : tabOf(plugin === '' ? 'diagnosis' : (areaOf[plugin] ?? 'protection')),
    countries: tabOf('access'),
  };
}
