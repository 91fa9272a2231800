import type { Role } from '@cordon/contract';
import type { Claims } from './session/claims';
import { hasRole } from './session/claims';

/** What a route asks of the visitor, and how the shell treats it; `staticData` of the router. */
export interface RouteFlags {
  /** Needs sign-in. */
  auth?: boolean;
  /** Needs all of these roles. */
  roles?: readonly Role[];
  /** Live chat is shown. */
  chat?: boolean;
  /** Answers 404 in the white-label variant. */
  hiddenInWhiteLabel?: boolean;
}

export type Decision = 'proceed' | 'sign-in' | 'unauthorized' | 'not-found';

/** Whether a visitor may see a route. `claims` is null without a session. */
export function decide(flags: RouteFlags, claims: Claims | null, isWhiteLabel: boolean): Decision {
  if (flags.hiddenInWhiteLabel && isWhiteLabel) return 'not-found';
  if (flags.auth && !claims) return 'sign-in';
  if (flags.roles?.some((role) => !claims || !hasRole(claims, role))) return 'unauthorized';
  return 'proceed';
}
