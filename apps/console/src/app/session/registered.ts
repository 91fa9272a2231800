const KEY = 'registered';

/** Remembers for this tab, until the sign-out, that its account was made just now. */
export function markRegistered(): void {
  try {
    window.sessionStorage.setItem(KEY, '1');
  } catch {
    // Without storage the list is drawn as if it were not known.
  }
}

/** Whether the account was made in this tab. */
export function wasRegistered(): boolean {
  try {
    return window.sessionStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}
