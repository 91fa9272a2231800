import { type MouseEvent, useCallback } from 'react';
import type { Ban } from './queries';
import { useLift } from './use-lift';

/** Where the keyboard goes on once the rows of `gone` have left: the next row's Lift, else the previous, else the search. */
function focusAfterLift(button: HTMLElement, gone: ReadonlySet<string>): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.findIndex((row) => row.contains(button));
  const near = [...rows.slice(at + 1), ...rows.slice(0, Math.max(0, at)).reverse()].find(
    ({ dataset }) => !gone.has(dataset.row ?? ''),
  );
  const lift = near?.querySelector<HTMLElement>('[data-lift]');
  if (lift) lift.focus();
  // The bar of bulk actions may still stand in its place.
  else requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-search-focus]')?.focus());
}

/** Lifts the bans of the button that was pressed, and leads the keyboard on. Stable. */
export function useLiftButton(onLifted: () => void): (event: MouseEvent<HTMLElement>, bans: readonly Ban[]) => void {
  const lift = useLift(onLifted);
  return useCallback(
    (event, bans) => {
      const button = event.currentTarget;
      // A pointer goes where it wants to; on a phone the search would open the keyboard.
      const isByKeyboard = event.detail === 0;
      if (lift(bans) && isByKeyboard) focusAfterLift(button, new Set(bans.map(({ id }) => id)));
    },
    [lift],
  );
}
