import type { SayValue } from '@cordon/plugin-kit/form';
import { isNamedByConditions, sayPart, sayRule } from './condition-words.ts';
import type { Part, Rule } from './schema.ts';

/** Rules as sentences, with all that tells two of them apart; what matched (`explain.ts`) in short. */
export const sayValue: SayValue = (field, value, t) => {
  if (field === 'matched') return sayPart(value as Part, t);
  if (field !== 'black_rules') return undefined;
  const rule = value as Rule;
  const said = sayRule(rule, t, Number.POSITIVE_INFINITY);
  if (isNamedByConditions(rule, t)) return rule.enabled ? said : t('form.ruleOff', { rule: said });
  return t(rule.enabled ? 'form.named' : 'form.namedOff', { name: rule.name, rule: said });
};
