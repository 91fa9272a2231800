import type { PluginCase } from '@cordon/plugin-kit';
import type { z } from 'zod';
import type { schema } from './schema.ts';

export type Config = z.input<typeof schema>;
export type Case = PluginCase<Config>;
export type Rule = NonNullable<Config['black_rules']>[number];
type When = Rule['when'];
export type Part = When['conditions'][number];

export const rule = (conditions: Part[], more: Partial<Rule> = {}): Rule => ({
  name: 'one',
  when: { conditions },
  ...more,
});
export const rules = (...black_rules: Rule[]): Config => ({ black_rules });
export const blocks = (...conditions: Part[]): Config => rules(rule(conditions));
export const allows = (...conditions: Part[]): Config => rules(rule(conditions, { action: 'allow' }));

export const passes = { verdict: 'pass' } as const;
export const blocked = (name = 'one') =>
  ({ verdict: 'block', status: 403, reason: 'rule_matched', rule: name }) as const;
export const allowed = (name = 'one') => ({ verdict: 'allow', reason: 'rule_allowed', rule: name }) as const;
export const logged = (name = 'one') => ({ verdict: 'log', reason: 'rule_logged', rule: name }) as const;

/** What the same condition does to a request that has it and to one that has not. */
export const both = (name: string, condition: Part, has: Case['request'], hasNot: Case['request']): Case[] => [
  { name: `${name}: blocked`, config: blocks(condition), request: has, expect: blocked() },
  { name: `${name}: not`, config: blocks(condition), request: hasNot, expect: passes },
];
