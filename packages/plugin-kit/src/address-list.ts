import type { FieldErrorCode } from '@cordon/contract';
import {
  type AddressRange,
  compareWords,
  formatRange,
  parseRange,
  RANGE_CHARACTERS_MAX,
  rangeContainsRange,
} from '@cordon/contract/address';
import { longList } from '@cordon/contract/long-list';
import { type SpecialAddressKind, specialRangeKind } from '@cordon/contract/special-address';
import { text } from '@cordon/contract/text';
import { z } from 'zod';
import type { PluginNotice } from './plugin.ts';
import { addCodeIssue } from './schema.ts';

/** Codes that `addressList` gives to single entries. */
export const ADDRESS_LIST_ERROR_CODES = [
  'ADDRESS_INVALID',
  'RANGE_TOO_WIDE',
  'DUPLICATE_ENTRY',
  'ADDRESS_CONFLICT',
] as const satisfies FieldErrorCode[];

/** Message keys of `addressListNotices`, which the plugin's catalog must have. */
export const ADDRESS_LIST_NOTICES = ['notices.special_address', 'notices.host_bits'] as const;

interface ListedRange {
  readonly text: string;
  readonly index: number;
  readonly range: AddressRange;
}

/** By first address, the wider range before the narrower. Ranges that hold others come before them. */
function compareRanges({ range: left }: ListedRange, { range: right }: ListedRange): number {
  return left.family - right.family || compareWords(left.first, right.first) || left.prefix - right.prefix;
}
/** Of equal ones as written. */
const widestFirst = (left: ListedRange, right: ListedRange): number =>
  compareRanges(left, right) || left.index - right.index;

interface ReadList {
  /** The entries that are addresses or blocks. */
  readonly ranges: readonly ListedRange[];
  /** The same, the widest first. */
  readonly widestFirst: readonly ListedRange[];
}

/** Lists that were read: several rules look at one of thousands of entries, which is never changed in place. */
const readLists = new WeakMap<readonly string[], ReadList>();

function readList(entries: readonly string[]): ReadList {
  const known = readLists.get(entries);
  if (known) return known;
  const ranges: ListedRange[] = [];
  for (const [index, text] of entries.entries()) {
    const range = typeof text === 'string' ? parseRange(text) : undefined;
    if (range) ranges.push({ text, index, range });
  }
  const read = { ranges, widestFirst: [...ranges].sort(widestFirst) };
  readLists.set(entries, read);
  return read;
}

/** The entries that say the same as an earlier one, however they are written, each with the first of them. */
function findRepeated(sorted: readonly ListedRange[]): ReadonlyMap<ListedRange, ListedRange> {
  const repeated = new Map<ListedRange, ListedRange>();
  let first: ListedRange | undefined;
  for (const listed of sorted) {
    if (first && compareRanges(first, listed) === 0) repeated.set(listed, first);
    else first = listed;
  }
  return repeated;
}

/** Wrong entries that are reported: a list with more of them was pasted, and its kind of fault shows in these. */
export const FAULTS_MAX = 100;

function checkEntries(entries: readonly string[], ctx: z.RefinementCtx, mayOverlap: boolean): void {
  let faults = 0;
  const fault = (index: number, code: FieldErrorCode, params: Record<string, string>) => {
    if (++faults <= FAULTS_MAX) addCodeIssue(ctx, [index], code, params);
  };
  const read = readList(entries);
  const repeated = mayOverlap ? new Map<ListedRange, ListedRange>() : findRepeated(read.widestFirst);
  let at = 0;
  for (const [index, text] of entries.entries()) {
    if (faults >= FAULTS_MAX) return;
    const listed = read.ranges[at];
    if (listed?.index !== index) {
      fault(index, 'ADDRESS_INVALID', { entry: text });
      continue;
    }
    at++;
    const first = repeated.get(listed);
    if (listed.range.prefix === 0) fault(index, 'RANGE_TOO_WIDE', { entry: text });
    else if (first) fault(index, 'DUPLICATE_ENTRY', { entry: text, other: first.text });
  }
  if (mayOverlap) return;
  let wider: ListedRange | undefined;
  for (const listed of read.widestFirst) {
    if (listed.range.prefix === 0 || repeated.has(listed)) continue;
    if (wider && rangeContainsRange(wider.range, listed.range))
      fault(listed.index, 'ADDRESS_CONFLICT', { entry: listed.text, other: wider.text });
    else wider = listed;
  }
}

/**
 * A list of addresses and CIDR blocks as customers write them (product design, "Address lists"). Each fault is an
 * issue of its own entry: neither address nor block `ADDRESS_INVALID`, /0 `RANGE_TOO_WIDE`, the same addresses twice
 * (however written) `DUPLICATE_ENTRY`, inside a wider entry `ADDRESS_CONFLICT`; the last two name the `other` entry.
 * Special addresses are accepted: `addressListNotices` reports that they are ignored. Entries stay as written. Where they
 * `mayOverlap`, the last two are no faults: `mergeEntries` leaves such entries out.
 */
