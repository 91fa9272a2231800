import type { RunnerStatus } from './payload.ts';

/** What nodes have asked their shields for, since nginx started. */
const meta = ngx.shared.cordon_meta as SharedDict;

/** `failures`: it could not be reached, or broke off. `refusals`: it had the node ask the origin itself. */
type ShieldCount = 'requests' | 'failures' | 'refusals';

const keyOf = (count: ShieldCount): string => `shield_${count}`;

export function countShield(count: ShieldCount): void {
  meta.incr(keyOf(count), 1, 0);
}

const read = (count: ShieldCount): number => (meta.get(keyOf(count)) ?? 0) as number;

export const shieldCounts = (): Pick<RunnerStatus, 'shield_requests' | 'shield_failures' | 'shield_refusals'> => ({
  shield_requests: read('requests'),
  shield_failures: read('failures'),
  shield_refusals: read('refusals'),
});
