import { createHashHistory } from '@tanstack/react-router';

const PLACE = '__TSR_index';

/**
 * The history of the hash, in which an address that was typed has its place too, and which stays where it is while `ask`
 * asks: the router numbers only the entries it makes, and leaves the address at the new place until the question is answered.
 * @param ask Whether one may go away; undefined where nothing is to be asked.
 */
export function createNumberedHistory(ask: () => Promise<boolean> | undefined) {
  let history: ReturnType<typeof createHashHistory> | undefined;
  let isReturning = false;
  let isAllowed = false;
  // Listens before the history does; its own `replaceState` would take this for a step of the program.
  window.addEventListener('popstate', async (event) => {
    if (!history) return;
    if (!window.history.state?.__TSR_key) {
      const key = crypto.randomUUID();
      // The same address typed once more takes the place of itself.
      const isSame = window.location.hash === `#${history.location.href}`;
      const place = history.location.state[PLACE] + (isSame ? 0 : 1);
      History.prototype.replaceState.call(window.history, { key, __TSR_key: key, [PLACE]: place }, '');
    }
    const steps = window.history.state[PLACE] - history.location.state[PLACE];
    const isOver = isReturning || isAllowed;
    if (isReturning) event.stopImmediatePropagation();
    isReturning = false;
    isAllowed = false;
    const answer = isOver || steps === 0 ? undefined : ask();
    if (!answer) return;
    event.stopImmediatePropagation();
    isReturning = true;
    window.history.go(-steps);
    if (!(await answer)) return;
    isAllowed = true;
    window.history.go(steps);
  });
  history = createHashHistory();
  return history;
}
