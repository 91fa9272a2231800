import { useSyncExternalStore } from 'react';

/** Columns of the domain list that a customer may hide or add, in their order. */
export const CHOOSABLE_COLUMNS = [
  'origin',
  'requests',
  'blocked',
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
const USUAL: readonly ChoosableColumn[] = ['origin', 'requests', 'blocked', 'tls', 'dns'];
/** A card has three lines; the origin would be a fourth. */
const USUAL_ON_PHONE = USUAL.filter((one) => one !== 'origin');
const listeners = new Set<() => void>();
let chosen: readonly ChoosableColumn[] | undefined;

function stored(): readonly ChoosableColumn[] {
  const usual = window.matchMedia('(max-width: 759px)').matches ? USUAL_ON_PHONE : USUAL;
  try {
    const text = window.localStorage.getItem(KEY);
    if (text === null) return usual;
    const names = text.split(' ');
    return CHOOSABLE_COLUMNS.filter((one) => names.includes(one));
  } catch {
    return usual;
  }
}

const current = () => {
  chosen ??= stored();
  return chosen;
};

/** Shows or hides a column, on this device. */
export function toggleColumn(column: ChoosableColumn): void {
  const before = current();
  chosen = CHOOSABLE_COLUMNS.filter((one) => before.includes(one) !== (one === column));
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

/** The columns chosen on this device. */
export const useChosenColumns = (): readonly ChoosableColumn[] => useSyncExternalStore(subscribe, current);
