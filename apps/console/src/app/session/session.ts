import { useSyncExternalStore } from 'react';
import { LoadError } from '../../ui/reach';
import { hasUnsavedChanges } from '../../ui/unsaved-changes';
import { createRequest } from './authorization-request';
import { type Claims, decodeJwt, readClaims } from './claims';
import type { FirstAnswer } from './first-answer';
import { noteSignedIn, rememberFailure } from './hints';
import {
  isNetworkLost,
  isUnanswered,
  type OpenidClient,
  reachProvider,
  refresh,
  type Tokens,
  targetOf,
} from './openid';
import { startSessionTimer } from './session-timer';

export interface SessionState {
  /**
   * `lost`: the provider gave no answer, so that it is not known who is here; that signs nobody out. `ended`: as
   * `signed-out`, but what is on the screen stays, for it holds what is not saved (other-tabs.ts).
   */
  status: 'checking' | 'signed-in' | 'signed-out' | 'lost' | 'ended';
  claims: Claims | null;
  /** Why the last sign-in failed, or the provider gave no answer. */
  failure?: unknown;
}

/** What was opened last on this device; removed at sign-out. */
export const RECENTS_STORAGE_KEY = 'recents';
/** The subscription chosen last on this device, by cname; removed at sign-out. */
export const SELECTED_STORAGE_KEY = 'selected_subscription';
/** Whose all else in this tab's storage is. */
const OWNER_KEY = 'owner';

/** Forgets the account, and answers where that ends. */
type Leave = (tokens: Tokens | null) => string;

let setLeave: (leave: Leave) => void;
const leaving = new Promise<Leave>((resolve) => {
  setLeave = resolve;
});
/** How a sign-out ends: known once its file is there (other-tabs.ts). */
export const leaveBy = (leave: Leave): void => setLeave(leave);

export let client: OpenidClient | undefined;
let tokens: Tokens | null = null;
let state: SessionState = { status: 'checking', claims: null };
const listeners = new Set<() => void>();
const tokenListeners = new Set<() => void>();

function setState(next: SessionState) {
  state = next;
  for (const listener of listeners) listener();
}

/** Takes over who is here. */
export function accept(next: Tokens | null, failure?: unknown) {
  const before = tokens?.access_token;
  tokens = next;
  const claims = next && readClaims(next.access_token, decodeJwt(next.id_token) ?? {});
  // What a tab keeps is of one user.
  if (claims && sessionStorage.getItem(OWNER_KEY) !== claims.sub) {
    sessionStorage.clear();
    sessionStorage.setItem(OWNER_KEY, claims.sub);
  }
  noteSignedIn(next !== null);
  setState({ status: next ? 'signed-in' : 'signed-out', claims, failure });
  if (next && next.access_token !== before) for (const listener of tokenListeners) listener();
}

function lose(cause: unknown) {
  console.error(cause);
  const failure = cause instanceof LoadError ? cause : new LoadError(isNetworkLost(cause) ? 'network' : 'unavailable');
  setState({ status: 'lost', claims: null, failure });
}

/**
 * Takes over what the provider said of who is here, and keeps the token fresh. Call once, before the router reads the
 * address; the promise never rejects.
 */
export async function startSession(answer: Promise<FirstAnswer>): Promise<void> {
  try {
    const first = await answer;
    client = first.client;
    if (first.failure) rememberFailure();
    if (first.lost) lose(first.lost);
    else accept(first.tokens, first.failure);
    if (first.hash !== undefined) window.history.replaceState(null, '', `${window.location.pathname}${first.hash}`);
  } catch (cause) {
    lose(cause);
  }
  startSessionTimer({
    secondsLeft: () => (tokens ? (tokens.expiresAt - Date.now()) / 1000 : undefined),
    refresh: refreshSession,
    onFailure: (cause) => {
      console.error('The session could not be refreshed', cause);
      void renewalFailed(cause);
    },
  });
}

/** Only a refusal ends the session; what was not answered is asked again. */
export const renewalFailed = async (cause: unknown): Promise<void> => {
  if (isUnanswered(cause)) return;
  if (hasUnsavedChanges()) endSession();
  else await signIn();
};

/** Forgets who is signed in. What is on the screen goes at once, unless it holds what is not saved. */
export function endSession(): void {
  tokens = null;
  setState({ status: hasUnsavedChanges() ? 'ended' : 'signed-out', claims: null });
}

/** Gets a new access token; rejects when the provider no longer knows the session. */
export async function refreshSession(): Promise<void> {
  if (!client || !tokens) throw new Error('There is no session');
  const next = await refresh(client, tokens);
  // Not one that was signed out meanwhile.
  if (tokens) accept(next);
}

/** Leaves for the provider, or for its form of registration; the customer comes back to the same screen. */
export async function signIn(hash: string = window.location.hash, form: 'login' | 'create' = 'login'): Promise<void> {
  try {
    if (!client) throw new Error('The provider is unknown');
    // The browser's own page of a broken network would stand in place of the console.
    await reachProvider(client);
    // Other providers need not know that prompt, and answer it with an error.
    const isOwn = client.endpoints.issuer.startsWith(window.location.origin);
    const prompt = form === 'create' && isOwn ? 'create' : undefined;
    window.location.assign(await createRequest(targetOf(client, `${window.location.origin}/`, prompt), hash));
  } catch (cause) {
    if (isUnanswered(cause)) {
      if (!tokens) lose(cause);
      return;
    }
    console.error('Sign-in could not be started', cause);
    rememberFailure();
    accept(null, cause);
  }
}

/** Ends the session here, in the other tabs and at the provider. */
export async function signOut(): Promise<void> {
  // The file of its end comes a moment after the first screen; a page that starts anew loads one that never came.
  const leave = await Promise.race([leaving, new Promise<undefined>((stop) => setTimeout(stop, 5_000))]);
  window.location.assign(leave?.(tokens) ?? '/');
}

/** The bearer token, or undefined without a session. */
export function accessToken(): string | undefined {
  return tokens?.access_token;
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

/** Calls back with every change; answers how to stop. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The session. */
export const useSession = (): SessionState => useSyncExternalStore(onSessionChange, getSession);
