import { parseDeltaSeconds, SECONDS_MAX } from './delta-seconds.ts';
import { trimBlanks } from './field-syntax.ts';
import { parseHttpDate } from './http-date.ts';
import type { CacheAnswer } from './types.ts';

/** Seconds that the field Age states: the first of several, 0 where that is no number (RFC 9111 5.1). */
function statedAge(answer: CacheAnswer): number {
  const [line] = answer.fieldValues('age');
  if (line === undefined) return 0;
  const comma = line.indexOf(',');
  return parseDeltaSeconds(trimBlanks(comma < 0 ? line : line.substring(0, comma))) ?? 0;
}

/** Unix seconds of the field Date; `now`, when the answer came, where it has none or a wrong one (RFC 9110 6.6.1). */
export function dateOf(this: void, answer: CacheAnswer, now: number): number {
  const [line] = answer.fieldValues('date');
  return line === undefined ? now : (parseHttpDate(line, now) ?? now);
}

/**
 * When an answer was made, in whole Unix seconds, by its corrected_initial_age (RFC 9111 4.2.3): `requestedAt` is request_time,
 * `now` response_time. 2^31 seconds ago at the most (1.2.2).
 */
export function madeAtOf(this: void, answer: CacheAnswer, requestedAt: number, now: number): number {
  const apparentAge = now - dateOf(answer, now);
  const correctedAge = statedAge(answer) + Math.max(0, now - requestedAt);
  return Math.floor(now - Math.min(Math.max(0, apparentAge, correctedAge), SECONDS_MAX));
}
