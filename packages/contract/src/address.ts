/**
 * Addresses, ranges and sets of ranges, for the browser, the API and, emitted as Lua, nginx. Hence the subset of
 * TypeScript: no RegExp, no exceptions, no bit operators (they are signed in JavaScript and LuaJIT alike).
 */

/** An address made comparable. IPv4: one 32-bit word; IPv6: four. An IPv4-mapped IPv6 address is IPv4. */
export interface Address {
  readonly family: 4 | 6;
  /** Unsigned, most significant first. */
  readonly words: readonly number[];
}

/** All addresses from `first` to `last`, both included: one address or one CIDR block. */
export interface AddressRange {
  readonly family: 4 | 6;
  readonly first: readonly number[];
  readonly last: readonly number[];
  /** 0 to 32 (IPv4) or 128 (IPv6). */
  readonly prefix: number;
  /** Whether the text had bits set to the right of the prefix, as in `192.0.2.1/24`; `first` has them cleared. */
  readonly hasHostBits: boolean;
}

/** Longest text that `parseRange` reads: an IPv6 address with embedded IPv4, a slash and three digits. */
export const RANGE_CHARACTERS_MAX = 49;

const WORD = 4294967296;
const DOT = 46;
const SLASH = 47;
const ZERO = 48;
const NINE = 57;
const COLON = 58;
const HEX_DIGITS = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];

/** The dotted quad that fills `text` from `start` to its end, or -1. */
function parseDottedQuad(text: string, start: number): number {
  let word = 0;
  let octets = 0;
  let octet = 0;
  let digits = 0;
  for (let at = start; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : DOT;
    if (code === DOT) {
      if (digits === 0) return -1;
      word = word * 256 + octet;
      octets++;
      if (octets > 4) return -1;
      octet = 0;
      digits = 0;
    } else if (code >= ZERO && code <= NINE) {
      // A leading zero is octal to some readers and decimal to others.
      if (digits > 0 && octet === 0) return -1;
      octet = octet * 10 + code - ZERO;
      digits++;
      if (octet > 255) return -1;
    } else {
      return -1;
    }
  }
  return octets === 4 ? word : -1;
}

/** Value of a hexadecimal digit, or -1. */
function hexValue(code: number): number {
  if (code >= ZERO && code <= NINE) return code - ZERO;
  if (code >= 97 && code <= 102) return code - 87;
  if (code >= 65 && code <= 70) return code - 55;
  return -1;
}

/** Groups of an IPv6 address as four words; undefined when `text` is none. */
function parseGroups(text: string): number[] | undefined {
  const groups: number[] = [];
  let gap = -1;
  let at = 0;
  if (text.charCodeAt(0) === COLON) {
    if (text.length < 2 || text.charCodeAt(1) !== COLON) return undefined;
    gap = 0;
    at = 2;
  }
  while (at < text.length) {
    const groupStart = at;
    let group = 0;
    let digit = hexValue(text.charCodeAt(at));
    while (digit >= 0) {
      group = group * 16 + digit;
      at++;
      if (at - groupStart > 4) return undefined;
      digit = at < text.length ? hexValue(text.charCodeAt(at)) : -1;
    }
    if (at === groupStart) return undefined;
    if (at < text.length && text.charCodeAt(at) === DOT) {
      const word = parseDottedQuad(text, groupStart);
      if (word < 0) return undefined;
      groups.push(Math.floor(word / 65536));
      groups.push(word % 65536);
      at = text.length;
    } else {
      groups.push(group);
      if (at < text.length) {
        if (text.charCodeAt(at) !== COLON) return undefined;
        at++;
        if (at === text.length) return undefined;
        if (text.charCodeAt(at) === COLON) {
          if (gap >= 0) return undefined;
          gap = groups.length;
          at++;
        }
      }
    }
    if (groups.length > 8) return undefined;
  }
  if (gap < 0 ? groups.length !== 8 : groups.length > 7) return undefined;
  const words = [0, 0, 0, 0];
  for (let index = 0; index < groups.length; index++) {
    const place = gap >= 0 && index >= gap ? index + 8 - groups.length : index;
    const word = Math.floor(place / 2);
    words[word] = (words[word] as number) + (groups[index] as number) * (place % 2 === 0 ? 65536 : 1);
  }
  return words;
}

function isMapped(words: readonly number[]): boolean {
  return words[0] === 0 && words[1] === 0 && words[2] === 65535;
}

/**
 * An address from its text; undefined when it is none. IPv4 is the strict dotted quad (four decimals without leading
 * zeros); IPv6 is RFC 4291 2.2 with `::` and embedded IPv4, but no zone; IPv4-mapped IPv6 becomes IPv4.
 */
export function parseAddress(text: string): Address | undefined {
  if (text.length < 2 || text.length > RANGE_CHARACTERS_MAX) return undefined;
  const word = parseDottedQuad(text, 0);
  if (word >= 0) return { family: 4, words: [word] };
  const words = parseGroups(text);
  if (words === undefined) return undefined;
  if (isMapped(words)) return { family: 4, words: [words[3] as number] };
  return { family: 6, words };
}

function formatGroup(group: number): string {
  let text = '';
  let rest = group;
  do {
    text = (HEX_DIGITS[rest % 16] as string) + text;
    rest = Math.floor(rest / 16);
  } while (rest > 0);
  return text;
}

