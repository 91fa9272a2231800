import { useSyncExternalStore } from 'react';

let answer: ((isLeaving: boolean) => void) | undefined;
const listeners = new Set<() => void>();

function set(next: typeof answer) {
  answer = next;
  for (const listener of listeners) listener();
}

/** Asks whether unsaved changes may be lost; resolves with the customer's answer. */
export function askToLeave(): Promise<boolean> {
  answer?.(false);
  return new Promise((resolve) => {
    set((isLeaving) => {
      set(undefined);
      resolve(isLeaving);
    });
  });
}

/** The open question's answer function, if a question is open. */
export function useLeaveQuestion(): ((isLeaving: boolean) => void) | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => answer,
  );
}
