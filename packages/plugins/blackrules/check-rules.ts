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
