import { useSyncExternalStore } from 'react';

const STORAGE_KEY = 'tasks.dismissed';
/** More than results are answered, as other batches are dismissed besides. */
const KEPT_MAX = 400;
const listeners = new Set<() => void>();
let ids: readonly string[] | undefined;

function read(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

function known(): readonly string[] {
  ids ??= read();
  return ids;
}

/** Shows these results of tasks, by the ids of their batches, no more in this browser. */
export function dismissResults(batchIds: readonly string[]): void {
  // Results are answered for days, and a few of them: older ones come no more. Other windows have dismissed some meanwhile.
  ids = [...new Set([...known(), ...read(), ...batchIds])].slice(-KEPT_MAX);
  try {
    window.localStorage.setItem(STORAGE_KEY, JSON.stringify(ids));
  } catch {
    // Without storage they are dismissed until the page is loaded anew.
  }
  for (const listener of listeners) listener();
}

/** Ids of the batches whose results were dismissed. */
export function useDismissedResults(): readonly string[] {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, known);
}
