import './ui/tokens.css';
import { isIdentityHash } from './app/identity-hash';

/* Two programs in one page: the forms of the identity provider stay small and never load the console's shell. */
if (isIdentityHash(window.location.hash)) {
  void import('./features/identity/start-identity').then((identity) => identity.startIdentity());
} else {
  void import('./app/start-console').then((app) => app.startConsole());
}
