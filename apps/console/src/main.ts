import './ui/tokens.css';
import { requestBrand, requestCatalogs, requestMetadata, SHELL_CATALOGS } from './app/early-requests';
import { isIdentityHash } from './app/identity-hash';
import type {} from './messages';

// Asked for now, used when the program has arrived; a failure is met there.
requestBrand().catch(() => {});

/* Two programs in one page: the forms of the identity provider stay small and never load the console's shell. */
if (isIdentityHash(window.location.hash)) {
  void import('./features/identity/start-identity').then((identity) => identity.startIdentity());
} else {
  void requestMetadata();
  requestCatalogs(...SHELL_CATALOGS);
  void import('./routes/start-console').then((program) => program.startConsole());
  // Vite preloads the modules of each import: shell and start screen arrive beside the program, not after it.
  void import('./routes/shell-screen');
  if (/^(#\/?|#\/domain\/list.*)?$/.test(window.location.hash)) {
    void import('./routes/domain-list-screen');
    requestCatalogs('domain');
  }
}
