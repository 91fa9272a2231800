import type { OpenidEndpoints } from '@cordon/contract/page-data';
import * as oauth from 'oauth4webapi';
import { LoadError, reach } from '../../ui/reach';
import { type AuthorizationTarget, createRequest, takeRequest } from './authorization-request';
import { decodeJwt } from './claims';
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

/** Whether `fetch` found no network; the library's own errors of this kind have a code. */
export const isNetworkLost = (cause: unknown): boolean => cause instanceof TypeError && !('code' in cause);

/** Whether the provider gave no answer: no network, or only what stands before it. Everything else is a refusal. */
export function isUnanswered(cause: unknown): boolean {
  if (cause instanceof LoadError || isNetworkLost(cause)) return true;
  if (!(cause instanceof Error)) return false;
  const { cause: response } = cause;
  return cause.name === 'TimeoutError' || (response instanceof Response && response.status >= 500);
}

/** Asks whether the provider can be reached at all; rejects with `LoadError`. */
export const reachProvider = async ({ endpoints }: OpenidClient): Promise<void> => {
  await reach(`${endpoints.issuer}/.well-known/openid-configuration`);
};

/* A deployment on one machine, such as the demo, has no TLS; the browser refuses it from a page that has. */
const OPTIONS = { [oauth.allowInsecureRequests]: true } as const;
/** Of the device: a clock further off is named by the page that says that signing in failed. */
const CLOCK_TOLERANCE_SECONDS = 300;

const registrationOf = ({ client_id }: OpenidClient): oauth.Client => ({
  client_id,
  [oauth.clockTolerance]: CLOCK_TOLERANCE_SECONDS,
});

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

function tokensOf(answer: oauth.TokenEndpointResponse, before?: Tokens): Tokens {
  // A refresh need not bring a new ID token, or a new refresh token.
  const id_token = answer.id_token ?? before?.id_token;
  if (!id_token) throw new Error('The provider gave no ID token');
  const subject = oauth.getValidatedIdTokenClaims(answer)?.sub;
  if (before && subject !== undefined && subject !== decodeJwt(before.id_token)?.sub)
    throw new Error('The ID token is of another user');
  return {
    access_token: answer.access_token,
    id_token,
    refresh_token: answer.refresh_token ?? before?.refresh_token,
    expiresAt: Date.now() + (answer.expires_in ?? 0) * 1000,
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
  const state = answer.get('state') ?? '';
  const request = takeRequest(state);
  if (!request) throw new Error('The answer belongs to no request of this tab');
  const { endpoints, resource } = client;
  const registration = registrationOf(client);
  const response = await oauth.authorizationCodeGrantRequest(
    endpoints,
    registration,
    oauth.None(),
    oauth.validateAuthResponse(endpoints, registration, answer, state),
    request.redirect_uri,
    request.verifier,
    { ...OPTIONS, additionalParameters: { resource } },
  );
  const tokens = await oauth.processAuthorizationCodeResponse(endpoints, registration, response, {
    requireIdToken: true,
  });
  return { tokens: tokensOf(tokens), hash: request.hash };
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
  const { endpoints, resource } = client;
  const registration = registrationOf(client);
  const response = await oauth.refreshTokenGrantRequest(endpoints, registration, oauth.None(), tokens.refresh_token, {
    ...OPTIONS,
    additionalParameters: { resource },
  });
  return tokensOf(await oauth.processRefreshTokenResponse(endpoints, registration, response), tokens);
}
