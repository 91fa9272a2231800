import { type ByteSet, byteRange, complement, EITHER_CASE, ONE_BYTE, setOf, unite } from './byte-set.ts';

/**
 * Reads the patterns that customers write: what RE2 and PCRE have in common and mean alike. Literal characters, `.`,
 * classes, groups, `|`, `^`, `$`, the quantifiers `* + ? {n} {n,} {n,m}`, lazy ones too, the escapes `\d \w \s \D \W \S`,
 * `\n \r \t`, a backslash before a mark, and `(?i)` in front of all. No look-around, no back-reference: nothing that cannot be
 * matched in linear time. For the browser, the API and, emitted as Lua, nginx.
 */

/** Why a pattern is refused. */
export type PatternFaultCode =
  | 'PATTERN_UNFINISHED'
  | 'PATTERN_NOTHING_TO_REPEAT'
  | 'PATTERN_UNSUPPORTED'
  | 'PATTERN_CLASS_INVALID'
  | 'PATTERN_TOO_LARGE'
  | 'PATTERN_TOO_COSTLY';

export interface PatternFault {
  readonly code: PatternFaultCode;
  /** Position in the pattern, from 1. */
  readonly at: number;
  /** What stands there, or should. */
  readonly part: string;
}

/** A pattern as a tree. */
export type PatternNode =
  | { readonly kind: 'set'; readonly set: ByteSet }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly parts: readonly PatternNode[] }
  /** `max` -1: any number. */
  | { readonly kind: 'repeat'; readonly part: PatternNode; readonly min: number; readonly max: number }
  | { readonly kind: 'start' }
  | { readonly kind: 'end' };

interface Reader {
  /** UTF-8. */
  readonly bytes: readonly number[];
  at: number;
  depth: number;
  ignoresCase: boolean;
  fault: PatternFault | undefined;
}

export const PATTERN_DEPTH_MAX = 30;
export const REPEAT_MAX = 1000;

const code = (character: string): number => character.charCodeAt(0);
const BACKSLASH = 92;
const NEWLINE = 10;
const NONE = -1;

const CONTINUATION = byteRange(0x80, 0xbf);
const DIGITS = byteRange(48, 57);
const WORD = unite([DIGITS, byteRange(65, 90), byteRange(97, 122), setOf([95])]);
const SPACES = setOf([9, 10, 12, 13, 32]);

const set = (bytes: ByteSet): PatternNode => ({ kind: 'set', set: bytes });

/** Any character beyond ASCII as its UTF-8 bytes. */
const BEYOND_ASCII: readonly PatternNode[] = [
  { kind: 'sequence', parts: [set(byteRange(0xc2, 0xdf)), set(CONTINUATION)] },
  { kind: 'sequence', parts: [set(byteRange(0xe0, 0xef)), set(CONTINUATION), set(CONTINUATION)] },
  { kind: 'sequence', parts: [set(byteRange(0xf0, 0xf4)), set(CONTINUATION), set(CONTINUATION), set(CONTINUATION)] },
];

/** Any character that is none of these ASCII ones. */
const noneOf = (bytes: ByteSet): PatternNode => ({
  kind: 'choice',
  parts: [set(complement(bytes)), ...BEYOND_ASCII],
});

const DOT = noneOf(setOf([NEWLINE]));

const textFrom = (reader: Reader, start: number, end: number): string => {
  let text = '';
  for (let at = start; at < end && at < reader.bytes.length; at++) {
    const byte = reader.bytes[at] as number;
    text += byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '?';
  }
  return text;
};

function fail(reader: Reader, faultCode: PatternFaultCode, at: number, part: string): undefined {
  if (reader.fault === undefined) reader.fault = { code: faultCode, at: at + 1, part };
  return undefined;
}

const peek = (reader: Reader, ahead: number): number => {
  const at = reader.at + ahead;
  return at < reader.bytes.length ? (reader.bytes[at] as number) : NONE;
};

const isLetterOrDigit = (byte: number): boolean => byte >= 0 && WORD.has[byte] === true && byte !== 95;

/** A byte, in either case where the pattern ignores it. */
function literal(byte: number, ignoresCase: boolean): ByteSet {
  return (ignoresCase ? EITHER_CASE : ONE_BYTE)[byte] as ByteSet;
}

/** What `\d`, `\w` or `\s` stands for, by the small letter. */
function classOf(letter: number): ByteSet | undefined {
  if (letter === code('d')) return DIGITS;
  if (letter === code('w')) return WORD;
  if (letter === code('s')) return SPACES;
  return undefined;
}

/** The byte that an escape stands for; -1 when it stands for none. */
function escapedByte(byte: number): number {
  if (byte === code('n')) return NEWLINE;
  if (byte === code('r')) return 13;
  if (byte === code('t')) return 9;
  return byte < 0 || byte >= 128 || isLetterOrDigit(byte) ? NONE : byte;
}

