import { parseRange } from '@cordon/contract';
import { type MergedEntries, mergeEntries } from '@cordon/plugin-kit/address-list';
import { durationSeconds } from '@cordon/plugin-kit/duration';
import { type EntryPlace, findEntries, splitEntries } from '../../../ui/list-entries';
import { validNetworks } from '../entries/valid-networks';
import type { NewNetworks } from './queries';

/** How long: no end, a length that many choose, or one's own. */
export const LENGTHS = ['none', '1d', '7d', '30d', 'own'] as const;
export type Length = (typeof LENGTHS)[number];

export interface AddValues {
  /** As it was pasted. */
  readonly text: string;
  readonly note: string;
  readonly length: Length;
  /** A number and a unit. */
  readonly own: string;
}

export const START_VALUES: AddValues = { text: '', note: '', length: 'none', own: '3h' };

const SECONDS_MIN = 10;
const SHOWN_MAX = 3;

export interface GivenEntries extends MergedEntries {
  /** Of all entries, the wrong ones too. */
  readonly count: number;
  /** Those that are addresses or ranges. */
  readonly valid: readonly string[];
}

/** What of the text will be added, and how much will not be. */
export function readEntries(text: string): GivenEntries {
  const entries = splitEntries(text);
  const valid = validNetworks(entries);
  return { count: entries.length, valid, ...mergeEntries(valid) };
}

export interface WrongEntries {
  readonly count: number;
  /** The first of them. */
  readonly shown: readonly { readonly line: number; readonly entry: string; readonly why: 'none' | 'whole' }[];
  /** Where the first of them stands. */
  readonly first: EntryPlace | undefined;
}

/** What of the text is no address or range, or all addresses. */
export function wrongEntries(text: string): WrongEntries {
  const entries = splitEntries(text);
  const wrong = entries.flatMap((entry, index) => {
    const range = parseRange(entry);
    return range && range.prefix > 0 ? [] : [index];
  });
  const shown = wrong.slice(0, SHOWN_MAX);
  const places = findEntries(text, new Set(shown));
  return {
    count: wrong.length,
    first: places.get(wrong[0] ?? -1),
    shown: shown.map((index) => {
      const entry = entries[index] ?? '';
      const why = parseRange(entry) ? 'whole' : 'none';
      return { line: places.get(index)?.line ?? 1, entry: entry.slice(0, 60), why };
    }),
  };
}

/** Undefined: no end; NaN: no length that an entry can have. */
function secondsOf({ length, own }: AddValues): number | undefined {
  if (length === 'none') return undefined;
  const seconds = durationSeconds(length === 'own' ? own : length) ?? Number.NaN;
  return seconds >= SECONDS_MIN ? seconds : Number.NaN;
}

export const isLengthWrong = (values: AddValues): boolean => Number.isNaN(secondsOf(values));

export function toBody(values: AddValues): NewNetworks {
  const seconds = secondsOf(values);
  return {
    networks: splitEntries(values.text),
    note: values.note,
    ends_at: seconds === undefined ? null : new Date(Date.now() + seconds * 1000).toISOString(),
  };
}
