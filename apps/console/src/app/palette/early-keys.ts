let typed = '';

/** Takes what is typed before the palette has the focus: the file that draws it may be on its way yet. */
function onKeyDown(event: KeyboardEvent) {
  if (event.ctrlKey || event.metaKey) return;
  if (event.key === 'Escape') takeEarlyKeys();
  else if (event.key.length === 1) {
    typed += event.key;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** From now on what is typed is meant for the palette. */
export const awaitPalette = (): void => window.addEventListener('keydown', onKeyDown, true);

/** What was typed until now; from here on the palette hears the keys itself. */
export function takeEarlyKeys(): string {
  window.removeEventListener('keydown', onKeyDown, true);
  const taken = typed;
  typed = '';
  return taken;
}
