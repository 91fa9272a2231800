import { addCodeIssue } from '@cordon/plugin-kit/schema';
import type { z } from 'zod';

interface CheckedGroup {
  readonly conditions: readonly (object | CheckedGroup)[];
}
interface CheckedRule {
  readonly name: string;
  readonly when: CheckedGroup;
}

const isGroup = (one: object): one is CheckedGroup => 'conditions' in one;

const countConditions = ({ conditions }: CheckedGroup): number =>
  conditions.reduce((count, one) => count + (isGroup(one) ? countConditions(one) : 1), 0);

interface ValueCounts {
  values: number;
  addresses: number;
}

/** Adds what there is in rules, groups and conditions as they came. */
function countValues(given: unknown, counts: ValueCounts): void {
  if (Array.isArray(given)) {
    for (const one of given) countValues(one, counts);
    return;
  }
  if (typeof given !== 'object' || given === null) return;
  const { when, conditions, values, field } = given as Readonly<Record<string, unknown>>;
  countValues(when, counts);
  countValues(conditions, counts);
  if (Array.isArray(values)) counts[field === 'address' ? 'addresses' : 'values'] += values.length;
}

/** More values in all than may be read at once. */
export function checkValueCounts(given: unknown, maximum: Readonly<ValueCounts>, ctx: z.RefinementCtx): void {
  const counts = { values: 0, addresses: 0 };
  countValues(given, counts);
  if (counts.values > maximum.values) addCodeIssue(ctx, [], 'TOO_MANY_VALUES', { maximum: maximum.values });
  if (counts.addresses > maximum.addresses) addCodeIssue(ctx, [], 'TOO_MANY_ADDRESSES', { maximum: maximum.addresses });
}

/** Names twice, and more conditions than a request can be held against. */
export function checkRules(rules: readonly CheckedRule[], conditionsMax: number, ctx: z.RefinementCtx): void {
  const names = new Map<string, number>();
  let conditions = 0;
  for (const [index, { name, when }] of rules.entries()) {
    if (names.has(name)) addCodeIssue(ctx, ['black_rules', index, 'name'], 'RULE_NAME_TAKEN', { name });
    else names.set(name, index);
    conditions += countConditions(when);
    if (conditions > conditionsMax) {
      addCodeIssue(ctx, ['black_rules', index, 'when'], 'TOO_MANY_CONDITIONS', { maximum: conditionsMax });
      return;
    }
  }
}
