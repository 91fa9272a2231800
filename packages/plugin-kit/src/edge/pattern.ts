import type { ByteSet } from './byte-set.ts';
import { bytesOfText } from './byte-text.ts';
import { type PatternFault, type PatternNode, readPattern } from './pattern-reader.ts';

/**
 * Patterns matched in linear time, by the same code in Node, under LuaJIT and in nginx: a Thompson automaton whose
 * deterministic states are made as texts need them (R. Cox, "Regular Expression Matching Can Be Simple And Fast"). No
 * library runs in all three, and two engines would now and then disagree about whom a rule is for.
 */

/** Instructions of a compiled pattern. `set`: go on at `next` on one of these bytes. `split`: go on at both. */
interface Instruction {
  readonly kind: 'set' | 'split' | 'start' | 'end' | 'match';
  readonly set: ByteSet | undefined;
  next: number;
  other: number;
}

/** Where an automaton can be between two bytes. */
interface State {
  /** Indexes of `set` instructions, ascending. */
  readonly places: readonly number[];
  /** The pattern has been found. */
  readonly isFound: boolean;
  /** The pattern is found if the text ends here. */
  readonly isFoundAtEnd: boolean;
  /** By byte, as far as they have been needed. */
  readonly after: { [byte: number]: State | undefined };
}

export interface Pattern {
  readonly source: string;
  readonly instructions: readonly Instruction[];
  start: State;
  /** By the numbers of their places. */
  states: { [key: string]: State | undefined };
  stateCount: number;
}

/** Longest pattern, in UTF-8 bytes, and most instructions that it may become. */
export const PATTERN_BYTES_MAX = 500;
const INSTRUCTIONS_MAX = 2000;
/** Kept for one pattern; with more it begins anew. */
const STATES_MAX = 300;
/** Instructions that one text may step over; a text that costs more counts as one without a match. */
const STEPS_MAX = 20000;

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

/** The bytes with U+FFFD in place of each that belongs to no character. */
function repair(text: string): string {
  let repaired = '';
  let at = 0;
  while (at < text.length) {
    const length = characterLength(text, at);
    repaired += length === 0 ? REPLACEMENT : text.substring(at, at + length);
    at += Math.max(1, length);
  }
  return repaired;
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= 0x80) return false;
  return true;
}

/** The text with one character for each of its UTF-8 bytes. */
function byteText(text: string): string {
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

/** What can be reached without a byte. */
interface Closure {
  readonly seen: { [index: number]: boolean | undefined };
  readonly places: number[];
  isFound: boolean;
  isFoundAtEnd: boolean;
}

/** Follows an instruction without taking a byte. `isEnd`: as if the text ended here. */
function reach(
  program: readonly Instruction[],
  closure: Closure,
  from: number,
  isStart: boolean,
  isEnd: boolean,
): void {
  const waiting = [from];
  while (waiting.length > 0) {
    const index = waiting.pop() as number;
    if (closure.seen[index] !== true) {
      closure.seen[index] = true;
      const { kind, next, other } = program[index] as Instruction;
      if (kind === 'set') closure.places.push(index);
      else if (kind === 'match') closure.isFound = true;
      else if (kind === 'split') {
        waiting.push(other);
        waiting.push(next);
      } else if (kind === 'start' ? isStart : isEnd) waiting.push(next);
    }
  }
}

const newClosure = (): Closure => ({ seen: {}, places: [], isFound: false, isFoundAtEnd: false });

/** The state of these instructions, from those that are known or as a new one. */
function stateOf(pattern: Pattern, from: readonly number[], isStart: boolean): State {
  const closure = newClosure();
  const atEnd = newClosure();
  for (const index of from) {
    reach(pattern.instructions, closure, index, isStart, false);
    reach(pattern.instructions, atEnd, index, isStart, true);
  }
  const places = closure.places.sort((left, right) => left - right);
  const isFoundAtEnd = closure.isFound || atEnd.isFound;
  const key = `${places.join(',')}${closure.isFound ? ' found' : isFoundAtEnd ? ' end' : ''}`;
  const known = pattern.states[key];
  if (known !== undefined) return known;
  if (pattern.stateCount >= STATES_MAX) {
    pattern.states = {};
    pattern.stateCount = 0;
  }
  const state: State = { places, isFound: closure.isFound, isFoundAtEnd, after: {} };
  pattern.states[key] = state;
  pattern.stateCount++;
  return state;
}

const NO_STATE: State = { places: [], isFound: false, isFoundAtEnd: false, after: {} };

/** A pattern ready to be looked for, or why it cannot be one. */
export function compilePattern(source: string): { readonly pattern?: Pattern; readonly fault?: PatternFault } {
  const bytes = bytesOf(source);
  if (bytes.length > PATTERN_BYTES_MAX)
    return { fault: { code: 'PATTERN_TOO_LARGE', at: PATTERN_BYTES_MAX + 1, part: '' } };
  const { node, fault } = readPattern(bytes);
  if (node === undefined) return { fault };
  if (sizeOf(node) > INSTRUCTIONS_MAX) return { fault: { code: 'PATTERN_TOO_LARGE', at: 1, part: '' } };
  const program: Program = [instruction('match', -1)];
  const begin = compile(program, node, 0);
  program.push(instruction('split', begin));
  (program[program.length - 1] as Instruction).other = begin;
  const pattern: Pattern = { source, instructions: program, start: NO_STATE, states: {}, stateCount: 0 };
  pattern.start = stateOf(pattern, [program.length - 1], true);
  return { pattern };
}

/** What is found nowhere. */
export const NEVER: Pattern = { source: '', instructions: [], start: NO_STATE, states: {}, stateCount: 0 };

/** The state after a byte; a match may begin behind it as well. */
function step(pattern: Pattern, state: State, byte: number): State {
  const { instructions } = pattern;
  const from: number[] = [instructions.length - 1];
  for (const place of state.places) {
    const { set, next } = instructions[place] as Instruction;
    if ((set as ByteSet)[byte] === true) from.push(next);
  }
  const next = stateOf(pattern, from, false);
  state.after[byte] = next;
  return next;
}

/**
 * Whether the pattern is found anywhere in the text. Linear in the text; a text that would cost too much (`STEPS_MAX`,
 * some tenths of a millisecond, only with patterns made for it) counts as one without a match.
 */
export function isFound(pattern: Pattern, text: string): boolean {
  if (pattern.instructions.length === 0) return false;
  let state = pattern.start;
  if (state.isFound) return true;
  const bytes = byteText(text);
  let steps = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes.charCodeAt(at);
    let next = state.after[byte];
    if (next === undefined) {
      steps += state.places.length + 1;
      if (steps > STEPS_MAX) return false;
      next = step(pattern, state, byte);
    }
    state = next;
    if (state.isFound) return true;
  }
  return state.isFoundAtEnd;
}