/** Canonical text: dotted quad, or RFC 5952 4 (lower case, the first longest run of zero groups as `::`). */
export function formatAddress(address: Address): string {
  if (address.family === 4) {
    const word = address.words[0] as number;
    return `${Math.floor(word / 16777216)}.${Math.floor(word / 65536) % 256}.${Math.floor(word / 256) % 256}.${word % 256}`;
  }
  const groups: number[] = [];
  for (let index = 0; index < 4; index++) {
    const word = address.words[index] as number;
    groups.push(Math.floor(word / 65536));
    groups.push(word % 65536);
  }
  let gapStart = -1;
  let gapLength = 1;
  let runLength = 0;
  for (let index = 0; index < 8; index++) {
    runLength = groups[index] === 0 ? runLength + 1 : 0;
    if (runLength > gapLength) {
      gapLength = runLength;
      gapStart = index - runLength + 1;
    }
  }
  let text = '';
  let index = 0;
  while (index < 8) {
    if (index === gapStart) {
      text += '::';
      index += gapLength;
    } else {
      if (index > 0 && index !== gapStart + gapLength) text += ':';
      text += formatGroup(groups[index] as number);
      index++;
    }
  }
  return text;
}

/** The CIDR block of `prefix` bits that holds `words`. */
export function blockOf(family: 4 | 6, words: readonly number[], prefix: number): AddressRange {
  const first: number[] = [];
  const last: number[] = [];
  let hasHostBits = false;
  for (let index = 0; index < words.length; index++) {
    const word = words[index] as number;
    const bits = prefix - index * 32;
    // Words that are in the prefix, or outside of it, as a whole need no arithmetic: lists have thousands.
    if (bits >= 32) {
      first.push(word);
      last.push(word);
    } else if (bits <= 0) {
      if (word !== 0) hasHostBits = true;
      first.push(0);
      last.push(4294967295);
    } else {
      const blockSize = 2 ** (32 - bits);
      const hostBits = word % blockSize;
      if (hostBits !== 0) hasHostBits = true;
      first.push(word - hostBits);
      last.push(word - hostBits + blockSize - 1);
    }
  }
  return { family, first, last, prefix, hasHostBits };
}

/** The range that holds this one address. */
export function singleAddressRange(address: Address): AddressRange {
  return {
    family: address.family,
    first: address.words,
    last: address.words,
    prefix: address.family === 4 ? 32 : 128,
    hasHostBits: false,
  };
}

/** Decimal number of one to three digits without leading zero that fills `text` from `start`, or -1. */
function parsePrefix(text: string, start: number): number {
  const digits = text.length - start;
  if (digits < 1 || digits > 3) return -1;
  if (digits > 1 && text.charCodeAt(start) === ZERO) return -1;
  let value = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < ZERO || code > NINE) return -1;
    value = value * 10 + code - ZERO;
  }
  return value;
}

/**
 * A range from an address or a CIDR block; undefined when it is neither. A block inside the IPv4-mapped addresses
 * becomes an IPv4 block; a wider IPv6 block does not hold any IPv4 address.
 */
export function parseRange(text: string): AddressRange | undefined {
  if (text.length > RANGE_CHARACTERS_MAX) return undefined;
  let slash = 0;
  while (slash < text.length && text.charCodeAt(slash) !== SLASH) slash++;
  if (slash === text.length) {
    const address = parseAddress(text);
    return address === undefined ? undefined : singleAddressRange(address);
  }
  const prefix = parsePrefix(text, slash + 1);
  if (prefix < 0) return undefined;
  const addressText = text.substring(0, slash);
  const word = parseDottedQuad(addressText, 0);
  if (word >= 0) return prefix > 32 ? undefined : blockOf(4, [word], prefix);
  const words = parseGroups(addressText);
  if (words === undefined || prefix > 128) return undefined;
  if (isMapped(words) && prefix >= 96) return blockOf(4, [words[3] as number], prefix - 96);
  return blockOf(6, words, prefix);
}

/** Canonical text of a range: the address alone when it holds just one. Equal ranges have equal texts. */
export function formatRange(range: AddressRange): string {
  const address = formatAddress({ family: range.family, words: range.first });
  return range.prefix === (range.family === 4 ? 32 : 128) ? address : `${address}/${range.prefix}`;
}

/** Negative, zero or positive as `left` is below, equal to or above `right`; both of the same family. */
export function compareWords(left: readonly number[], right: readonly number[]): number {
  for (let index = 0; index < left.length; index++) {
    const difference = (left[index] as number) - (right[index] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Whether every address of `inner` is in `outer`. */
export function rangeContainsRange(outer: AddressRange, inner: AddressRange): boolean {
  return (
    outer.family === inner.family &&
    compareWords(outer.first, inner.first) <= 0 &&
    compareWords(inner.last, outer.last) <= 0
  );
}

export function rangeContains(range: AddressRange, address: Address): boolean {
  return (
    range.family === address.family &&
    compareWords(range.first, address.words) <= 0 &&
    compareWords(address.words, range.last) <= 0
  );
}

/** Whether some address is in both. */
export function rangesOverlap(left: AddressRange, right: AddressRange): boolean {
  return (
    left.family === right.family &&
    compareWords(left.first, right.last) <= 0 &&
    compareWords(right.first, left.last) <= 0
  );
}

/** The words after `words`; undefined after the last address of the family. */
export function nextWords(words: readonly number[]): number[] | undefined {
  const next: number[] = [];
  for (let index = 0; index < words.length; index++) next.push(words[index] as number);
  for (let index = words.length - 1; index >= 0; index--) {
    const word = (words[index] as number) + 1;
    if (word < WORD) {
      next[index] = word;
      return next;
    }
    next[index] = 0;
  }
  return undefined;
}
