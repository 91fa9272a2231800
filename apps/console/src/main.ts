import './ui/tokens.css';
import { browserTimeZone } from './app/browser-time-zone';
import { requestBrand, requestCatalogs, requestSession, SHELL_CATALOGS } from './app/early-requests';
import { registerOfflineWorker } from './app/register-offline-worker';
import { isIdentityForm, STARTS_AT_LIST } from './app/start-hash';
import type {} from './messages';

// Asked for now, used when the program has arrived; a failure is met there.
requestBrand().catch(() => {});
registerOfflineWorker();

/** A program that does not arrive cannot say so itself: see page-start.ts. */
function failStart(error: unknown) {
  console.error(error);
  window.dispatchEvent(new Event('startfailure'));
}

function startConsole() {
  // Met where the session is waited for.
  requestSession().catch(() => {});
  requestCatalogs(...SHELL_CATALOGS);
  import('./routes/start-console').then((program) => program.startConsole()).catch(failStart);
  // Vite preloads the modules of each import: the start screen arrives beside the program, not after it.
  // If it fails here, that is met where it is shown.
  if (STARTS_AT_LIST.test(window.location.hash)) {
    import('./routes/domain-list-screen').catch(() => {});
    requestCatalogs('domain');
  }
  setTimeout(browserTimeZone);
}

/* Two programs in one page: the forms of the identity provider stay small and never load the console's shell. */
if (isIdentityForm(window.location)) {
  requestCatalogs('identity');
  import('./features/identity/start-identity').then((identity) => identity.startIdentity()).catch(failStart);
} else void Promise.resolve(window.pageStart?.leaving).then((isLeaving) => isLeaving || startConsole());
