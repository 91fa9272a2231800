import { text } from '@cordon/contract/text';
import type { z } from 'zod';
import { durationSeconds } from './edge/duration.ts';
import { judgePattern, type PatternJudgement } from './edge/pattern.ts';
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

/** Codes that `checkPatterns` gives. */
export const PATTERNS_ERROR_CODES = [...PATTERN_ERROR_CODES, 'PATTERNS_TOO_COSTLY'] as const;

/** Most steps that the patterns of one configuration may take together, some 20 ms: the API judges them in one go. */
const ALL_STEPS_MAX = 600_000;
const JUDGED_MAX = 2000;

/** A judgement, or that it takes at least `cost` steps to come to one. */
type Judged = PatternJudgement & { readonly isUnfinished?: true };

/** By source, what was judged last, the newest last: a configuration is read several times on its way to the edge. */
const judged = new Map<string, Judged>();

/** Undefined: it takes more steps than are allowed. */
function judge(source: string, allowance: number): PatternJudgement | undefined {
  const known = judged.get(source);
  const isKnown = known !== undefined && !(known.isUnfinished && known.cost <= allowance);
  const judgement: Judged = isKnown
    ? known
    : (judgePattern(source, allowance) ?? { fault: undefined, cost: allowance + 1, isUnfinished: true });
  judged.delete(source);
  judged.set(source, judgement);
  if (judged.size > JUDGED_MAX) judged.delete(judged.keys().next().value as string);
  return judgement.cost > allowance ? undefined : judgement;
}

/** What `checkPatterns` takes: a pattern that nothing has looked into yet. */
export const patternSource = () => text(PATTERN_BYTES_MAX, { exact: true }).min(1);

export interface PlacedPattern {
  readonly source: string;
  readonly path: readonly (string | number)[];
}

/**
 * Patterns of one configuration, each of which `EdgeKit.pattern` takes and which do not cost too much together. The codes name the
 * position `at` (from 1) and the `part` of the pattern that is wrong.
 */
export function checkPatterns(patterns: readonly PlacedPattern[], ctx: z.RefinementCtx): void {
  let allowance = ALL_STEPS_MAX;
  for (const { source, path } of patterns) {
    const judgement = judge(source, allowance);
    if (!judgement) {
      addCodeIssue(ctx, path, 'PATTERNS_TOO_COSTLY');
      return;
    }
    const { fault, cost } = judgement;
    if (fault) addCodeIssue(ctx, path, fault.code, { at: fault.at, part: fault.part });
    allowance -= cost;
  }
}

/** The one pattern of a configuration. */
export const patternText = () =>
  patternSource().superRefine((source, ctx) => checkPatterns([{ source, path: [] }], ctx));

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

/** Codes that `secretText` gives. */
export const SECRET_ERROR_CODES = ['SECRET_CHARACTERS'] as const;

/** What every program and every shell takes for the same bytes. */
const VISIBLE_ASCII = /^[\x21-\x7e]*$/;

/**
 * A secret of at least `min` and at most `max` characters, or the handle of 29 that stands for one. Its field is to be named in
 * `PluginDefinition.secrets`: only there a secret becomes a handle before it is stored.
 */
export const secretText = ({ min, max }: { readonly min: number; readonly max: number }) =>
  text(max, { exact: true })
    .min(min)
    .superRefine((secret, ctx) => {
      if (!VISIBLE_ASCII.test(secret)) addCodeIssue(ctx, [], 'SECRET_CHARACTERS');
    });
