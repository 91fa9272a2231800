import type { TrafficOverview } from '@cordon/contract';

/** Whether challenges are among what is counted: their figures are shown only then. */
export const hasChallenged = ({ challenged, passed }: TrafficOverview['totals']): boolean => challenged + passed > 0;
