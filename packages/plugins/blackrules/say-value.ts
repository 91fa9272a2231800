import type { SayValue } from '@cordon/plugin-kit/form';
import { sayRule } from './condition-words.ts';
import type { Rule } from './schema.ts';

/** Rules as sentences, with all that tells two of them apart. */
export const sayValue: SayValue = (field, value, t) => {
  if (field !== 'black_rules') return undefined;
  const rule = value as Rule;
  const said = sayRule(rule, t, Number.POSITIVE_INFINITY);
  return t(rule.enabled ? 'form.named' : 'form.namedOff', { name: rule.name, rule: said });
};