function readEscape(reader: Reader): PatternNode | undefined {
  const start = reader.at;
  const byte = peek(reader, 1);
  if (byte === NONE) return fail(reader, 'PATTERN_UNFINISHED', start, '\\');
  reader.at += 2;
  const positive = classOf(byte);
  if (positive !== undefined) return set(positive);
  const negative = byte >= 65 && byte <= 90 ? classOf(byte + 32) : undefined;
  if (negative !== undefined) return noneOf(negative);
  const escaped = escapedByte(byte);
  if (escaped === NONE) return fail(reader, 'PATTERN_UNSUPPORTED', start, textFrom(reader, start, start + 2));
  return set(literal(escaped, reader.ignoresCase));
}

/** One byte of a class, or a class of its own; undefined: a fault. */
function readClassMember(reader: Reader): ByteSet | number | undefined {
  const byte = peek(reader, 0);
  if (byte >= 128) return fail(reader, 'PATTERN_CLASS_INVALID', reader.at, '');
  if (byte !== BACKSLASH) {
    if (byte === code('[') && peek(reader, 1) === code(':'))
      return fail(reader, 'PATTERN_UNSUPPORTED', reader.at, '[:');
    reader.at++;
    return byte;
  }
  const start = reader.at;
  const positive = classOf(peek(reader, 1));
  const escaped = escapedByte(peek(reader, 1));
  reader.at += 2;
  if (positive !== undefined) return positive;
  if (escaped === NONE) return fail(reader, 'PATTERN_UNSUPPORTED', start, textFrom(reader, start, start + 2));
  return escaped;
}

/** The rest of a range after its first byte and the hyphen. */
function readRangeEnd(reader: Reader, first: number, start: number): ByteSet | undefined {
  reader.at++;
  const last = readClassMember(reader);
  if (last === undefined) return undefined;
  if (typeof last !== 'number' || last < first)
    return fail(reader, 'PATTERN_CLASS_INVALID', start, textFrom(reader, start, reader.at));
  const range = byteRange(first, last);
  if (!reader.ignoresCase) return range;
  const members: ByteSet[] = [range];
  for (let byte = first; byte <= last; byte++) members.push(literal(byte, true));
  return unite(members);
}

function readClass(reader: Reader): PatternNode | undefined {
  const start = reader.at;
  reader.at++;
  const isNegative = peek(reader, 0) === code('^');
  if (isNegative) reader.at++;
  const members: ByteSet[] = [];
  while (peek(reader, 0) !== code(']') || members.length === 0) {
    if (peek(reader, 0) === NONE) return fail(reader, 'PATTERN_UNFINISHED', start, '[');
    // What an empty class means differs between engines.
    if (peek(reader, 0) === code(']')) return fail(reader, 'PATTERN_CLASS_INVALID', start, '[]');
    const memberStart = reader.at;
    const member = readClassMember(reader);
    if (member === undefined) return undefined;
    const isRange = peek(reader, 0) === code('-') && peek(reader, 1) !== code(']') && peek(reader, 1) !== NONE;
    if (typeof member !== 'number') {
      if (isRange)
        return fail(reader, 'PATTERN_CLASS_INVALID', memberStart, textFrom(reader, memberStart, reader.at + 1));
      members.push(member);
    } else if (isRange) {
      const range = readRangeEnd(reader, member, memberStart);
      if (range === undefined) return undefined;
      members.push(range);
    } else {
      members.push(literal(member, reader.ignoresCase));
    }
  }
  reader.at++;
  const all = members.length === 1 ? (members[0] as ByteSet) : unite(members);
  return isNegative ? noneOf(all) : set(all);
}

function readGroup(reader: Reader): PatternNode | undefined {
  const start = reader.at;
  reader.at++;
  if (peek(reader, 0) === code('?')) {
    if (peek(reader, 1) !== code(':'))
      return fail(reader, 'PATTERN_UNSUPPORTED', start, textFrom(reader, start, start + 3));
    reader.at += 2;
  }
  reader.depth++;
  if (reader.depth > PATTERN_DEPTH_MAX) return fail(reader, 'PATTERN_TOO_LARGE', start, '(');
  const inner = readChoice(reader);
  if (inner === undefined) return undefined;
  if (peek(reader, 0) !== code(')')) return fail(reader, 'PATTERN_UNFINISHED', start, '(');
  reader.at++;
  reader.depth--;
  return inner;
}

/** All bytes of a character that is written as itself. */
function readCharacter(reader: Reader): PatternNode {
  const first = peek(reader, 0);
  const length = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const parts: PatternNode[] = [];
  for (let index = 0; index < length && peek(reader, 0) !== NONE; index++) {
    parts.push(set(literal(peek(reader, 0), reader.ignoresCase)));
    reader.at++;
  }
  return parts.length === 1 ? (parts[0] as PatternNode) : { kind: 'sequence', parts };
}

