import { ArrowUpDown } from 'lucide-react';
import { useCallback, useEffect, useMemo, useReducer, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../ui/button';
import { findLostFocus } from '../../../ui/lost-focus';

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

/** Beside the columns, where the tools say of which time the numbers are: no row moves. */
const OVER_TOOLS = { top: -45, right: 121 } as const;

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

/** That the rows would stand in another order by now: over the tools of the list, and at the lower edge of a phone. */
export function OrderChanged({ isOnPhone, onSortAgain }: { isOnPhone: boolean; onSortAgain: () => void }) {
  const t = useTranslations('domain.list.order');
  const button = (
    <Button
      size="sm"
      title={t('changed')}
      className={isOnPhone ? undefined : 'bg-soft! text-primary-ink! shadow-float'}
      icon={<ArrowUpDown size={14} aria-hidden />}
      onClick={() => {
        onSortAgain();
        requestAnimationFrame(findLostFocus);
      }}
    >
      {t('sortAgain')}
    </Button>
  );
  if (!isOnPhone)
    return (
      <div role="status" className="absolute z-10 phone:hidden" style={OVER_TOOLS}>
        <span className="sr-only">{t('changed')}</span>
        {button}
      </div>
    );
  return (
    <div
      role="status"
      className="flex min-h-14 items-center gap-2 rounded-b-card border-t border-line bg-card px-4 py-2 text-sm text-muted sm:hidden"
    >
      <span className="min-w-0 flex-1">{t('changed')}</span>
      {button}
    </div>
  );
}
