/** Leads a focus that went with what had it to the heading of the screen. */
export function findLostFocus(): void {
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
}
