import type { ByteSet } from './byte-set.ts';
import { bytesOfText } from './byte-text.ts';
import { type PatternFault, type PatternNode, readPattern } from './pattern-reader.ts';

/** A pattern as instructions of a Thompson automaton, and what of them does not depend on a text. */

/** Instructions of a compiled pattern. `set`: go on at `next` on one of these bytes. `split`: go on at both. */
export interface Instruction {
  readonly kind: 'set' | 'split' | 'start' | 'end' | 'match';
  readonly set: ByteSet | undefined;
  next: number;
  other: number;
}

/** What is reached without a byte. */
export interface Reach {
  /** Indexes of `set` instructions. */
  readonly places: readonly number[];
  /** The pattern has been found. */
  readonly isFound: boolean;
  /** The pattern is found if the text ends here. */
  readonly isFoundAtEnd: boolean;
}

/** Longest pattern, in UTF-8 bytes, and most instructions that it may become. */
export const PATTERN_BYTES_MAX = 500;
const INSTRUCTIONS_MAX = 2000;
/** Most instructions that are followed without a byte to compile one. */
const FOLLOWED_MAX = 20_000;
/** What reading one byte of a pattern comes to, in steps of what follows. */
const STEPS_OF_BYTE = 10;
/** U+FFFD. */
const REPLACEMENT = bytesOfText('\uFFFD');

/** How many bytes of a UTF-8 character begin at `at`; 0: none does. */
function characterLength(text: string, at: number): number {
  const first = text.charCodeAt(at);
  const length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (at + length > text.length) return 0;
  for (let index = 1; index < length; index++) {
    const byte = text.charCodeAt(at + index);
    if (byte < 0x80 || byte > 0xbf) return 0;
  }
  return length;
}

/**
 * The bytes with U+FFFD in place of each that belongs to no character. Put together once: Lua copies all of a text that
 * something is added to, which would take a client's 16 kB of such bytes to hundreds of megabytes.
 */
function repair(text: string): string {
  const parts: string[] = [];
  let begin = 0;
  let at = 0;
  while (at < text.length) {
    const length = characterLength(text, at);
    if (length === 0) {
      parts.push(text.substring(begin, at), REPLACEMENT);
      begin = at + 1;
    }
    at += Math.max(1, length);
  }
  if (parts.length === 0) return text;
  parts.push(text.substring(begin));
  return parts.join('');
}

export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= 0x80) return false;
  return true;
}

/** The text with one character for each of its UTF-8 bytes. */
export function byteText(text: string): string {
  if (isAscii(text)) return text;
  return repair(bytesOfText(text));
}

function bytesOf(text: string): number[] {
  const bytes: number[] = [];
  const encoded = byteText(text);
  for (let at = 0; at < encoded.length; at++) bytes.push(encoded.charCodeAt(at));
  return bytes;
}

/** How many instructions a tree becomes. */
function sizeOf(node: PatternNode): number {
  if (node.kind === 'sequence' || node.kind === 'choice') {
    let size = node.kind === 'choice' ? node.parts.length : 0;
    for (const part of node.parts) size += sizeOf(part);
    return size;
  }
  if (node.kind === 'repeat') {
    const { min, max } = node;
    return (max < 0 ? min + 1 : max) * (sizeOf(node.part) + 1);
  }
  return 1;
}

type Program = Instruction[];

const instruction = (kind: Instruction['kind'], next: number, set?: ByteSet): Instruction => ({
  kind,
  set,
  next,
  other: -1,
});

/** Adds the instructions of a node that go on at `next`; answers where they begin. */
function compile(program: Program, node: PatternNode, next: number): number {
  if (node.kind === 'set') return program.push(instruction('set', next, node.set)) - 1;
  if (node.kind === 'start' || node.kind === 'end') return program.push(instruction(node.kind, next)) - 1;
  if (node.kind === 'sequence') {
    let at = next;
    for (let index = node.parts.length - 1; index >= 0; index--)
      at = compile(program, node.parts[index] as PatternNode, at);
    return at;
  }
  if (node.kind === 'choice') {
    let at = -1;
    for (const part of node.parts) {
      const begin = compile(program, part, next);
      at = at < 0 ? begin : split(program, at, begin);
    }
    return at;
  }
  return compileRepeat(program, node, next);
}

function split(program: Program, next: number, other: number): number {
  const index = program.push(instruction('split', next)) - 1;
  (program[index] as Instruction).other = other;
  return index;
}

function compileRepeat(program: Program, node: PatternNode & { kind: 'repeat' }, next: number): number {
  const { part, min, max } = node;
  let at = next;
  if (max < 0) {
    const loop = split(program, -1, next);
    (program[loop] as Instruction).next = compile(program, part, loop);
    at = loop;
  } else {
    for (let count = min; count < max; count++) at = split(program, compile(program, part, at), next);
  }
  for (let count = 0; count < min; count++) at = compile(program, part, at);
  return at;
}

/** What a pattern is compiled to. */
export interface CompiledPattern {
  readonly instructions: readonly Instruction[];
  /** Bytes of one class are in the same sets: by byte, and a byte of each. */
  readonly classOf: readonly number[];
  readonly samples: readonly number[];
  /** Where a match may begin: at the start of the text, and behind any byte. */
  readonly start: Reach;
  readonly begin: Reach;
  /** By the index of a `set` instruction: what its byte leads to. */
  readonly follow: { readonly [place: number]: Reach };
  /** Steps that it took to compile. */
  readonly cost: number;
}

