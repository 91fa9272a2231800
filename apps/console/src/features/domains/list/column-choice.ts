import type { RouteSummary } from '@cordon/contract';
import { createContext, useMemo, useRef, useSyncExternalStore } from 'react';
import { useGroups } from '../../../domain/data/group-queries';
import { isPhone } from '../../../ui/is-phone';

/** Columns of the domain list that a customer may hide or add, in their order. */
export const CHOOSABLE_COLUMNS = [
  'origin',
  'requests',
  'blocked',
  'hit_ratio',
  'tls',
  'dns',
  'group',
  'remarks',
  'cname',
  'last_deployed',
  'version',
  'created_at',
] as const;
export type ChoosableColumn = (typeof CHOOSABLE_COLUMNS)[number];

const KEY = 'domains.columns';
const USUAL: readonly ChoosableColumn[] = ['origin', 'requests', 'blocked', 'hit_ratio', 'tls', 'dns'];
/** As wide as a table with the columns that only some lists fill. */
const WIDE = '(min-width: 1400px)';
const listeners = new Set<() => void>();
/** Undefined before it is read, null where nothing was chosen. */
let chosen: readonly ChoosableColumn[] | null | undefined;

function stored(): readonly ChoosableColumn[] | null {
  try {
    const names = window.localStorage.getItem(KEY)?.split(' ');
    return names ? CHOOSABLE_COLUMNS.filter((one) => names.includes(one)) : null;
  } catch {
    return null;
  }
}

function current() {
  if (chosen === undefined) chosen = stored();
  return chosen;
}

/** Shows or hides a column among those that are shown, on this device. */
export function toggleColumn(column: ChoosableColumn, shown: readonly ChoosableColumn[]): void {
  chosen = CHOOSABLE_COLUMNS.filter((one) => shown.includes(one) !== (one === column));
  try {
    window.localStorage.setItem(KEY, chosen.join(' '));
  } catch {
    // Without storage the choice lasts until the page is loaded anew.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export const isUsual = (column: ChoosableColumn): boolean => USUAL.includes(column);
/** Whether somebody chose on this device. */
export const isOwnChoice = (): boolean => current() !== null;

/** With the one that the list is sorted by, whether it was chosen or not. */
export const withSorted = (chosen: readonly ChoosableColumn[], sortedBy: string): readonly ChoosableColumn[] =>
  CHOOSABLE_COLUMNS.filter((one) => one === sortedBy || chosen.includes(one));

/** The columns that the list is to show, for what stands beside it. */
export const ShownColumns = createContext(USUAL);
/** Those of them that have room. */
export const FittingColumns = createContext<readonly string[]>(CHOOSABLE_COLUMNS);

/**
 * The columns chosen on this device; else the usual ones, but for the hit ratio on a phone, where each card would be a line higher for it;
 * and where there is room those that a row has something for. These stay once they were filled: a further page moves no column.
 */
export function useShownColumns(rows: readonly RouteSummary[] | undefined): readonly ChoosableColumn[] {
  const own = useSyncExternalStore(subscribe, current);
  const groups = useGroups();
  const filled = useRef(new Set<ChoosableColumn>());
  const named = new Set(groups?.filter((group) => !group.default_group).map(({ id }) => id));
  if (rows?.some(({ group_id: id }) => id !== null && named.has(id))) filled.current.add('group');
  if (rows?.some(({ remarks }) => remarks !== '')) filled.current.add('remarks');
  const isWide = window.matchMedia(WIDE).matches;
  const usual = isPhone() ? USUAL.filter((one) => one !== 'hit_ratio') : USUAL;
  const names = CHOOSABLE_COLUMNS.filter((one) => usual.includes(one) || (isWide && filled.current.has(one))).join(' ');
  return useMemo(() => own ?? CHOOSABLE_COLUMNS.filter((one) => names.split(' ').includes(one)), [own, names]);
}
