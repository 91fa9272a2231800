import { byteCount } from './byte-text.ts';
import { type NamedIndex, type PossibleValues, possibleValues } from './named-values.ts';
import { findInBytes, type Pattern } from './pattern.ts';
import { byteText, isAscii } from './pattern-program.ts';

/**
 * What one request may cost a worker, whatever customers configure and visitors send: a worker is shared by all domains of a
 * node. It is counted in steps, of which each takes some 10 ns in nginx, and not in time, so that Node, LuaJIT and nginx come to
 * the same verdict. What there are no steps left for is in doubt, and the plugin says against whom a doubt counts.
 */
export interface RequestWork {
  stepsLeft: number;
  /**
   * For making the automata of patterns, which are kept: what a worker meets first costs more than what it has met. The one
   * thing that is not the same everywhere; 500 ordinary patterns take a third of it.
   */
  growthLeft: number;
  /** What could not be looked into. */
  doubtCount: number;
  /** By text, what patterns are looked for in; of those that are not of ASCII, which are their own. */
  bytesOf: { [text: string]: string | undefined } | undefined;
}

/** Some 20 ms: 500 patterns in 4 kB. */
export const STEPS_MAX = 2_000_000;
const GROWTH_MAX = 300_000;
const STEPS_OF_MATCH = 20;
/** What is kept of a pattern's answers: no more than its automaton takes. */
const ANSWERS_MAX = 64;
const ANSWERED_BYTES_MAX = 200;
/** What making a transition comes to besides the places visited. */
const GROWTH_OF_TRANSITION = 5;

export const createRequestWork = (): RequestWork => ({
  stepsLeft: STEPS_MAX,
  growthLeft: GROWTH_MAX,
  doubtCount: 0,
  bytesOf: undefined,
});

/** Makes the work of one request that of a new one, which may cost so much. */
export function beginWork(work: RequestWork, steps: number): void {
  work.stepsLeft = steps;
  work.growthLeft = GROWTH_MAX;
  work.doubtCount = 0;
  work.bytesOf = undefined;
}

/** Takes what looking at a text costs; false: not so much is left, and nothing is taken. */
export function spendOn(
  this: void,
  work: RequestWork,
  text: string,
  stepsOfText: number,
  stepsOfByte: number,
): boolean {
  const steps = stepsOfText + (stepsOfByte === 0 ? 0 : stepsOfByte * byteCount(text));
  if (steps > work.stepsLeft) {
    work.doubtCount++;
    return false;
  }
  work.stepsLeft -= steps;
  return true;
}

/** Repaired once: for each of many patterns anew it would cost more than looking for them. */
function bytesOf(work: RequestWork, text: string): string {
  if (isAscii(text)) return text;
  work.bytesOf ??= {};
  const bytes = work.bytesOf[text] ?? byteText(text);
  work.bytesOf[text] = bytes;
  return bytes;
}

/** Whether a pattern is found anywhere in a text; undefined: in doubt. */
export function matchesWithin(this: void, work: RequestWork, pattern: Pattern, text: string): boolean | undefined {
  // Looking over the text for what is not of ASCII, and then for the pattern.
  if (!spendOn(work, text, STEPS_OF_MATCH, 1)) return undefined;
  // What a pattern has been looked for in takes no growth of its automaton.
  const known = pattern.answers[text];
  if (known === true || known === false) return known;
  return searchIn(work, pattern, text);
}

function searchIn(work: RequestWork, pattern: Pattern, text: string): boolean | undefined {
  const bytes = bytesOf(work, text);
  if (bytes !== text && !spendOn(work, bytes, 0, 1)) return undefined;
  const { visitCount, transitionCount } = pattern;
  const isFound = findInBytes(pattern, bytes, work.growthLeft > 0);
  work.growthLeft -=
    pattern.visitCount - visitCount + GROWTH_OF_TRANSITION * (pattern.transitionCount - transitionCount);
  if (isFound === undefined) work.doubtCount++;
  // Of other texts, bytes are spent once more.
  else if (bytes === text && bytes.length <= ANSWERED_BYTES_MAX) keepAnswer(pattern, text, isFound);
  return isFound;
}

/** Paths and User-Agents come again and again. Forgotten all at once: a flood of new ones costs little more than their search. */
function keepAnswer(pattern: Pattern, text: string, isFound: boolean): void {
  if (pattern.answerCount >= ANSWERS_MAX) {
    pattern.answers = {};
    pattern.answerCount = 0;
  }
  pattern.answers[text] = isFound;
  pattern.answerCount++;
}

/** Whether a pattern is found in any of some texts, or may be. */
export function matchesAnyWithin(this: void, work: RequestWork, pattern: Pattern, texts: readonly string[]): boolean {
  // A path has mostly one reading, and LuaJIT compiles nothing that leads to a loop.
  if (texts.length === 1) return matchesWithin(work, pattern, texts[0] as string) !== false;
  for (const text of texts) if (matchesWithin(work, pattern, text) !== false) return true;
  return false;
}

/** What origins may take the cookies or arguments of a name for; undefined: in doubt. */
export function possibleWithin(
  this: void,
  work: RequestWork,
  index: NamedIndex,
  name: string,
): PossibleValues | undefined {
  const possible = possibleValues(index, name);
  if (possible === undefined) work.doubtCount++;
  return possible;
}
