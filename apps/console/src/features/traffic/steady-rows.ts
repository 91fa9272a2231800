import { type RefObject, useCallback, useEffect, useLayoutEffect, useReducer, useRef } from 'react';

/**
 * Rows above what is looked at: while they are in sight, more of them come only when asked for, and those that go leave
 * their room. What is below would move under the hand that is about to press.
 */
export function useSteadyRows<Row>(all: readonly Row[], box: RefObject<HTMLElement | null>) {
  const room = useRef<number>(undefined);
  const hadRows = useRef(false);
  const [, drawAgain] = useReducer((before: number) => before + 1, 0);
  room.current ??= all.length;
  const fit = useCallback(() => {
    if (box.current) box.current.style.minHeight = '';
    room.current = undefined;
    hadRows.current = false;
    drawAgain();
  }, [box]);
  useEffect(() => {
    document.addEventListener('visibilitychange', fit);
    window.addEventListener('resize', fit);
    return () => {
      document.removeEventListener('visibilitychange', fit);
      window.removeEventListener('resize', fit);
    };
  }, [fit]);
  useLayoutEffect(() => {
    // As high as it has been: rows that come again have no other place.
    if (box.current) box.current.style.minHeight = `${box.current.offsetHeight}px`;
  });
  const rows = all.slice(0, room.current);
  hadRows.current ||= rows.length > 0;
  return { rows, hidden: all.slice(room.current), hasRoom: hadRows.current, showAll: fit };
}
