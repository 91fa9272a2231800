import { useCallback, useEffect, useMemo, useReducer, useRef } from 'react';

interface Identified {
  readonly id: string;
}

/** The rows in the order in which they are known; what is new stands last. */
export function inKnownOrder<Row extends Identified>(rows: readonly Row[], known: readonly string[]): readonly Row[] {
  const places = new Map(known.map((id, place) => [id, place]));
  const placeOf = ({ id }: Row) => places.get(id) ?? known.length;
  const ordered = rows.toSorted((a, b) => placeOf(a) - placeOf(b));
  return ordered.every((row, place) => row === rows[place]) ? rows : ordered;
}

/**
 * Rows that come anew for the same question keep their places: one whose health changes would pull another under the hand
 * that is about to press. They are sorted again when asked to, or while the page is out of sight.
 */
export function useSteadyOrder<Row extends Identified>(rows: readonly Row[] | undefined, question: string) {
  const known = useRef<{ question: string; ids: readonly string[] }>(undefined);
  const [turn, next] = useReducer((before: number) => before + 1, 0);
  const sortAgain = useCallback(() => {
    known.current = undefined;
    next();
  }, []);
  useEffect(() => {
    document.addEventListener('visibilitychange', sortAgain);
    return () => document.removeEventListener('visibilitychange', sortAgain);
  }, [sortAgain]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a turn sorts again
  const ordered = useMemo(() => {
    if (!rows) return undefined;
    const shown = known.current?.question === question ? inKnownOrder(rows, known.current.ids) : rows;
    known.current = { question, ids: shown.map(({ id }) => id) };
    return shown;
  }, [rows, question, turn]);
  return { rows: ordered, isChanged: ordered !== rows, sortAgain };
}
