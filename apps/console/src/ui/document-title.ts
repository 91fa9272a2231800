import { useEffect } from 'react';

/** What is open, in the order in which it was opened: the screen, then dialogs over it. */
const open: { parts: readonly string[] }[] = [];
/** Of the site, in the language of the console. */
let siteTitle = '';

function show() {
  const parts = open.toReversed().flatMap((one) => one.parts);
  // A sheet may have the name of the tab that it lies over.
  document.title = [...new Set([...parts, siteTitle])].join(' · ');
}

/** The title of the site: the browser's tab says it behind what is open (specification section 1). */
export function setSiteTitle(title: string): void {
  siteTitle = title;
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
