let typed = '';

function keep(event: Event, text = '') {
  typed += text;
  event.preventDefault();
  event.stopPropagation();
}

/** Takes what is typed before the palette has the focus: the file that draws it may be on its way yet. */
function onKeyDown(event: KeyboardEvent) {
  if (event.ctrlKey || event.metaKey) return;
  if (event.key === 'Escape') takeEarlyKeys();
  else if (event.key.length === 1) keep(event, event.key);
}

const onPaste = (event: ClipboardEvent) => keep(event, event.clipboardData?.getData('text'));

/** From now on what is typed or pasted is meant for the palette. */
export function awaitPalette() {
  window.addEventListener('keydown', onKeyDown, true);
  window.addEventListener('paste', onPaste, true);
}

/** What was typed and pasted until now; from here on the palette hears the keys itself. */
export function takeEarlyKeys(): string {
  window.removeEventListener('keydown', onKeyDown, true);
  window.removeEventListener('paste', onPaste, true);
  const taken = typed;
  typed = '';
  return taken;
}
