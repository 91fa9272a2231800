import { useSyncExternalStore } from 'react';

const TICK_MS = 10_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer = 0;

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now();
    timer = window.setInterval(() => {
      now = Date.now();
      for (const tick of listeners) tick();
    }, TICK_MS);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.clearInterval(timer);
  };
}

/** The time, every ten seconds: one timer for all that say "5 minutes ago". */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}
