import type { BypassRule } from './cache-settings.ts';
import { durationParams } from './duration-params.ts';
import type { SayValue } from './form.ts';

/** Spans of time as in the summary, and rules as sentences, for plugins with `cacheFields`. */
export const sayCacheValue: SayValue = (field, value, t) => {
  if (field === 'cache_ttl') return t('form.span', durationParams(Number(value)));
  if (field !== 'bypass_rules') return undefined;
  const rule = value as BypassRule;
  const what = 'name' in rule ? rule.name : '';
  return t(rule.pattern === '' ? 'form.ruleExists' : 'form.ruleMatches', { on: rule.on, what, pattern: rule.pattern });
};
