import { TOKEN_MINIMUM_VALIDITY_SECONDS, TOKEN_REFRESH_CHECK_SECONDS } from '@cordon/contract';

interface SessionTimerOptions {
  /** Seconds until the token expires; undefined without a session. */
  secondsLeft: () => number | undefined;
  refresh: () => Promise<unknown>;
  onFailure: (cause: unknown) => void;
}

/**
 * Looks at the token every 60 s and refreshes it when less than 70 s are left. A laptop that wakes up looks at once,
 * because timers stand still while it sleeps, and so does one that has a network again. Answers how to stop.
 */
export function startSessionTimer({ secondsLeft, refresh, onFailure }: SessionTimerOptions): () => void {
  let isRefreshing = false;
  async function check() {
    const left = secondsLeft();
    if (left === undefined || left >= TOKEN_MINIMUM_VALIDITY_SECONDS || isRefreshing) return;
    isRefreshing = true;
    try {
      await refresh();
    } catch (cause) {
      onFailure(cause);
    } finally {
      isRefreshing = false;
    }
  }
  const onVisible = () => document.visibilityState === 'visible' && void check();
  const timer = window.setInterval(() => void check(), TOKEN_REFRESH_CHECK_SECONDS * 1000);
  document.addEventListener('visibilitychange', onVisible);
  window.addEventListener('online', onVisible);
  return () => {
    window.clearInterval(timer);
    document.removeEventListener('visibilitychange', onVisible);
    window.removeEventListener('online', onVisible);
  };
}