function readAtom(reader: Reader): PatternNode | undefined {
  const byte = peek(reader, 0);
  if (byte === code('(')) return readGroup(reader);
  if (byte === code('[')) return readClass(reader);
  if (byte === BACKSLASH) return readEscape(reader);
  if (byte === code('*') || byte === code('+') || byte === code('?') || byte === code('{'))
    return fail(reader, 'PATTERN_NOTHING_TO_REPEAT', reader.at, textFrom(reader, reader.at, reader.at + 1));
  if (byte === code('.')) {
    reader.at++;
    return DOT;
  }
  if (byte === code('^') || byte === code('$')) {
    reader.at++;
    return byte === code('^') ? { kind: 'start' } : { kind: 'end' };
  }
  return readCharacter(reader);
}

/** A number of up to four digits; -1 where there is none. */
function readNumber(reader: Reader): number {
  let value = NONE;
  while (DIGITS.has[peek(reader, 0)] === true && value <= REPEAT_MAX) {
    value = (value === NONE ? 0 : value) * 10 + peek(reader, 0) - 48;
    reader.at++;
  }
  return value;
}

/** Reads `{n}`, `{n,}` or `{n,m}`. */
function readBounds(reader: Reader, part: PatternNode): PatternNode | undefined {
  const start = reader.at;
  reader.at++;
  const min = readNumber(reader);
  let max = min;
  if (peek(reader, 0) === code(',')) {
    reader.at++;
    max = readNumber(reader);
  }
  if (peek(reader, 0) !== code('}') || min === NONE)
    return fail(reader, 'PATTERN_UNFINISHED', start, textFrom(reader, start, start + 1));
  reader.at++;
  if (min > REPEAT_MAX || max > REPEAT_MAX)
    return fail(reader, 'PATTERN_TOO_LARGE', start, textFrom(reader, start, reader.at));
  if (max !== NONE && max < min) return fail(reader, 'PATTERN_UNSUPPORTED', start, textFrom(reader, start, reader.at));
  return { kind: 'repeat', part, min, max };
}

function readQuantified(reader: Reader): PatternNode | undefined {
  const part = readAtom(reader);
  if (part === undefined) return undefined;
  const byte = peek(reader, 0);
  let node: PatternNode | undefined = part;
  if (byte === code('{')) {
    node = readBounds(reader, part);
  } else if (byte === code('*') || byte === code('+') || byte === code('?')) {
    reader.at++;
    node = { kind: 'repeat', part, min: byte === code('+') ? 1 : 0, max: byte === code('?') ? 1 : NONE };
  } else {
    return part;
  }
  if (node === undefined) return undefined;
  if (part.kind === 'start' || part.kind === 'end')
    return fail(reader, 'PATTERN_NOTHING_TO_REPEAT', reader.at - 1, textFrom(reader, reader.at - 1, reader.at));
  // Lazy or not: whether the pattern is found is the same.
  if (peek(reader, 0) === code('?')) reader.at++;
  else if (peek(reader, 0) === code('+'))
    return fail(reader, 'PATTERN_UNSUPPORTED', reader.at, textFrom(reader, reader.at - 1, reader.at + 1));
  return node;
}

function readSequence(reader: Reader): PatternNode | undefined {
  const parts: PatternNode[] = [];
  while (peek(reader, 0) !== NONE && peek(reader, 0) !== code('|') && peek(reader, 0) !== code(')')) {
    const part = readQuantified(reader);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return { kind: 'sequence', parts };
}

function readChoice(reader: Reader): PatternNode | undefined {
  const parts: PatternNode[] = [];
  for (;;) {
    const part = readSequence(reader);
    if (part === undefined) return undefined;
    parts.push(part);
    if (peek(reader, 0) !== code('|')) return parts.length === 1 ? part : { kind: 'choice', parts };
    reader.at++;
  }
}

const FOLDING = '(?i)';

/** The pattern as a tree, or why it is none. */
export function readPattern(bytes: readonly number[]): { readonly node?: PatternNode; readonly fault?: PatternFault } {
  const reader: Reader = { bytes, at: 0, depth: 0, ignoresCase: false, fault: undefined };
  if (textFrom(reader, 0, FOLDING.length) === FOLDING) {
    reader.ignoresCase = true;
    reader.at = FOLDING.length;
  }
  const node = readChoice(reader);
  if (node === undefined) return { fault: reader.fault as PatternFault };
  if (reader.at < bytes.length) {
    fail(reader, 'PATTERN_UNFINISHED', reader.at, ')');
    return { fault: reader.fault as PatternFault };
  }
  return { node };
}
