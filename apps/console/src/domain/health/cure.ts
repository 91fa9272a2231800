import type { HealthFinding } from '@cordon/contract';
import { areaOf } from '@cordon/plugins/areas';

/** What mends a finding: an action of the domain, or the place where its settings are. */
export type Cure =
  | 'deploy'
  | 'resume'
  | 'end_pause'
  | 'contact_support'
  | 'dns'
  | 'origin'
  | 'plugin'
  | 'trace'
  | 'history'
  | 'diagnosis';

/** Tabs of the domain's page as its address names them; the overview has none. */
const TABS: Partial<Record<Cure, string>> = {
  origin: 'upstreams',
  history: 'versions',
  diagnosis: 'diagnosis',
  trace: 'diagnosis&view=trace',
};

const BY_CHECK: Partial<Record<HealthFinding['check'], Cure>> = {
  ownership: 'dns',
  // No screen sets one up yet.
  certificate: 'contact_support',
  propagation: 'dns',
  upstream: 'origin',
  traffic: 'origin',
  access: 'plugin',
  deploy: 'history',
};

/** Where a finding is mended. What has no place of its own is explained by the diagnosis. */
export function cureOf({ check, advice }: Pick<HealthFinding, 'check' | 'advice'>): Cure {
  if (advice === 'deploy' || advice === 'resume' || advice === 'end_pause' || advice === 'contact_support')
    return advice;
  // A request of one's own tells whom it keeps out. Under attack, less protection is no cure.
  if (advice === 'check_challenge') return 'trace';
  return BY_CHECK[check] ?? 'diagnosis';
}

/** The place on the domain's page where a finding is mended: the sheet of the plugin that it names, a tab, else the overview. */
export function curePlace(routeId: string, finding: Pick<HealthFinding, 'check' | 'advice' | 'params'>): string {
  const cure = cureOf(finding);
  const plugin = String(finding.params.plugin ?? '');
  const tab = cure === 'plugin' ? areaOf[plugin] && `${areaOf[plugin]}&edit=${plugin}` : TABS[cure];
  return `#/domain/list/${routeId}${tab === undefined ? '' : `?tab=${tab}`}`;
}
