import './ui/tokens.css';
import { requestBrand, requestCatalogs, requestSession, SHELL_CATALOGS } from './app/early-requests';
import { isIdentityForm } from './app/identity-hash';
import type {} from './messages';

// Asked for now, used when the program has arrived; a failure is met there.
requestBrand().catch(() => {});

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
  // Vite preloads the modules of each import: shell and start screen arrive beside the program, not after it.
  // One that fails here is met where it is shown.
  import('./routes/shell-screen').catch(() => {});
  if (/^(#\/?|#\/domain\/list.*)?$/.test(window.location.hash)) {
    import('./routes/domain-list-screen').catch(() => {});
    requestCatalogs('domain');
  }
}

/* Two programs in one page: the forms of the identity provider stay small and never load the console's shell. */
if (isIdentityForm(window.location))
  import('./features/identity/start-identity').then((identity) => identity.startIdentity()).catch(failStart);
else void Promise.resolve(window.pageStart?.leaving).then((isLeaving) => isLeaving || startConsole());
