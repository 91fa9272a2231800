import type { Actor } from '@cordon/contract';
import type { UserPrincipal } from './auth.ts';

/** A token that belongs to no user is the provider's staff. */
export const isOperator = (principal: UserPrincipal): boolean =>
  principal.kind === 'token' && principal.user_id === null;

export const actorOf = (principal: UserPrincipal): Actor => ({
  accountId: principal.account_id,
  kind: isOperator(principal) ? 'operator' : principal.kind,
  label: principal.label,
});

/** The actor of automatic changes in the account's audit log. */
export const systemActor = (accountId: string): Actor => ({ accountId, kind: 'system', label: 'Cordon' });
