import type { Actor, RequestSource } from '@cordon/contract';
import type { FastifyRequest } from 'fastify';
import type { UserPrincipal } from './auth.ts';

/** A token that belongs to no user is the provider's staff. */
export const isOperator = (principal: UserPrincipal): boolean =>
  principal.kind === 'token' && principal.user_id === null;

const USER_AGENT_CHARACTERS_MAX = 512;

export const sourceOf = (req: Pick<FastifyRequest, 'ip' | 'headers'>): RequestSource => ({
  address: req.ip,
  userAgent: req.headers['user-agent']?.slice(0, USER_AGENT_CHARACTERS_MAX) ?? null,
});

export const actorOf = (principal: UserPrincipal, source: RequestSource): Actor => ({
  accountId: principal.account_id,
  kind: isOperator(principal) ? 'operator' : principal.kind,
  label: principal.label,
  source,
});

/** The actor of automatic changes in the account's audit log. */
export const systemActor = (accountId: string): Actor => ({ accountId, kind: 'system', label: 'Cordon' });
