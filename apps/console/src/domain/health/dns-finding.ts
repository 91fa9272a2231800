import type { HealthFinding, RouteSummary } from '@cordon/contract';

type Judged = Pick<RouteSummary, 'health'>;

/** What the one judgement of a domain's health says of its record: that its name was proved once says nothing of today. */
export const dnsFinding = ({ health }: Judged): HealthFinding | undefined =>
  health.findings.find(({ check }) => check === 'ownership');

/** The same, or that not all resolvers see the record yet. */
export const dnsSeenFinding = (route: Judged): HealthFinding | undefined =>
  dnsFinding(route) ?? route.health.findings.find(({ check }) => check === 'propagation');
