import { type RefObject, useEffect, useRef, useState } from 'react';

/** Gives the focus, which scrolls, to what the first of the selectors that finds something finds; answers whether one does. */
export function focusFirst(
  root: Element | null | undefined,
  selectors: readonly string[],
  options?: FocusOptions,
): boolean {
  for (const selector of selectors) {
    const found = root?.querySelector<HTMLElement>(selector);
    const choice = (which: string) => found?.querySelector<HTMLElement>(`:scope>label>${which}`);
    if (!found) continue;
    // A group of choices takes no focus itself.
    (choice(':checked') ?? choice('input') ?? found).focus(options);
    return true;
  }
  return false;
}

/** The first wrong field, wherever it is: errors are marked by `Field`. */
export const INVALID_FIELD = '[aria-invalid=true]';

/** Errors are drawn with the refusal, or just after it. */
const DRAWN_MS = 1000;

/**
 * Leads to the first error below `root` once a refused save shows its errors; for forms that do not leave that to
 * react-hook-form. Call what it answers when it is refused.
 */
export function useLeadToError(root: RefObject<HTMLElement | null>): () => void {
  const [refusedAt, setRefusedAt] = useState(0);
  const led = useRef(0);
  useEffect(() => {
    // While a save is under way the form takes no focus; the next drawing is its end.
    if (refusedAt === led.current || root.current?.closest('[inert]')) return;
    if (performance.now() - refusedAt > DRAWN_MS || focusFirst(root.current, [INVALID_FIELD])) led.current = refusedAt;
  });
  return () => setRefusedAt(performance.now());
}
