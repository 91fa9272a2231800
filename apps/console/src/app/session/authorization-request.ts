/* A part of the script in the page: imports nothing that is larger than itself. */

/** What an authorization request needs to know of the provider and of this client. */
export interface AuthorizationTarget {
  readonly authorization_endpoint: string;
  readonly client_id: string;
  readonly redirect_uri: string;
  /** The API that the tokens are for (RFC 8707). */
  readonly resource: string;
  readonly prompt?: 'none' | 'create' | undefined;
}

/** What is kept of a request until its answer comes. */
export interface OpenRequest {
  /** RFC 7636. */
  readonly verifier: string;
  readonly redirect_uri: string;
  /** Where the customer was. */
  readonly hash: string;
  readonly at: number;
}

const SCOPE = 'openid profile email offline_access';
const KEY_PREFIX = 'sign_in.';
/* The provider's form is open for half an hour; what is older was left. */
const LIFETIME_MS = 3_600_000;

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '');

const randomText = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

function forgetOldRequests() {
  for (const key of Object.keys(sessionStorage).filter((one) => one.startsWith(KEY_PREFIX))) {
    const { at } = JSON.parse(sessionStorage.getItem(key) ?? '{}') as Partial<OpenRequest>;
    if (!(at && at > Date.now() - LIFETIME_MS)) sessionStorage.removeItem(key);
  }
}

/** Begins an authorization code request with PKCE; answers its address. `takeRequest` knows it until it is answered. */
export async function createRequest(target: AuthorizationTarget, hash = ''): Promise<string> {
  const [state, verifier] = [randomText(), randomText()];
  const challenge = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const url = new URL(target.authorization_endpoint);
  const parameters = {
    client_id: target.client_id,
    redirect_uri: target.redirect_uri,
    response_type: 'code',
    scope: SCOPE,
    state,
    code_challenge: base64url(new Uint8Array(challenge)),
    code_challenge_method: 'S256',
    resource: target.resource,
    ...(target.prompt && { prompt: target.prompt }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.append(name, value);
  forgetOldRequests();
  const request: OpenRequest = { verifier, redirect_uri: target.redirect_uri, hash, at: Date.now() };
  sessionStorage.setItem(KEY_PREFIX + state, JSON.stringify(request));
  return url.href;
}

/** Where the customer was when the request with this `state` was made. */
export function hashOf(state: string): string {
  const text = sessionStorage.getItem(KEY_PREFIX + state);
  return text === null ? '' : (JSON.parse(text) as OpenRequest).hash;
}

/** The request that an answer with this `state` belongs to, once: a second answer to it is none. */
export function takeRequest(state: string): OpenRequest | undefined {
  const text = sessionStorage.getItem(KEY_PREFIX + state);
  sessionStorage.removeItem(KEY_PREFIX + state);
  return text === null ? undefined : (JSON.parse(text) as OpenRequest);
}
