import type { OpenidEndpoints } from '@cordon/contract/page-data';
import { type AuthorizationTarget, createRequest, takeRequest } from './authorization-request';
import { askInFrame } from './silent-frame';

/** What the provider gave a signed-in user. Kept in memory only: what a script could read from storage outlives the page. */
export interface Tokens {
  readonly access_token: string;
  readonly id_token: string;
  readonly refresh_token: string | undefined;
  /** Unix milliseconds. */
  readonly expiresAt: number;
}

/** This console as a client of the provider. */
export interface OpenidClient {
  readonly endpoints: OpenidEndpoints;
  readonly client_id: string;
  readonly resource: string;
}

/** Asks the provider where its endpoints are (OpenID Connect Discovery 1.0, section 4). */
export async function discover(authority: string): Promise<OpenidEndpoints> {
  const response = await fetch(`${authority}/.well-known/openid-configuration`);
  if (!response.ok) throw new Error(`The provider's metadata answered ${response.status}`);
  const metadata = (await response.json()) as OpenidEndpoints;
  if (metadata.issuer !== authority) throw new Error(`The provider calls itself ${metadata.issuer}`);
  return metadata;
}

export const targetOf = (
  { endpoints, client_id, resource }: OpenidClient,
  redirect_uri: string,
  prompt?: AuthorizationTarget['prompt'],
): AuthorizationTarget => ({
  authorization_endpoint: endpoints.authorization_endpoint,
  client_id,
  resource,
  redirect_uri,
  prompt,
});

const payloadOf = (jwt: string): Record<string, unknown> => {
  const bytes = Uint8Array.from(atob((jwt.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/')), (char) =>
    char.charCodeAt(0),
  );
  return JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
};

/** Came straight from the token endpoint, so that its signature need not be looked at (OpenID Connect Core, 3.1.3.7). */
function checkIdToken(idToken: string, { endpoints, client_id }: OpenidClient, subject?: unknown): void {
  const { iss, aud, exp, sub } = payloadOf(idToken);
  if (iss !== endpoints.issuer) throw new Error('The ID token is of another issuer');
  if (![aud].flat().includes(client_id)) throw new Error('The ID token is for another client');
  if (typeof exp !== 'number' || typeof sub !== 'string') throw new Error('The ID token is not whole');
  if (subject !== undefined && sub !== subject) throw new Error('The ID token is of another user');
}

async function askForTokens(
  client: OpenidClient,
  parameters: Record<string, string>,
  before?: Tokens,
): Promise<Tokens> {
  const response = await fetch(client.endpoints.token_endpoint, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({ client_id: client.client_id, resource: client.resource, ...parameters }),
  });
  const body = (await response.json()) as {
    error?: string;
    access_token?: string;
    id_token?: string;
    refresh_token?: string;
    expires_in?: number;
  };
  if (!response.ok || !body.access_token) throw new Error(`No token: ${response.status} ${body.error ?? ''}`);
  // A refresh need not bring a new ID token, or a new refresh token.
  const id_token = body.id_token ?? before?.id_token;
  if (!id_token) throw new Error('The provider gave no ID token');
  checkIdToken(id_token, client, before && payloadOf(before.id_token).sub);
  return {
    access_token: body.access_token,
    id_token,
    refresh_token: body.refresh_token ?? before?.refresh_token,
    expiresAt: Date.now() + (body.expires_in ?? 0) * 1000,
  };
}

/** What the provider sent the browser back with; undefined when the address has no answer of a provider. */
export function answerIn(search: string): URLSearchParams | undefined {
  const answer = new URLSearchParams(search);
  return answer.has('state') && (answer.has('code') || answer.has('error')) ? answer : undefined;
}

/**
 * Finishes an authorization request with the provider's answer to it: checks that the request was made here and that
 * this provider answered (RFC 9207), and gets the tokens. Rejects when the provider refused.
 */
export async function finishRequest(
  client: OpenidClient,
  answer: URLSearchParams,
): Promise<{ tokens: Tokens; hash: string }> {
  const request = takeRequest(answer.get('state') ?? '');
  if (!request) throw new Error('The answer belongs to no request of this tab');
  const issuer = answer.get('iss');
  if (issuer !== null && issuer !== client.endpoints.issuer) throw new Error('Another issuer answered');
  const code = answer.get('code');
  if (code === null) throw new Error(answer.get('error_description') ?? answer.get('error') ?? 'No code');
  const { verifier, redirect_uri, hash } = request;
  const parameters = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri };
  return { tokens: await askForTokens(client, parameters), hash };
}

/**
 * Who is signed in at the provider, asked in a hidden frame; rejects when it is unknown there.
 * @param asked The frame's answer, where the page has asked already.
 */
export async function signInSilently(client: OpenidClient, asked?: Promise<string>): Promise<Tokens> {
  const ask = async () => askInFrame(await createRequest(targetOf(client, `${location.origin}/silent.html`, 'none')));
  const address = await (asked ?? ask());
  return (await finishRequest(client, new URL(address).searchParams)).tokens;
}

/** New tokens for the same user; rejects when the provider no longer knows the session. */
export async function refresh(client: OpenidClient, tokens: Tokens): Promise<Tokens> {
  if (!tokens.refresh_token) return signInSilently(client);
  return askForTokens(client, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }, tokens);
}

/** Where the session ends at the provider (RP-Initiated Logout 1.0); undefined when it has no such place. */
export function signOutAddress({ endpoints, client_id }: OpenidClient, tokens: Tokens | null): string | undefined {
  if (!endpoints.end_session_endpoint) return undefined;
  const url = new URL(endpoints.end_session_endpoint);
  url.searchParams.set('client_id', client_id);
  url.searchParams.set('post_logout_redirect_uri', `${location.origin}/`);
  if (tokens) url.searchParams.set('id_token_hint', tokens.id_token);
  return url.href;
}
