/*
 * Stands in the page itself (vite.config.ts) and runs before anything else is there: theme and language of last time,
 * an outline of what is on its way, what is said when the program does not arrive, and the first question to the
 * identity provider. Each import of this file is in every page.
 */
import type { Locale } from '@cordon/contract';
import { initialLocale } from './app/locale';
import { applyLastTime, showMissingProgram } from './app/missing-program';
import { readPageData } from './app/page-data';
import { drawPageOutline } from './app/page-outline';
import { createRequest } from './app/session/authorization-request';
import { isSignInLooping, wasSignedIn } from './app/session/hints';
import { askInFrame } from './app/session/silent-frame';
import { isIdentityForm, STARTS_AT_LIST } from './app/start-hash';

declare global {
  interface Window {
    pageStart?: {
      /** The browser is about to leave for the sign-in. */
      readonly isLeaving: boolean;
      /** Whether it left, so that nothing else need be started. */
      readonly leaving: Promise<boolean>;
      /** The silent check, where one is under way. */
      readonly silentAnswer: Promise<string> | undefined;
    };
  }
}

/** Screens that nobody sees signed out; others are the router's to judge (routes/route-tree.ts). */
const NEEDS_SESSION = /^(#\/?|#\/(domain|dashboard|manage-ip|user)(\/.*)?)(\?.*)?$/;
const PROVIDER_ANSWER = /[?&#](code|error|state|interaction)=/;

/** The words are a part of the program too: here they are those of the page itself. */
function showFailure() {
  const root = document.getElementById('root');
  if (root && !root.hasChildNodes()) showMissingProgram(root, navigator.onLine ? 'missing' : 'network');
}

/**
 * Signed out, the browser leaves for the provider before the console is loaded; after an earlier sign-in the silent
 * check runs while it loads. Both only where the page knows the provider's endpoints: else the console does it.
 */
function askProvider(): Window['pageStart'] {
  const data = readPageData();
  if (!data?.openid || !crypto.subtle || PROVIDER_ANSWER.test(location.search + location.hash)) return undefined;
  const target = {
    authorization_endpoint: data.openid.authorization_endpoint,
    client_id: data.brand.oidc.client_id,
    resource: `${location.origin}/api/v1/`,
  };
  if (wasSignedIn()) {
    const redirect_uri = `${location.origin}/silent.html`;
    const silentAnswer = createRequest({ ...target, redirect_uri, prompt: 'none' }).then(askInFrame);
    silentAnswer.catch(() => {});
    return { isLeaving: false, leaving: Promise.resolve(false), silentAnswer };
  }
  if (!NEEDS_SESSION.test(location.hash || '#') || isSignInLooping()) return undefined;
  const leaving = createRequest({ ...target, redirect_uri: `${location.origin}/` }, location.hash).then(
    (address) => {
      // Tabs that have signed out wait for it (other-tabs.ts).
      new BroadcastChannel('session').postMessage('nobody');
      location.replace(address);
      return true;
    },
    () => false,
  );
  return { isLeaving: true, leaving, silentAnswer: undefined };
}

type Program = 'identity' | 'console' | 'list';

/** Asks for the files of the program that this page will start with (main.ts), before main.ts has arrived. */
function requestFiles(program: Program) {
  const text = document.getElementById('page-files')?.textContent;
  if (!text) return;
  const files = JSON.parse(text) as Record<Program, Record<Locale, string[]>>;
  for (const href of files[program][initialLocale()]) {
    const link = Object.assign(document.createElement('link'), { rel: 'modulepreload', crossOrigin: '', href });
    document.head.append(link);
  }
}

// Events of files that fail do not bubble; a module fails with whatever it needs.
const isNeeded = (target: EventTarget | null) =>
  target instanceof HTMLScriptElement || (target instanceof HTMLLinkElement && target.rel === 'stylesheet');
addEventListener('error', ({ target }) => isNeeded(target) && showFailure(), true);
addEventListener('startfailure', showFailure);
try {
  applyLastTime();
  window.pageStart = askProvider();
  const isForm = isIdentityForm(location);
  const isList = STARTS_AT_LIST.test(location.hash);
  if (!window.pageStart?.isLeaving) requestFiles(isForm ? 'identity' : isList ? 'list' : 'console');
  drawPageOutline(isForm || window.pageStart?.isLeaving ? 'form' : 'shell');
} catch {
  // Storage is refused: the system's theme and language are used, and the console asks the provider itself.
}
