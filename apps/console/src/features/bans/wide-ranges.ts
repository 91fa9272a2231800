import { formatRange, parseRange } from '@cordon/contract';

/** Bans of what is wider are asked about: a slip of the hand would lock out a good part of the internet. */
const ASKED_BELOW_PREFIX = { 4: 8, 6: 32 } as const;

export interface WideRange {
  readonly range: string;
  readonly family: 4 | 6;
  /** IPv4: addresses. IPv6: networks of /32, as an internet provider has. */
  readonly count: number;
  /** Of all addresses of the family. */
  readonly share: number;
}

/** Those of the entries that hold more than a /8, or a /32 of IPv6. */
export function wideRanges(entries: readonly string[]): WideRange[] {
  return entries.flatMap((entry) => {
    const range = parseRange(entry);
    if (!range || range.prefix >= ASKED_BELOW_PREFIX[range.family]) return [];
    const { family, prefix } = range;
    return [{ range: formatRange(range), family, count: 2 ** (32 - prefix), share: 2 ** -prefix }];
  });
}
