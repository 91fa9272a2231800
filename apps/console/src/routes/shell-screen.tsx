import { Shell } from '../app/shell/shell';
import { loadPaletteSources } from './palette-sources';

/** The frame of every screen, with the palette's sources. */
export function ShellScreen() {
  return <Shell loadPaletteSources={loadPaletteSources} />;
}
