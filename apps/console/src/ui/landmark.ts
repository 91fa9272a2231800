import { type RefObject, useMemo } from 'react';

const INNER = 'main, aside, nav, [role$=dialog]';

/** The header of a card is no landmark. */
const landmarkOf = (element: Element | null): HTMLElement | null =>
  element?.closest<HTMLElement>(INNER) ?? element?.closest('header') ?? null;

/**
 * The landmark, or the dialog, that an element stands in. What it opens belongs there too, or those who go from landmark
 * to landmark do not find it.
 */
export function useLandmark(element: RefObject<Element | null>): RefObject<HTMLElement | null> {
  return useMemo(
    () => ({
      get current() {
        return landmarkOf(element.current);
      },
    }),
    [element],
  );
}