export const addressList = (entriesMax: number, entriesMin = 0, { mayOverlap = false } = {}) =>
  longList(
    z
      .array(text(RANGE_CHARACTERS_MAX, { trim: true, tooLong: 'ADDRESS_INVALID' }))
      .min(entriesMin)
      .max(entriesMax)
      .superRefine((entries, ctx) => checkEntries(entries, ctx, mayOverlap)),
    entriesMax,
    (entry) => typeof entry !== 'string' || entry.length > 2 * RANGE_CHARACTERS_MAX,
  );

/**
 * Indexes of the entries of `entries` that are equal to an entry of `others` or lie inside one, each with the other
 * entry's text. Neither list is expected to repeat or nest its own entries.
 */
export function findEntriesInside(
  entries: readonly string[],
  others: readonly string[],
): { index: number; other: string }[] {
  const found: { index: number; other: string }[] = [];
  const around = readList(others).widestFirst;
  let next = 0;
  let wider: ListedRange | undefined;
  for (const listed of readList(entries).widestFirst) {
    // Of equal ones the other comes first, since it holds the entry.
    for (let other = around[next]; other && compareRanges(other, listed) <= 0; other = around[++next])
      if (!wider || !rangeContainsRange(wider.range, other.range)) wider = other;
    if (wider && rangeContainsRange(wider.range, listed.range)) found.push({ index: listed.index, other: wider.text });
  }
  return found;
}

export interface MergedEntries {
  /** Canonical texts in the order of their addresses: each once, none inside another one, and no special addresses. */
  readonly networks: readonly string[];
  /** How many entries were left out because they repeat another or lie inside a wider one. */
  readonly merged: number;
  /** How many were left out because no visitor comes from there. */
  readonly ignored: number;
}

/** What a list comes to that may repeat itself. What is no address or block, and /0, is passed over and not counted. */
export function mergeEntries(entries: readonly string[]): MergedEntries {
  const networks: string[] = [];
  let [merged, ignored] = [0, 0];
  let wider: AddressRange | undefined;
  for (const { range } of readList(entries).widestFirst) {
    if (range.prefix === 0) continue;
    if (specialRangeKind(range) !== undefined) ignored++;
    else if (wider && rangeContainsRange(wider, range)) merged++;
    else {
      wider = range;
      networks.push(formatRange(range));
    }
  }
  return { networks, merged, ignored };
}

/** How many entries are no special addresses, so that they do something at the edge. */
export const countOrdinaryEntries = (entries: readonly string[]): number =>
  readList(entries).ranges.filter(({ range }) => specialRangeKind(range) === undefined).length;

/** Whether it is no special address. */
export const isOrdinaryEntry = (entry: string): boolean => hasOrdinaryEntry([entry]);

/** Whether there is one. */
const hasOrdinaryEntry = (entries: readonly string[]): boolean =>
  readList(entries).ranges.some(({ range }) => specialRangeKind(range) === undefined);

/** Whether an entry is missing: there is none, or only special addresses. One that cannot be read is to be mended first. */
export const lacksEntry = (entries: readonly string[]): boolean =>
  readList(entries).ranges.length === entries.length && !hasOrdinaryEntry(entries);

/** Blocks written with host bits, which cover more than one may think. */
export const hostBitsNotices = (path: string, entries: readonly string[]): PluginNotice[] =>
  readList(entries).ranges.flatMap(({ text, index, range }) =>
    range.hasHostBits
      ? [
          {
            path: `${path}.${index}`,
            message: 'notices.host_bits',
            params: { entry: text, range: formatRange(range) },
          },
        ]
      : [],
  );

/** What may surprise in a valid list: entries that are ignored and blocks written with host bits. */
export function addressListNotices(path: string, entries: readonly string[]): PluginNotice[] {
  const ignored = new Map<string, PluginNotice>();
  for (const { text, index, range } of readList(entries).ranges) {
    const kind: SpecialAddressKind | undefined = specialRangeKind(range);
    const at = `${path}.${index}`;
    if (kind) ignored.set(at, { path: at, message: 'notices.special_address', params: { entry: text, kind } });
  }
  return [...ignored.values(), ...hostBitsNotices(path, entries).filter((notice) => !ignored.has(notice.path))];
}

/**
 * Both lists as one: first what `own` has, then what `more` adds. Of equal entries and of one inside a wider one only
 * the first or the wider stays, since a list refuses both. Undefined unless all entries are addresses or blocks.
 */
export function joinAddressLists(own: readonly string[], more: readonly string[]): string[] | undefined {
  // Each is read once, however many lists it is joined with.
  const [left, right] = [readList(own), readList(more)];
  if (left.ranges.length < own.length || right.ranges.length < more.length) return undefined;
  const isCovered = new Set<number>();
  let wider: ListedRange | undefined;
  let at = 0;
  let other = 0;
  while (at < own.length || other < more.length) {
    const [mine, theirs] = [left.widestFirst[at], right.widestFirst[other]];
    const isMine = mine !== undefined && (theirs === undefined || compareRanges(mine, theirs) <= 0);
    const listed = (isMine ? mine : theirs) as ListedRange;
    if (wider && rangeContainsRange(wider.range, listed.range))
      isCovered.add(isMine ? listed.index : own.length + listed.index);
    else wider = listed;
    if (isMine) at++;
    else other++;
  }
  return [...own, ...more].filter((_, index) => !isCovered.has(index));
}
