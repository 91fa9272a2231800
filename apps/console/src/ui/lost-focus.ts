/** Leads a focus that went with what had it to the heading of the screen. */
export function findLostFocus(): void {
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
}

/** The same once what has closed is gone, and has given the focus back to what had it before, if that is still there. */
export function findFocusAfter(isOpen: boolean): void {
  if (!isOpen) requestAnimationFrame(() => requestAnimationFrame(findLostFocus));
}
