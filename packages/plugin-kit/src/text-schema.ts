import { text } from '@cordon/contract/text';
import { durationSeconds } from './edge/duration.ts';
import { patternFault } from './edge/pattern.ts';
import { PATTERN_BYTES_MAX } from './edge/pattern-program.ts';
import type { PatternFaultCode } from './edge/pattern-reader.ts';
import { addCodeIssue } from './schema.ts';

/** Codes that `patternText` gives. */
export const PATTERN_ERROR_CODES = [
  'PATTERN_UNFINISHED',
  'PATTERN_NOTHING_TO_REPEAT',
  'PATTERN_UNSUPPORTED',
  'PATTERN_CLASS_INVALID',
  'PATTERN_TOO_LARGE',
  'PATTERN_TOO_COSTLY',
] as const satisfies PatternFaultCode[];

/** A pattern that `EdgeKit.pattern` takes; the codes name the position `at` (from 1) and the `part` of it that is wrong. */
export const patternText = () =>
  text(PATTERN_BYTES_MAX, { exact: true })
    .min(1)
    .superRefine((source, ctx) => {
      const fault = patternFault(source);
      if (fault) addCodeIssue(ctx, [], fault.code, { at: fault.at, part: fault.part });
    });

/** Codes that `durationText` gives. */
export const DURATION_ERROR_CODES = ['DURATION_INVALID', 'DURATION_TOO_SHORT', 'DURATION_TOO_LONG'] as const;

/** A time span as customers write it, `90s`, `15m`, `3h` or `7d`. */
export const durationText = (bounds: { readonly min: string; readonly max: string }) =>
  text(10, { trim: true, tooLong: 'DURATION_INVALID' })
    .toLowerCase()
    .superRefine((text, ctx) => {
      const seconds = durationSeconds(text);
      const { min, max } = bounds;
      if (seconds === undefined) addCodeIssue(ctx, [], 'DURATION_INVALID');
      else if (seconds < (durationSeconds(min) ?? 0)) addCodeIssue(ctx, [], 'DURATION_TOO_SHORT', { minimum: min });
      else if (seconds > (durationSeconds(max) ?? 0)) addCodeIssue(ctx, [], 'DURATION_TOO_LONG', { maximum: max });
    });
