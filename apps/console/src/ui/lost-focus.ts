/** Leads a focus that went with what had it to the heading of the screen. */
export function findLostFocus(): void {
  if (isLost()) document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
}

const isLost = () => document.activeElement === null || document.activeElement === document.body;

/** The same once what has closed is gone, and has given the focus back to what had it before, if that is still there. */
export function findFocusAfter(isOpen: boolean): void {
  if (!isOpen) requestAnimationFrame(() => requestAnimationFrame(findLostFocus));
}

const AROUND = 'section, article, [role=tabpanel], [role=dialog], main';
const LOADING = '.skeleton, [role=status][aria-label], table[aria-busy=true]';

/**
 * Leads the focus that goes with a pressed Retry: to the next Retry if that failed too, else to the heading of what came.
 * Waits until it is there, unless the focus is somewhere else by then.
 */
export function findFocusAfterRetry(pressed: Element): void {
  const home = pressed.closest('[role=alert]')?.parentElement;
  const around = pressed.closest(AROUND);
  // What is around it may go with it.
  const places = [around, around?.parentElement?.closest(AROUND), document.querySelector('main')];
  const watch = new MutationObserver(() => {
    if (pressed.isConnected) return;
    if (!isLost()) return watch.disconnect();
    const place = places.find((one) => one?.isConnected);
    const target =
      (home?.isConnected && home.querySelector<HTMLElement>('[data-retry]')) ||
      place?.querySelector<HTMLElement>('h1, h2, h3') ||
      document.querySelector<HTMLElement>('main h1');
    if (!target || place?.querySelector(LOADING)) return;
    watch.disconnect();
    if (target.tagName !== 'BUTTON') target.tabIndex = -1;
    target.focus({ preventScroll: true });
  });
  watch.observe(document.body, { childList: true, subtree: true, attributeFilter: ['aria-busy'] });
}
