import { z } from 'zod';
import { durationSeconds } from './edge/duration.ts';
import { compilePattern, PATTERN_BYTES_MAX } from './edge/pattern.ts';
import type { PatternFaultCode } from './edge/pattern-reader.ts';
import { addCodeIssue } from './schema.ts';

/** Codes that `patternText` gives. */
export const PATTERN_ERROR_CODES = [
  'PATTERN_UNFINISHED',
  'PATTERN_NOTHING_TO_REPEAT',
  'PATTERN_UNSUPPORTED',
  'PATTERN_CLASS_INVALID',
  'PATTERN_TOO_LARGE',
] as const satisfies PatternFaultCode[];

/** A pattern that `EdgeKit.pattern` takes; the codes name the position `at` (from 1) and the `part` of it that is wrong. */
export const patternText = () =>
  z
    .string()
    .min(1)
    .max(PATTERN_BYTES_MAX)
    .superRefine((source, ctx) => {
      const { fault } = compilePattern(source);
      if (fault) addCodeIssue(ctx, [], fault.code, { at: fault.at, part: fault.part });
    });

/** Codes that `durationText` gives. */
export const DURATION_ERROR_CODES = ['DURATION_INVALID', 'DURATION_TOO_SHORT', 'DURATION_TOO_LONG'] as const;

/** A time span as customers write it, `90s`, `15m`, `3h` or `7d`. */
export const durationText = (bounds: { readonly min: string; readonly max: string }) =>
  z
    .string()
    .trim()
    .toLowerCase()
    .max(10, 'DURATION_INVALID')
    .superRefine((text, ctx) => {
      const seconds = durationSeconds(text);
      const { min, max } = bounds;
      if (seconds === undefined) addCodeIssue(ctx, [], 'DURATION_INVALID');
      else if (seconds < (durationSeconds(min) ?? 0)) addCodeIssue(ctx, [], 'DURATION_TOO_SHORT', { minimum: min });
      else if (seconds > (durationSeconds(max) ?? 0)) addCodeIssue(ctx, [], 'DURATION_TOO_LONG', { maximum: max });
    });
