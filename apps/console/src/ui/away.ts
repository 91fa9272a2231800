import { useSyncExternalStore } from 'react';

let isAway = false;
const listeners = new Set<() => void>();

/** Set while a line over every screen says that nothing answers, and offers Retry: what failed below it need not say so again. */
export function setAway(next: boolean): void {
  if (next === isAway) return;
  isAway = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useAway = (): boolean => useSyncExternalStore(subscribe, () => isAway);
