import type { TrafficOverview } from '@cordon/contract';
import { areaOf } from '@cordon/plugins/areas';
import type { TrafficNumber } from '../../domain/traffic/traffic-numbers';

const pageOf = (id: string | undefined, tab?: string) =>
  id === undefined ? '#/domain/list' : `#/domain/list/${id}${tab === undefined ? '' : `?tab=${tab}`}`;

/** The domain with most of something; what is told of all domains leads to it. */
const most = (overview: TrafficOverview | undefined, of: 'requests' | 'blocked') =>
  overview?.top_domains.toSorted((a, b) => b[of] - a[of])[0]?.route_id;

export interface DashboardLinks {
  /** Where an empty dashboard sends one. */
  home: string;
  numbers: Partial<Record<TrafficNumber, string>>;
  /** The settings behind a reason: the tab of its plugin, or the diagnosis for what the edge itself refuses. */
  reason: (plugin: string) => string;
  /** The settings that let countries in or not. */
  countries: string;
}

/** Where the numbers and lines of the dashboard lead: the shown domain, or of all domains the one that they are mostly about. */
export function hrefsOf(overview: TrafficOverview | undefined, domain: string | undefined): DashboardLinks {
  const busiest = domain ?? most(overview, 'requests');
  const blocked = domain ?? most(overview, 'blocked');
  return {
    home: pageOf(domain),
    numbers: {
      requests: pageOf(domain),
      blocked: pageOf(blocked, 'protection'),
      errors: domain === undefined ? '#/domain/list?health=attention' : pageOf(domain, 'diagnosis'),
      bytes: pageOf(busiest),
    },
    reason: (plugin) => pageOf(blocked, plugin === '' ? 'diagnosis' : (areaOf[plugin] ?? 'protection')),
    countries: pageOf(blocked, 'access'),
  };
}
