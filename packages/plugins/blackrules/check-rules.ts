import { addCodeIssue } from '@cordon/plugin-kit/schema';
import { checkPatterns, type PlacedPattern } from '@cordon/plugin-kit/text-schema';
import type { z } from 'zod';
import { valuesWithoutSlash, valuesWithSlashes } from './path-values.ts';

type Unread = Readonly<Record<string, unknown>>;

interface Counts {
  values: number;
  addresses: number;
  conditions: number;
}

const GROUP_LEVELS = 3;

/** Adds what there is in groups and conditions as they came. A group without any counts as a condition. */
function countParts(part: unknown, levels: number, counts: Counts): void {
  const { conditions, values, field } = typeof part === 'object' && part !== null ? (part as Unread) : {};
  if (Array.isArray(values)) counts[field === 'address' ? 'addresses' : 'values'] += values.length;
  if (!Array.isArray(conditions) || conditions.length === 0 || levels === 0) counts.conditions++;
  else for (const one of conditions) countParts(one, levels - 1, counts);
}

/** More in all than may be read at once: a customer's rules are read, and held against requests, in one go. */
export function checkCounts(
  given: unknown,
  maximum: Readonly<Counts> & { readonly rules: number },
  ctx: z.RefinementCtx,
): void {
  if (!Array.isArray(given)) return;
  if (given.length > maximum.rules) {
    addCodeIssue(ctx, [], 'TOO_MANY', { maximum: maximum.rules });
    return;
  }
  const counts = { values: 0, addresses: 0, conditions: 0 };
  for (const [index, rule] of given.entries()) {
    countParts((rule as Unread | null)?.when, GROUP_LEVELS, counts);
    if (counts.conditions > maximum.conditions) {
      addCodeIssue(ctx, [index, 'when'], 'TOO_MANY_CONDITIONS', { maximum: maximum.conditions });
      return;
    }
  }
  if (counts.values > maximum.values) addCodeIssue(ctx, [], 'TOO_MANY_VALUES', { maximum: maximum.values });
  if (counts.addresses > maximum.addresses) addCodeIssue(ctx, [], 'TOO_MANY_ADDRESSES', { maximum: maximum.addresses });
}

interface CheckedGroup {
  readonly conditions: readonly (object | CheckedGroup)[];
}
interface CheckedRule {
  readonly name: string;
  readonly when: CheckedGroup;
}

function patternsOf({ conditions }: CheckedGroup, path: PlacedPattern['path']): PlacedPattern[] {
  return conditions.flatMap((part, index) => {
    const at = [...path, 'conditions', index];
    if ('conditions' in part) return patternsOf(part, at);
    return 'pattern' in part ? [{ source: part.pattern as string, path: [...at, 'pattern'] }] : [];
  });
}

type Place = readonly (string | number)[];

function checkPaths({ conditions }: CheckedGroup, path: Place, ctx: z.RefinementCtx): void {
  for (const [index, part] of conditions.entries()) {
    const at = [...path, 'conditions', index];
    if ('conditions' in part) checkPaths(part, at, ctx);
    else {
      for (const value of valuesWithoutSlash(part)) addCodeIssue(ctx, [...at, 'values', value], 'PATH_SLASH_MISSING');
      for (const value of valuesWithSlashes(part)) addCodeIssue(ctx, [...at, 'values', value], 'PATH_SLASH_REPEATED');
    }
  }
}

/** Names twice, paths that no request has, and patterns that are none or cost too much together. */
export function checkRules(rules: readonly CheckedRule[], ctx: z.RefinementCtx): void {
  const names = new Set<string>();
  for (const [index, { name }] of rules.entries()) {
    if (names.has(name)) addCodeIssue(ctx, ['black_rules', index, 'name'], 'RULE_NAME_TAKEN', { name });
    names.add(name);
  }
  for (const [index, { when }] of rules.entries()) checkPaths(when, ['black_rules', index, 'when'], ctx);
  checkPatterns(
    rules.flatMap(({ when }, index) => patternsOf(when, ['black_rules', index, 'when'])),
    ctx,
  );
}
