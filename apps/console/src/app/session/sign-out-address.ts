import type { OpenidClient, Tokens } from './openid';

/** Where the session ends at the provider (RP-Initiated Logout 1.0); undefined when it has no such place. */
export function signOutAddress({ endpoints, client_id }: OpenidClient, tokens: Tokens | null): string | undefined {
  if (!endpoints.end_session_endpoint) return undefined;
  const url = new URL(endpoints.end_session_endpoint);
  url.searchParams.set('client_id', client_id);
  url.searchParams.set('post_logout_redirect_uri', `${location.origin}/`);
  if (tokens) url.searchParams.set('id_token_hint', tokens.id_token);
  return url.href;
}
