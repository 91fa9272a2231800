import { useSession } from '../app/session/session';
import { PendingScreen } from '../app/shell/pending-screen';
import { Shell } from '../app/shell/shell';
import { loadPaletteSources } from './palette-sources';

/** The frame of every screen, with the palette's sources. */
export function ShellScreen() {
  const { status, failure } = useSession();
  // The browser is leaving for the sign-in: the screen of before would stay, under whatever address is gone to meanwhile.
  if (status === 'signed-out' && !failure) return <PendingScreen />;
  return <Shell loadPaletteSources={loadPaletteSources} />;
}
