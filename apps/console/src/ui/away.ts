import { useSyncExternalStore } from 'react';

/** Something that is so for the whole page, or not. */
function pageState() {
  let isSo = false;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    set(next: boolean): void {
      if (next === isSo) return;
      isSo = next;
      for (const listener of listeners) listener();
    },
    use: (): boolean => useSyncExternalStore(subscribe, () => isSo),
  };
}

/** Set while a line over every screen says that nothing answers, and offers Retry: what failed below it need not say so again. */
export const { set: setAway, use: useAway } = pageState();

/** Set while nothing answers what asks for the file of a screen: no data of it can say so. */
export const { set: setScreenMissing, use: useScreenMissing } = pageState();
