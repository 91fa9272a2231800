import type { TrafficRange } from '@cordon/contract';
import type { RequestMatch } from '../../domain/traffic/request-match';

/** What of the dashboard the URL holds. */
export interface DashboardSearch {
  range: TrafficRange;
  /** Id of the one domain that is shown. */
  domain: string | undefined;
  /** Requests of which the domains are listed. */
  match: RequestMatch | undefined;
}