/** Counts down while a pattern is compiled. */
interface Allowance {
  followed: number;
}

/** Follows an instruction without taking a byte. `isStart`: where the text starts. `isEnd`: as if it ended here. */
function followed(
  program: Program,
  from: number,
  isStart: boolean,
  isEnd: boolean,
  allowance: Allowance,
): { places: number[]; isFound: boolean; hasEnd: boolean } {
  const seen: { [index: number]: boolean | undefined } = {};
  const places: number[] = [];
  let hasMatched = false;
  let hasEnd = false;
  const waiting = [from];
  while (waiting.length > 0 && allowance.followed > 0) {
    const index = waiting.pop() as number;
    if (seen[index] !== true) {
      seen[index] = true;
      allowance.followed--;
      const { kind, next, other } = program[index] as Instruction;
      if (kind === 'set') places.push(index);
      else if (kind === 'match') hasMatched = true;
      else if (kind === 'split') {
        waiting.push(other);
        waiting.push(next);
      } else {
        if (kind === 'end') hasEnd = true;
        if (kind === 'start' ? isStart : isEnd) waiting.push(next);
      }
    }
  }
  return { places, isFound: hasMatched, hasEnd };
}

function reach(program: Program, from: number, isStart: boolean, allowance: Allowance): Reach {
  const here = followed(program, from, isStart, false, allowance);
  const isFoundAtEnd = here.isFound || (here.hasEnd && followed(program, from, isStart, true, allowance).isFound);
  return { places: here.places, isFound: here.isFound, isFoundAtEnd };
}

/** What each `set` instruction leads to. */
function followAll(program: Program, allowance: Allowance): { [place: number]: Reach } {
  const follow: { [place: number]: Reach } = {};
  const known: { [index: number]: Reach | undefined } = {};
  for (let place = 0; place < program.length && allowance.followed > 0; place++) {
    const { kind, next } = program[place] as Instruction;
    if (kind === 'set') {
      const found = known[next] ?? reach(program, next, false, allowance);
      known[next] = found;
      follow[place] = found;
    }
  }
  return follow;
}

/** The sets of a tree, each once. */
function collectSets(node: PatternNode, sets: ByteSet[]): void {
  if (node.kind === 'set' && !sets.includes(node.set)) sets.push(node.set);
  else if (node.kind === 'repeat') collectSets(node.part, sets);
  else if (node.kind === 'sequence' || node.kind === 'choice') for (const part of node.parts) collectSets(part, sets);
}

/** Parts the bytes into classes of those that every set either has or has not. In time of what the sets have. */
function classesOf(node: PatternNode): { classOf: number[]; samples: number[] } {
  const sets: ByteSet[] = [];
  collectSets(node, sets);
  const classOf: number[] = [];
  for (let byte = 0; byte < 256; byte++) classOf.push(0);
  const sizes = [256];
  for (const { members } of sets) {
    const within: { [byteClass: number]: number | undefined } = {};
    for (const byte of members) {
      const byteClass = classOf[byte] as number;
      within[byteClass] = (within[byteClass] ?? 0) + 1;
    }
    // A class that the set has some of, but not all, is parted.
    const parted: { [byteClass: number]: number | undefined } = {};
    for (const byte of members) {
      const byteClass = classOf[byte] as number;
      const count = within[byteClass] ?? 0;
      if (parted[byteClass] === undefined && count > 0 && count < (sizes[byteClass] as number)) {
        parted[byteClass] = sizes.push(count) - 1;
        sizes[byteClass] = (sizes[byteClass] as number) - count;
      }
      classOf[byte] = parted[byteClass] ?? byteClass;
    }
  }
  const samples: number[] = [];
  for (let byte = 255; byte >= 0; byte--) samples[classOf[byte] as number] = byte;
  return { classOf, samples };
}

/** The instructions of a pattern, or why it cannot be one, and the steps that it took to find out. */
export function compileProgram(source: string): {
  readonly compiled?: CompiledPattern;
  readonly fault?: PatternFault;
  readonly cost: number;
} {
  const bytes = bytesOf(source);
  let cost = bytes.length * STEPS_OF_BYTE;
  if (bytes.length > PATTERN_BYTES_MAX)
    return { fault: { code: 'PATTERN_TOO_LARGE', at: PATTERN_BYTES_MAX + 1, part: '' }, cost };
  const { node, fault } = readPattern(bytes);
  if (node === undefined) return { fault, cost };
  if (sizeOf(node) > INSTRUCTIONS_MAX) return { fault: { code: 'PATTERN_TOO_LARGE', at: 1, part: '' }, cost };
  const instructions: Program = [instruction('match', -1)];
  const first = compile(instructions, node, 0);
  const allowance: Allowance = { followed: FOLLOWED_MAX };
  const follow = followAll(instructions, allowance);
  const begin = reach(instructions, first, false, allowance);
  const start = reach(instructions, first, true, allowance);
  cost += instructions.length + FOLLOWED_MAX - allowance.followed;
  if (allowance.followed <= 0) return { fault: { code: 'PATTERN_TOO_LARGE', at: 1, part: '' }, cost };
  const { classOf, samples } = classesOf(node);
  return { compiled: { instructions, classOf, samples, begin, start, follow, cost }, cost };
}
