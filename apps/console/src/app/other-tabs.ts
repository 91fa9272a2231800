import { SUBSCRIPTIONS_STORAGE_KEY } from '@cordon/contract';
import { createTranslator } from 'use-intl';
import { forgetSizes } from '../ui/list-sizes';
import { dismissNotice, notify } from '../ui/notices';
import { hasUnsavedChanges } from '../ui/unsaved-changes';
import { queryClient } from './api-client';
import { translator } from './failure';
import { getIntl, type IntlState, needCatalogs } from './intl-store';
import { type Claims, decodeJwt } from './session/claims';
import { noteSignedIn } from './session/hints';
import { type OpenidClient, signInSilently, type Tokens } from './session/openid';
import {
  accept,
  client,
  endSession,
  getSession,
  leaveBy,
  onSessionChange,
  RECENTS_STORAGE_KEY,
  SELECTED_STORAGE_KEY,
  signIn,
} from './session/session';
import { signOutAddress } from './session/sign-out-address';
import { SIGNED_OUT_STORAGE_KEY } from './signed-out';

/** Who is signed in in a tab, by `sub`. `nobody`: it was opened without a session. `out`: the user signs out. */
type Message = { readonly sub: string } | 'nobody' | 'out';

/** The tab that signs out may never come back from the provider. */
const SIGN_OUT_MS_MAX = 5_000;
const LOOK_MS = 1_000;

let channel: BroadcastChannel | undefined;
/** Who was signed in here last. */
let person: Claims | undefined;
let isWaiting = false;
let noticeId = '';
let timer: number | undefined;

function forgetAccount() {
  noteSignedIn(false);
  for (const key of [SUBSCRIPTIONS_STORAGE_KEY, SELECTED_STORAGE_KEY, RECENTS_STORAGE_KEY])
    window.localStorage.removeItem(key);
  // Operations that are watched are the account's, too.
  window.sessionStorage.clear();
  forgetSizes();
}

const startAnew = () => window.location.assign('/');

function hear({ data }: MessageEvent<Message>) {
  const { status, claims } = getSession();
  const sub = typeof data === 'object' ? data.sub : undefined;
  // The provider has ended the session by now: asked sooner, it would have signed in again.
  if (isWaiting) startAnew();
  else if (status === 'ended') void (sub === person?.sub && resume());
  else if (claims && data !== 'nobody' && sub !== claims.sub) {
    if (data === 'out') {
      forgetAccount();
      window.sessionStorage.setItem(SIGNED_OUT_STORAGE_KEY, 'true');
    } else window.sessionStorage.clear();
    // Before it is told that nobody is signed in here: a third tab would take that for the end of the session at the provider.
    isWaiting = data === 'out';
    endSession();
    if (getSession().status === 'ended') isWaiting = false;
    else if (isWaiting) window.setTimeout(startAnew, SIGN_OUT_MS_MAX);
    else startAnew();
  }
}

let isResuming = false;
/** Goes on with what is on the screen, if the customer has signed in again in another tab. */
async function resume() {
  if (!person || isResuming || document.visibilityState !== 'visible') return;
  isResuming = true;
  try {
    const tokens = await signInSilently(client as OpenidClient);
    if (decodeJwt(tokens.id_token)?.sub === person.sub) accept(tokens);
  } catch {
    // Signed out still.
  }
  isResuming = false;
}

/** Stays until the session is back: without it nothing on the screen can be saved. */
async function say() {
  await needCatalogs('pages', 'errors');
  if (getSession().status !== 'ended') return;
  const { locale, messages } = getIntl();
  const t = createTranslator({
    locale,
    messages: messages as Required<IntlState['messages']>,
    namespace: 'pages.ended',
  });
  // In place of what the write said that found out.
  noticeId = `failure:${translator()('codes.UNAUTHENTICATED')}`;
  notify({
    id: noticeId,
    tone: 'error',
    title: t('title'),
    description: t('body', { email: person?.email ?? '' }),
    durationMs: 0,
    action: { label: t('signIn'), onPress: () => void window.open('/', '_blank', 'noopener') },
  });
}

function stop() {
  window.clearInterval(timer);
  timer = undefined;
}

function follow() {
  const { status, claims } = getSession();
  if (claims) {
    person = claims;
    channel?.postMessage({ sub: claims.sub } satisfies Message);
  } else if (status === 'signed-out' && !isWaiting) channel?.postMessage('nobody' satisfies Message);
  if (status === 'ended' && timer === undefined) {
    void say();
    timer = window.setInterval(() => {
      if (hasUnsavedChanges()) return;
      stop();
      void signIn();
    }, LOOK_MS);
  } else if (status === 'signed-in' && timer !== undefined) {
    stop();
    dismissNotice(noticeId);
    void queryClient.invalidateQueries();
  }
}

/** Hears what becomes of the session in other tabs, and keeps what is not saved here when it ends. */
export function listen(): void {
  channel ??= new BroadcastChannel('session');
  channel.onmessage = hear;
  leaveBy(leave);
  onSessionChange(follow);
  document.addEventListener('visibilitychange', () => getSession().status === 'ended' && void resume());
  queryClient.getMutationCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'error' && getSession().status === 'ended') void say();
  });
  follow();
}

/** Forgets what this browser keeps of the account, and answers where it ends; the other tabs leave, too. */
function leave(tokens: Tokens | null): string {
  forgetAccount();
  channel?.postMessage('out' satisfies Message);
  return (client && signOutAddress(client, tokens)) ?? '/';
}
