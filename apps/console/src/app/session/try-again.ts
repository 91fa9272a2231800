import { reach } from '../../ui/reach';
import { reachProvider } from './openid';
import { client } from './session';

/** Starts the page anew once the provider can be reached; rejects while it cannot. */
export async function tryAgain(): Promise<void> {
  if (client) await reachProvider(client);
  else await reach('/');
  window.location.reload();
}
