import { useSession } from '../app/session/session';
import { PendingScreen } from '../app/shell/pending-screen';
import { Shell } from '../app/shell/shell';
import { loadTwice } from '../ui/lazy-part';

/** They come with the palette; where they cannot be loaded, it has nothing to offer. */
const loadPaletteSources = () =>
  loadTwice(() => import('./palette-sources')).then(
    (sources) => sources.loadPaletteSources(),
    () => [],
  );

/** The frame of every screen, with the palette's sources. */
export function ShellScreen() {
  const { status, failure } = useSession();
  // The browser is leaving for the sign-in: the screen of before would stay, under whatever address is gone to meanwhile.
  if (status === 'signed-out' && !failure) return <PendingScreen />;
  return <Shell loadPaletteSources={loadPaletteSources} />;
}
