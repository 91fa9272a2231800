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
const listeners = new Set<() => void>();
let chosen: readonly ChoosableColumn[] | undefined;

function stored(): readonly ChoosableColumn[] {
  try {
    const text = window.localStorage.getItem(KEY);
    if (text === null) return USUAL;
    const names = text.split(' ');
    return CHOOSABLE_COLUMNS.filter((one) => names.includes(one));
  } catch {
    return USUAL;
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
