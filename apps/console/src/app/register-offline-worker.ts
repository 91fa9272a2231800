/** A while after the first screen, which it must not slow down. */
const REGISTERED_AFTER_MS = 5_000;

/** Lets a reload without a network say why the console is not there (offline-worker.ts), once the page has nothing else to do. */
export function registerOfflineWorker(): void {
  const { serviceWorker } = navigator;
  // Absent where the page is not secure; made by the build only.
  if (!serviceWorker || !import.meta.env.PROD) return;
  const register = () =>
    void serviceWorker.register('/offline-worker.js', { updateViaCache: 'none' }).catch(() => {
      // Until there is a network once, the browser's own page says so.
      window.addEventListener('online', register, { once: true });
    });
  setTimeout(() => (window.requestIdleCallback ?? setTimeout)(register), REGISTERED_AFTER_MS);
}
