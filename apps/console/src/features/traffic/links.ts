import type { StatusClass, TrafficOverview, TrafficRange } from '@cordon/contract';
import { matchSearch, type RequestMatch } from '../../domain/traffic/request-match';
import type { TrafficNumber } from '../../domain/traffic/traffic-numbers';

/** The dashboard of one domain, of the same range. */
export const dashboardOf = (id: string, range: TrafficRange): string => `#/dashboard?range=${range}&domain=${id}`;

export interface DashboardLinks {
  /** Where an empty dashboard sends one. */
  home: string;
  numbers: Readonly<Record<TrafficNumber, string>>;
  /** Where the cache can be changed; of several domains, those first that the cache answers least of. */
  hits: string;
  status: (status: StatusClass) => string;
  reason: (stopped: TrafficOverview['stopped_by_reason'][number]) => string;
  country: (country: string) => string;
  domain: (id: string) => string;
}

/**
 * Where the numbers and lines of the dashboard lead: to the requests that they count, where these are of the shown domain
 * or of the only one with traffic; else to the list of the domains behind them, of the same range.
 */
export function hrefsOf(
  overview: TrafficOverview | undefined,
  { range, domain }: { range: TrafficRange; domain: string | undefined },
): DashboardLinks {
  const [first, ...others] = overview?.top_domains ?? [];
  const only = domain ?? (others.length === 0 ? first?.route_id : undefined);
  const placeOf = (match: RequestMatch) =>
    `${only === undefined ? `#/dashboard?range=${range}&` : `#/domain/list/${only}?`}${matchSearch(match)}`;
  const pageOf = (id: string | undefined) => (id === undefined ? '#/domain/list' : `#/domain/list/${id}`);
  return {
    home: pageOf(domain),
    numbers: {
      requests: placeOf({ by: 'requests' }),
      blocked: placeOf({ blocked: true }),
      challenged: placeOf({ challenged: true }),
      errors: placeOf({ status: '5xx' }),
      bytes: only === undefined ? placeOf({ by: 'bytes' }) : pageOf(only),
    },
    hits: only === undefined ? '#/domain/list?sort=hit_ratio' : `${pageOf(only)}?tab=caching`,
    status: (status) => placeOf({ status }),
    reason: ({ plugin, reason, action }) =>
      placeOf({ plugin, reason, ...(action === 'challenge' && { challenged: true }) }),
    country: (country) => placeOf({ country }),
    domain: (id) => dashboardOf(id, range),
  };
}
