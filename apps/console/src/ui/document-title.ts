import { useEffect } from 'react';

/** What is open, in the order in which it was opened: the screen, then dialogs over it. */
const open: { parts: readonly string[] }[] = [];
/** `bare` while nothing says its name, `name` at the end of what does. */
let base = { bare: '', name: '' };

function show() {
  const parts = open.toReversed().flatMap((one) => one.parts);
  document.title = parts.length === 0 ? base.bare : [...parts, base.name].join(' · ');
}

/** The title of the browser's tab while no screen has one of its own, and what ends those. */
export function setBaseTitle(bare: string, name: string): void {
  base = { bare, name };
  show();
}

/** Puts a screen, a tab of it or a dialog into the title of the browser's tab, the innermost first. Empty parts are left out. */
export function useDocumentTitle(...parts: readonly (string | undefined)[]): void {
  const key = parts.filter(Boolean).join('\n');
  useEffect(() => {
    if (key === '') return;
    const entry = { parts: key.split('\n') };
    open.push(entry);
    show();
    return () => {
      open.splice(open.indexOf(entry), 1);
      show();
    };
  }, [key]);
}
