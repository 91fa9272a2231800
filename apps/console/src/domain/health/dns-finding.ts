import type { HealthFinding, RouteSummary } from '@cordon/contract';

/** What the one judgement of a domain's health says of its DNS: that its name was proved once says nothing of today. */
export const dnsFinding = ({ health }: Pick<RouteSummary, 'health'>): HealthFinding | undefined =>
  health.findings.find(({ check }) => check === 'ownership') ??
  health.findings.find(({ check }) => check === 'propagation');
