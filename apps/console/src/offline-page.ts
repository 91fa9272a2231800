/* The script of the page that offline-worker.ts shows while there is no network. */
import { applyLastTime, showMissingProgram } from './app/missing-program';

try {
  applyLastTime();
} catch {
  // Storage is refused: the system's theme, and English.
}
const root = document.getElementById('root');
if (root) showMissingProgram(root, 'network');
