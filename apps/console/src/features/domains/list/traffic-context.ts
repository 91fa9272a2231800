import type { DomainTraffic } from '@cordon/contract';
import { createContext, useContext } from 'react';

/** What is known of the traffic of the rows: not yet anything (undefined), or that it cannot be told (null). */
export type RowsTraffic = ReadonlyMap<string, DomainTraffic> | null | undefined;

/** Beside the rows: they stay as they are while the numbers come and go. */
export const TrafficContext = createContext<RowsTraffic>(undefined);

export function useRowTraffic(id: string): DomainTraffic | null | undefined {
  const all = useContext(TrafficContext);
  // A row that has just come is not among the numbers of the others.
  return all === null ? null : all?.get(id);
}

const largest = new WeakMap<object, Record<'requests' | 'blocked', number>>();

/** The largest number of the column: those that stand under each other are written alike. */
export function useLargestNumber(of: 'requests' | 'blocked'): number {
  const all = useContext(TrafficContext);
  if (!all) return 0;
  let known = largest.get(all);
  if (!known) {
    const rows = [...all.values()];
    known = {
      requests: Math.max(0, ...rows.map(({ requests }) => requests)),
      blocked: Math.max(0, ...rows.map(({ blocked }) => blocked)),
    };
    largest.set(all, known);
  }
  return known[of];
}
