import { type Address, type AddressRange, compareWords, nextWords, parseRange } from './address.ts';

/**
 * Addresses and ranges cut into segments: segment `i` begins at `starts[i]`, ends before the next one and belongs to
 * the entry `entries[i]`, or to none (empty string). Searched in logarithmic time.
 */
export interface AddressSet {
  /** How many different ranges it was built from. */
  readonly size: number;
  readonly starts4: readonly number[];
  readonly entries4: readonly string[];
  /** Four words per segment. */
  readonly starts6: readonly number[];
  readonly entries6: readonly string[];
}

interface SetEntry {
  readonly text: string;
  readonly range: AddressRange;
  readonly position: number;
}

interface Segments {
  readonly starts: number[];
  readonly entries: string[];
  readonly wordsPerStart: number;
}

/** By first address, the wider range before the narrower, the earlier entry before the later. */
function compareEntries(left: SetEntry, right: SetEntry): number {
  const order = compareWords(left.range.first, right.range.first);
  if (order !== 0) return order;
  if (left.range.prefix !== right.range.prefix) return left.range.prefix - right.range.prefix;
  return left.position - right.position;
}

/** Begins a segment; one that would begin where the newest does replaces it. */
function beginSegment(segments: Segments, start: readonly number[], entry: string): void {
  const { starts, entries, wordsPerStart } = segments;
  const newest = entries.length - 1;
  if (newest >= 0) {
    let isSame = true;
    for (let index = 0; index < wordsPerStart; index++) {
      if (starts[newest * wordsPerStart + index] !== start[index]) isSame = false;
    }
    if (isSame) {
      entries[newest] = entry;
      return;
    }
  }
  for (let index = 0; index < wordsPerStart; index++) starts.push(start[index] as number);
  entries.push(entry);
}

/** Ends the innermost open range: what follows belongs to the range around it, or to none. */
function endInnermost(segments: Segments, open: SetEntry[]): void {
  const ended = open.pop() as SetEntry;
  const start = nextWords(ended.range.last);
  if (start === undefined) return;
  beginSegment(segments, start, open.length > 0 ? (open[open.length - 1] as SetEntry).text : '');
}

/** Cuts the entries, which are nested or disjoint as all CIDR blocks are, into segments. Returns how many differ. */
function cutIntoSegments(entries: SetEntry[], segments: Segments): number {
  // An arrow function, because its emitted form takes the `self` that the emitted sort passes.
  entries.sort((left, right) => compareEntries(left, right));
  const open: SetEntry[] = [];
  let different = 0;
  for (const entry of entries) {
    while (open.length > 0) {
      const innermost = open[open.length - 1] as SetEntry;
      if (compareWords(innermost.range.last, entry.range.first) >= 0) break;
      endInnermost(segments, open);
    }
    let isRepeated = false;
    if (open.length > 0) {
      const { range } = open[open.length - 1] as SetEntry;
      isRepeated = range.prefix === entry.range.prefix && compareWords(range.first, entry.range.first) === 0;
    }
    if (!isRepeated) {
      beginSegment(segments, entry.range.first, entry.text);
      open.push(entry);
      different++;
    }
  }
  while (open.length > 0) endInnermost(segments, open);
  return different;
}

/** Builds a set from addresses and CIDR blocks; entries that are neither are left out, of equal ones the first stays. */
export function buildAddressSet(entries: readonly string[]): AddressSet {
  const entries4: SetEntry[] = [];
  const entries6: SetEntry[] = [];
  for (let position = 0; position < entries.length; position++) {
    const text = entries[position] as string;
    const range = parseRange(text);
    if (range !== undefined) {
      if (range.family === 4) entries4.push({ text, range, position });
      else entries6.push({ text, range, position });
    }
  }
  const segments4: Segments = { starts: [], entries: [], wordsPerStart: 1 };
  const segments6: Segments = { starts: [], entries: [], wordsPerStart: 4 };
  const size4 = cutIntoSegments(entries4, segments4);
  const size6 = cutIntoSegments(entries6, segments6);
  return {
    size: size4 + size6,
    starts4: segments4.starts,
    entries4: segments4.entries,
    starts6: segments6.starts,
    entries6: segments6.entries,
  };
}

/** How many starts are not above `word`. */
function searchWord(starts: readonly number[], word: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((starts[middle] as number) <= word) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many starts, of four words each, are not above `words`. */
function searchWords(starts: readonly number[], words: readonly number[]): number {
  const a = words[0] as number;
  const b = words[1] as number;
  const c = words[2] as number;
  const d = words[3] as number;
  let low = 0;
  let high = starts.length / 4;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const at = middle * 4;
    let difference = (starts[at] as number) - a;
    if (difference === 0) {
      difference = (starts[at + 1] as number) - b;
      if (difference === 0) {
        difference = (starts[at + 2] as number) - c;
        if (difference === 0) difference = (starts[at + 3] as number) - d;
      }
    }
    if (difference <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The narrowest entry that holds the address, as it was written; undefined when none does. */
export function matchAddressSet(set: AddressSet, address: Address): string | undefined {
  let entry: string | undefined;
  if (address.family === 4) {
    const count = searchWord(set.starts4, address.words[0] as number);
    if (count > 0) entry = set.entries4[count - 1];
  } else {
    const count = searchWords(set.starts6, address.words);
    if (count > 0) entry = set.entries6[count - 1];
  }
  return entry === '' ? undefined : entry;
}
