/** A while after the first screen, which it must not slow down. */
const REGISTERED_AFTER_MS = 5_000;
/** What one does on a screen that is there: on the form of the sign-in already. */
const FIRST_ACTS = ['pointerdown', 'keydown', 'input'] as const;

/** Lets a reload without a network say why the console is not there (offline-worker.ts), once the page is used or has nothing else to do. */
export function registerOfflineWorker(): void {
  const { serviceWorker } = navigator;
  // Absent where the page is not secure; made by the build only.
  if (!serviceWorker || !import.meta.env.PROD) return;
  const register = () =>
    void serviceWorker.register('/offline-worker.js', { updateViaCache: 'none' }).catch(() => {
      // Until there is a network once, the browser's own page says so.
      window.addEventListener('online', register, { once: true });
    });
  const stop = new AbortController();
  const timer = setTimeout(() => {
    stop.abort();
    (window.requestIdleCallback ?? setTimeout)(register);
  }, REGISTERED_AFTER_MS);
  for (const act of FIRST_ACTS)
    window.addEventListener(
      act,
      () => {
        stop.abort();
        clearTimeout(timer);
        // Not when idle: the press may lead away.
        register();
      },
      { capture: true, passive: true, signal: stop.signal },
    );
}
