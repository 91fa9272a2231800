import type { DomainTraffic } from '@cordon/contract';
import { createContext, useContext } from 'react';

/** What is known of the traffic of the rows: not yet anything (undefined), or that it cannot be told (null). */
export type RowsTraffic = ReadonlyMap<string, DomainTraffic> | null | undefined;

/** Beside the rows: they stay as they are while the numbers come and go. */
export const TrafficContext = createContext<RowsTraffic>(undefined);

export function useRowTraffic(id: string): DomainTraffic | null | undefined {
  const all = useContext(TrafficContext);
  return all && (all.get(id) ?? null);
}
