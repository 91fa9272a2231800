import { API_BASE, type Brand, SUBSCRIPTIONS_STORAGE_KEY } from '@cordon/contract';
import { InMemoryWebStorage, type OidcMetadata, type User, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import { useSyncExternalStore } from 'react';
import { type Claims, readClaims } from './claims';
import { startSessionTimer } from './session-timer';

export interface SessionState {
  status: 'checking' | 'signed-in' | 'signed-out';
  claims: Claims | null;
  /** Why the last sign-in failed; only for the log and the page that stops a loop. */
  failure?: unknown;
}

const SILENT_CHECK_SECONDS = 10;
/** What was opened last on this device; removed at sign-out. */
export const RECENTS_STORAGE_KEY = 'recents';
const HINT_KEY = 'session_hint';
const FAILURES_KEY = 'sign_in_failures';
const FAILURES_MAX = 3;
const FAILURES_WINDOW_MS = 60_000;

let manager: UserManager | undefined;
let user: User | null = null;
let state: SessionState = { status: 'checking', claims: null };
const listeners = new Set<() => void>();
const tokenListeners = new Set<() => void>();

function accept(next: User | null, failure?: unknown) {
  const before = user?.access_token;
  user = next;
  state = {
    status: next ? 'signed-in' : 'signed-out',
    claims: next ? readClaims(next.access_token, next.profile as Parameters<typeof readClaims>[1]) : null,
    failure,
  };
  if (next) window.localStorage.setItem(HINT_KEY, '1');
  else window.localStorage.removeItem(HINT_KEY);
  for (const listener of listeners) listener();
  if (next && next.access_token !== before) for (const listener of tokenListeners) listener();
}

function createManager(brand: Brand, metadata: Partial<OidcMetadata> | undefined): UserManager {
  const { origin } = window.location;
  return new UserManager({
    authority: brand.oidc.authority,
    // Asked for while the program was on its way; without it the library asks.
    metadata: metadata?.issuer === undefined ? undefined : metadata,
    client_id: brand.oidc.client_id,
    redirect_uri: `${origin}/`,
    post_logout_redirect_uri: `${origin}/`,
    silent_redirect_uri: `${origin}/silent.html`,
    scope: 'openid profile email offline_access',
    resource: `${origin}${API_BASE}`,
    automaticSilentRenew: false,
    monitorSession: false,
    silentRequestTimeoutInSeconds: SILENT_CHECK_SECONDS,
    // Tokens stay in memory: what a script could read from storage outlives the page. A reload asks the provider again.
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    stateStore: new WebStorageStateStore({ store: window.sessionStorage }),
  });
}

/** Finishes a redirect from the provider; answers the hash that the customer was on. Failures are only logged. */
async function finishRedirect(openid: UserManager): Promise<void> {
  const search = new URLSearchParams(window.location.search);
  const hasAnswer = search.has('state') && (search.has('code') || search.has('error'));
  if (!hasAnswer) return;
  let hash = '';
  try {
    const signedIn = await openid.signinCallback();
    hash = (signedIn?.state as { hash?: string } | undefined)?.hash ?? '';
    window.sessionStorage.removeItem(FAILURES_KEY);
    accept(signedIn ?? null);
  } catch (cause) {
    console.error('Sign-in failed', cause);
    rememberFailure();
    accept(null, cause);
  }
  window.history.replaceState(null, '', `${window.location.pathname}${hash}`);
}

function recentFailures(): number[] {
  const all = JSON.parse(window.sessionStorage.getItem(FAILURES_KEY) ?? '[]') as number[];
  return all.filter((at) => at > Date.now() - FAILURES_WINDOW_MS);
}

function rememberFailure() {
  window.sessionStorage.setItem(FAILURES_KEY, JSON.stringify([...recentFailures(), Date.now()]));
}

/** Whether signing in failed so often just now that trying again would only go round in circles. */
export function isSignInLooping(): boolean {
  return recentFailures().length >= FAILURES_MAX;
}

/** Lets the customer try again by hand. */
export function forgetSignInFailures(): void {
  window.sessionStorage.removeItem(FAILURES_KEY);
}

/** Whether a user was signed in here last time, so that the shell may be drawn while the check runs. */
export function wasSignedIn(): boolean {
  return window.localStorage.getItem(HINT_KEY) !== null;
}

/**
 * Handles the provider's answer in the address, or asks it silently who is here, and keeps the token fresh. Call once,
 * before the router reads the address; the promise never rejects. `metadata` is where the provider's endpoints are, if
 * that is known.
 */
export async function startSession(brand: Brand, metadata: Promise<Partial<OidcMetadata> | undefined>): Promise<void> {
  manager = createManager(brand, await metadata);
  await finishRedirect(manager);
  if (state.status === 'checking') {
    await manager.signinSilent().then(accept, (cause: unknown) => {
      console.info('No session', cause);
      accept(null);
    });
  }
  startSessionTimer({
    secondsLeft: () => user?.expires_in,
    refresh: refreshSession,
    onFailure: (cause) => {
      console.error('The session could not be refreshed', cause);
      void signIn();
    },
  });
}

/** Gets a new access token; rejects when the provider no longer knows the session. */
export async function refreshSession(): Promise<void> {
  if (!manager) throw new Error('The session has not started');
  accept((await manager.signinSilent()) ?? null);
  if (!user) throw new Error('The provider answered without a user');
}

/** Leaves for the provider, or for its form of registration; the customer comes back to the same screen. */
export async function signIn(hash: string = window.location.hash, form: 'login' | 'create' = 'login'): Promise<void> {
  try {
    // Other providers need not know that prompt, and answer it with an error.
    const isOwn = manager?.settings.authority.startsWith(window.location.origin);
    await manager?.signinRedirect({ state: { hash }, ...(form === 'create' && isOwn ? { prompt: 'create' } : {}) });
  } catch (cause) {
    console.error('Sign-in could not be started', cause);
    rememberFailure();
    accept(null, cause);
  }
}

/** Ends the session here and at the provider. */
export async function signOut(): Promise<void> {
  window.localStorage.removeItem(HINT_KEY);
  window.localStorage.removeItem(SUBSCRIPTIONS_STORAGE_KEY);
  window.localStorage.removeItem(RECENTS_STORAGE_KEY);
  await manager?.signoutRedirect();
}

/** The bearer token, or undefined without a session. */
export function accessToken(): string | undefined {
  return user?.access_token;
}

/** Calls back with every new token; answers how to stop. */
export function onTokenChange(listener: () => void): () => void {
  tokenListeners.add(listener);
  return () => tokenListeners.delete(listener);
}

/** The session now, for code outside React. */
export function getSession(): SessionState {
  return state;
}

/** The session. */
export function useSession(): SessionState {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, getSession);
}
