import { getSession, RECENTS_STORAGE_KEY } from './session/session';

const KEPT_MAX = 20;

interface Stored<Entry> {
  /** Whose they are: another user of the same browser does not see them. */
  readonly sub: string;
  readonly entries: readonly Entry[];
}

/** Things opened last on this device by who is signed in, newest first. */
export function recents<Entry extends { readonly id: string }>(): readonly Entry[] {
  try {
    const stored = JSON.parse(window.localStorage.getItem(RECENTS_STORAGE_KEY) ?? 'null') as Stored<Entry> | null;
    return stored && stored.sub === getSession().claims?.sub ? stored.entries : [];
  } catch {
    return [];
  }
}

/** Puts a thing first. */
export function rememberRecent<Entry extends { readonly id: string }>(entry: Entry): void {
  const sub = getSession().claims?.sub;
  if (sub === undefined) return;
  const others = recents<Entry>().filter((one) => one.id !== entry.id);
  const stored: Stored<Entry> = { sub, entries: [entry, ...others].slice(0, KEPT_MAX) };
  try {
    window.localStorage.setItem(RECENTS_STORAGE_KEY, JSON.stringify(stored));
  } catch {
    // Without storage nothing is remembered.
  }
}

/** Forgets a thing that is gone. */
export function forgetRecent(id: string): void {
  const sub = getSession().claims?.sub;
  const entries = recents().filter((one) => one.id !== id);
  if (sub !== undefined) window.localStorage.setItem(RECENTS_STORAGE_KEY, JSON.stringify({ sub, entries }));
}
