import { type RefObject, useEffect, useRef, useState } from 'react';

/** Gives the focus, which scrolls, to what the first of the selectors that finds something finds. */
export function focusFirst(root: Element | null | undefined, selectors: readonly string[], options?: FocusOptions) {
  for (const selector of selectors) {
    const found = root?.querySelector<HTMLElement>(selector);
    const choice = (which: string) => found?.querySelector<HTMLElement>(`:scope>label>${which}`);
    // A group of choices takes no focus itself.
    if (found) return (choice(':checked') ?? choice('input') ?? found).focus(options);
  }
}

/** The first wrong field, wherever it is: errors are marked by `Field`. */
export const INVALID_FIELD = '[aria-invalid=true]';

/**
 * Leads to the first error below `root` once a refused save shows its errors; for forms that do not leave that to
 * react-hook-form. Call what it answers together with setting the errors.
 */
export function useLeadToError(root: RefObject<HTMLElement | null>): () => void {
  const [refusals, setRefusals] = useState(0);
  const led = useRef(0);
  useEffect(() => {
    // While a save is under way the form takes no focus; the next drawing is its end.
    if (refusals === led.current || root.current?.closest('[inert]')) return;
    led.current = refusals;
    focusFirst(root.current, [INVALID_FIELD]);
  });
  return () => setRefusals((before) => before + 1);
}
