import type { RouteSummary } from '@cordon/contract';
import { replaceEqualDeep } from '@tanstack/react-query';

const KEPT_MAX = 1000;
const kept = new Map<string, RouteSummary>();

/**
 * The same rows, each as the object that it was when it last said the same, whatever page, order or filter it came
 * with: a list that is sorted anew moves its lines and draws none.
 */
export function sharedRows(rows: readonly RouteSummary[]): RouteSummary[] {
  return rows.map((row) => {
    const shared = replaceEqualDeep(kept.get(row.id), row) as RouteSummary;
    // Behind all others: the first is then the one that was not seen for longest.
    kept.delete(row.id);
    kept.set(row.id, shared);
    const [oldest] = kept.keys();
    if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
    return shared;
  });
}
