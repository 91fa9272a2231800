import type { CacheBypass, NodeUnstoredReason, UnstoredReason } from './types.ts';

/** This cache's own member of Cache-Status (RFC 9211 2), which goes behind those of caches nearer to the origin. */

/** Why the origin was asked for what was looked for (RFC 9211 2.2). */
export type CacheForward = 'uri-miss' | 'vary-miss' | 'request' | 'stale';

/** Of what is answered from the cache: whole seconds for which that is still fresh, below 0 since it is not (2.1, 2.4). */
export function hitStatus(this: void, freshSeconds: number): string {
  return `Cordon; hit; ttl=${freshSeconds}`;
}

/** Of what is stale and serves where the origin was asked in vain, which answered with `status` (2.2, 2.3). */
export function failedStatus(this: void, status: string, freshSeconds: number): string {
  return `Cordon; fwd=stale; fwd-status=${status}; ttl=${freshSeconds}; detail=stale_if_error`;
}

/**
 * Of what the origin answered with `status` (2.3): why that was not stored (2.8), or else for how many whole seconds it is fresh as it was
 * stored (2.5); with neither, it was not, and nothing is said of it.
 */
export function forwardedStatus(
  this: void,
  forward: CacheForward,
  status: number | string,
  unstored: UnstoredReason | NodeUnstoredReason | undefined,
  freshSeconds: number | undefined,
): string {
  const forwarded = `Cordon; fwd=${forward}; fwd-status=${status}`;
  if (unstored !== undefined) return `${forwarded}; detail=${unstored}`;
  return freshSeconds === undefined ? forwarded : `${forwarded}; stored; ttl=${freshSeconds}`;
}

/** Of what was not looked for. */
export function bypassStatus(this: void, bypass: CacheBypass): string {
  return bypass === 'method' ? 'Cordon; fwd=method' : `Cordon; fwd=bypass; detail=${bypass}`;
}
