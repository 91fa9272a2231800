import type { ByteSet } from './byte-set.ts';
import { byteText, type CompiledPattern, compileProgram, type Instruction, type Reach } from './pattern-program.ts';
import type { PatternFault } from './pattern-reader.ts';

/**
 * Patterns matched in linear time, by the same code in Node, under LuaJIT and in nginx: a Thompson automaton whose
 * deterministic states are made as texts need them (R. Cox, "Regular Expression Matching Can Be Simple And Fast"). No
 * library runs in all three, and two engines would now and then disagree about whom a rule is for.
 */

/** Where an automaton can be between two bytes. Its places are ascending. */
interface State extends Reach {
  /** By class of byte, as far as they have been needed. */
  readonly after: { [byteClass: number]: State | undefined };
}

export interface Pattern {
  readonly source: string;
  readonly compiled: CompiledPattern;
  readonly start: State;
  /** By the indexes of their places. */
  readonly states: { [key: string]: State | undefined };
  stateCount: number;
  /** From one state to another by a class of bytes. */
  transitionCount: number;
  /** Places visited to make them. */
  visitCount: number;
  /** Whether it was found in texts that came lately (`matchesWithin`). JavaScript's own names in it are no booleans. */
  answers: { [text: string]: boolean | undefined };
  answerCount: number;
}

/**
 * Most that one pattern may hold, about a megabyte. The automaton of a pattern that passes `patternFault` is smaller, so
 * that it is made once, whatever the texts are; another one finds nothing where it would have to grow further.
 */
const STATES_MAX = 1000;
const TRANSITIONS_MAX = 10_000;
const VISITS_MAX = 100_000;
/** What making a transition comes to besides its visits. */
const STEPS_OF_TRANSITION = 5;

/** The state with these places, from those that are known or as a new one. Undefined: there are too many. */
function stateOf(pattern: Pattern, reached: Reach): State | undefined {
  const places = [...reached.places].sort((left, right) => left - right);
  const key = `${places.join(',')}${reached.isFound ? ' found' : reached.isFoundAtEnd ? ' end' : ''}`;
  const known = pattern.states[key];
  if (known !== undefined) return known;
  if (pattern.stateCount >= STATES_MAX) return undefined;
  const state: State = { places, isFound: reached.isFound, isFoundAtEnd: reached.isFoundAtEnd, after: {} };
  pattern.states[key] = state;
  pattern.stateCount++;
  return state;
}

/** An automaton with nothing but its first state. */
function patternOf(source: string, compiled: CompiledPattern): Pattern {
  const first = compiled.start;
  const start: State = { places: first.places, isFound: first.isFound, isFoundAtEnd: first.isFoundAtEnd, after: {} };
  return {
    source,
    compiled,
    start,
    states: {},
    stateCount: 1,
    transitionCount: 0,
    visitCount: 0,
    answers: {},
    answerCount: 0,
  };
}

/** A pattern ready to be looked for, or why it cannot be one. */
export function compilePattern(source: string): {
  readonly pattern?: Pattern;
  readonly fault?: PatternFault;
  readonly cost: number;
} {
  const { compiled, fault, cost } = compileProgram(source);
  return compiled === undefined ? { fault, cost } : { pattern: patternOf(source, compiled), cost };
}

/** By place, the last step that came to it. Of all patterns: a table of its own for each step would cost more than the step. */
const steppedAt: { [place: number]: number | undefined } = {};
let lastStep = 0;

/** Adds what is reached to the list of places of the last step, each once. */
function addReached(places: number[], reached: Reach): void {
  for (const place of reached.places) {
    if (steppedAt[place] !== lastStep) {
      steppedAt[place] = lastStep;
      places.push(place);
    }
  }
}

/** The state after a byte of a class; a match may begin behind it as well. Undefined: the automaton would be too large. */
function step(pattern: Pattern, state: State, byteClass: number): State | undefined {
  if (pattern.transitionCount >= TRANSITIONS_MAX || pattern.visitCount >= VISITS_MAX) return undefined;
  const { instructions, samples, begin, follow } = pattern.compiled;
  const byte = samples[byteClass] as number;
  const places: number[] = [];
  lastStep++;
  let isFoundHere = begin.isFound;
  let isFoundAtEnd = begin.isFoundAtEnd;
  addReached(places, begin);
  let visits = state.places.length + begin.places.length;
  for (const place of state.places) {
    if (((instructions[place] as Instruction).set as ByteSet).has[byte] === true) {
      const reached = follow[place] as Reach;
      addReached(places, reached);
      visits += reached.places.length;
      isFoundHere = isFoundHere || reached.isFound;
      isFoundAtEnd = isFoundAtEnd || reached.isFoundAtEnd;
    }
  }
  pattern.visitCount += visits;
  const next = stateOf(pattern, { places, isFound: isFoundHere, isFoundAtEnd });
  if (next === undefined) return undefined;
  state.after[byteClass] = next;
  pattern.transitionCount++;
  return next;
}

/** What a pattern is judged to be. */
export interface PatternJudgement {
  /** Why it cannot be one, also for the size of the automaton that some text could make of it. */
  readonly fault: PatternFault | undefined;
  /** Steps that it takes to make all of it; of one with a fault, to find that out. */
  readonly cost: number;
}

const costOf = ({ compiled, visitCount, transitionCount }: Pattern): number =>
  compiled.cost + visitCount + transitionCount * STEPS_OF_TRANSITION;

/** Judges a pattern in no more steps than are allowed. Undefined: it takes more. */
export function judgePattern(source: string, allowance: number): PatternJudgement | undefined {
  if (source.length > allowance) return undefined;
  const { pattern, fault, cost } = compilePattern(source);
  if (pattern === undefined) return { fault, cost };
  const waiting = [pattern.start];
  while (waiting.length > 0) {
    const state = waiting.pop() as State;
    for (let byteClass = 0; byteClass < pattern.compiled.samples.length && !state.isFound; byteClass++) {
      if (costOf(pattern) > allowance) return undefined;
      const count = pattern.stateCount;
      const next = step(pattern, state, byteClass);
      if (next === undefined) return { fault: { code: 'PATTERN_TOO_COSTLY', at: 1, part: '' }, cost: costOf(pattern) };
      if (pattern.stateCount > count) waiting.push(next);
    }
  }
  return { fault: undefined, cost: costOf(pattern) };
}

/** Why a pattern cannot be one; asked when it is written, not for each request. */
export const patternFault = (source: string): PatternFault | undefined =>
  judgePattern(source, Number.POSITIVE_INFINITY)?.fault;

/**
 * Whether the pattern is found anywhere in the bytes (`byteText`), in time linear in them. Undefined: its automaton would have
 * to grow further than it may.
 */
export function findInBytes(pattern: Pattern, bytes: string, mayGrow: boolean): boolean | undefined {
  if (pattern.compiled.instructions.length === 0) return false;
  let state = pattern.start;
  if (state.isFound) return true;
  const { classOf } = pattern.compiled;
  for (let at = 0; at < bytes.length; at++) {
    const byteClass = classOf[bytes.charCodeAt(at)] as number;
    const next: State | undefined = state.after[byteClass] ?? (mayGrow ? step(pattern, state, byteClass) : undefined);
    if (next === undefined) return undefined;
    state = next;
    if (state.isFound) return true;
  }
  return state.isFoundAtEnd;
}

/** The same of a text, however large the automaton becomes; what would be too large is found nowhere. */
export const isFound = (pattern: Pattern, text: string): boolean => findInBytes(pattern, byteText(text), true) === true;
