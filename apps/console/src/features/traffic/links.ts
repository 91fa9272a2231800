import type { TrafficOverview, TrafficRange } from '@cordon/contract';
import { areaOf, feedsOf } from '@cordon/plugins/areas';
import { matchSearch, type RequestMatch } from '../../domain/traffic/request-match';
import type { TrafficNumber } from '../../domain/traffic/traffic-numbers';

const pageOf = (id: string | undefined, tab?: string) =>
  id === undefined ? '#/domain/list' : `#/domain/list/${id}${tab === undefined ? '' : `?tab=${tab}`}`;

export interface DashboardLinks {
  /** Where an empty dashboard sends one. */
  home: string;
  numbers: Partial<Record<TrafficNumber, string>>;
  /**
   * The settings behind a reason (the tab of its plugin, or the diagnosis for what the edge itself refuses), or the
   * domains where it blocked.
   */
  reason: (plugin: string, reason: string) => string;
  /** The settings that let countries in or not, or the domains with requests from one. */
  country: (country: string) => string;
}

/**
 * Where the numbers and lines of the dashboard lead: the shown domain, or the only one with traffic. What is told of
 * several leads to what is set for all of them, or to the list of the domains behind it.
 */
export function hrefsOf(
  overview: TrafficOverview | undefined,
  { range, domain }: { range: TrafficRange; domain: string | undefined },
): DashboardLinks {
  const [first, ...others] = overview?.top_domains ?? [];
  const only = domain ?? (others.length === 0 ? first?.route_id : undefined);
  const placeOf = (tab: string, match: RequestMatch) =>
    only === undefined ? `#/dashboard?range=${range}&${matchSearch(match)}` : pageOf(only, tab);
  return {
    home: pageOf(domain),
    numbers: {
      requests: pageOf(domain),
      blocked: placeOf('protection', { blocked: true }),
      errors: domain === undefined ? '#/domain/list?health=attention' : pageOf(domain, 'diagnosis'),
      bytes: pageOf(only),
    },
    reason: (plugin, reason) =>
      only === undefined && feedsOf[plugin]?.includes('bans')
        ? '#/manage-ip'
        : placeOf(plugin === '' ? 'diagnosis' : (areaOf[plugin] ?? 'protection'), { plugin, reason }),
    country: (country) => placeOf('access', { country }),
  };
}
