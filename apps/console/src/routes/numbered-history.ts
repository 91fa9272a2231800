import { createHashHistory } from '@tanstack/react-router';

/**
 * The history of the hash, in which an address that was typed has its place too. The router numbers only the entries it
 * makes, and without a number it cannot tell how far to go back when the user chooses to stay.
 */
export function createNumberedHistory() {
  let history: ReturnType<typeof createHashHistory> | undefined;
  // Listens before the history does; its own `replaceState` would take this for a step of the program.
  window.addEventListener('popstate', () => {
    if (!history || window.history.state?.__TSR_key) return;
    const key = crypto.randomUUID();
    const number = history.location.state.__TSR_index + 1;
    History.prototype.replaceState.call(window.history, { key, __TSR_key: key, __TSR_index: number }, '');
  });
  history = createHashHistory();
  return history;
}
