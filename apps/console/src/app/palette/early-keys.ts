let typed = '';

function keep(event: Event, text = '') {
  typed += text;
  event.preventDefault();
  event.stopPropagation();
}

/** Takes what is typed before the palette has the focus: the file that draws it may be on its way yet. */
function onKeyDown(event: KeyboardEvent) {
  if (event.ctrlKey || event.metaKey) return;
  if (/^(Escape|Tab)$/.test(event.key)) takeEarlyKeys();
  else if (event.key.length === 1) keep(event, event.key);
}

const onPaste = (event: ClipboardEvent) => keep(event, event.clipboardData?.getData('text'));

function listen(how: 'add' | 'remove') {
  const change = window[`${how}EventListener`] as typeof window.addEventListener;
  change('keydown', onKeyDown, true);
  change('paste', onPaste, true);
  // Who presses elsewhere types there.
  change('pointerdown', takeEarlyKeys, true);
}

/** From now on what is typed or pasted is meant for the palette; until it is given up, or its file fails. */
export const awaitPalette = (): void => listen('add');

/** What was typed and pasted until now; from here on whoever has the focus hears the keys. */
export function takeEarlyKeys(): string {
  listen('remove');
  const taken = typed;
  typed = '';
  return taken;
}
