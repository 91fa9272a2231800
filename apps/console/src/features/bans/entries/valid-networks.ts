import { parseRange } from '@cordon/contract';

/** Those of the entries that are addresses or ranges which a list may have. */
export const validNetworks = (entries: readonly string[]): string[] =>
  entries.filter((entry) => (parseRange(entry)?.prefix ?? 0) > 0);
