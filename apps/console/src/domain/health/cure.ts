import type { HealthFinding } from '@cordon/contract';

/** What mends a finding: an action of the domain, or the place where its settings are. */
export type Cure =
  | 'deploy'
  | 'resume'
  | 'end_pause'
  | 'contact_support'
  | 'dns'
  | 'origin'
  | 'access'
  | 'trace'
  | 'history'
  | 'diagnosis';

/** Cures that are places: tabs of the domain's page as its address names them, `undefined` the overview. */
export const CURE_TABS = {
  end_pause: undefined,
  dns: undefined,
  origin: 'upstreams',
  access: 'access',
  history: 'versions',
  diagnosis: 'diagnosis',
  trace: 'diagnosis&view=trace',
} as const satisfies Partial<Record<Cure, string | undefined>>;

const BY_CHECK: Partial<Record<HealthFinding['check'], Cure>> = {
  ownership: 'dns',
  // No screen sets one up yet.
  certificate: 'contact_support',
  propagation: 'dns',
  upstream: 'origin',
  traffic: 'origin',
  access: 'access',
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
