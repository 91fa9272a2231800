import type { PluginFormWords } from '@cordon/plugin-kit/form';
import { isGroup } from './new-parts.ts';
import type { Condition, Group, Part, Rule } from './schema.ts';

/** Of a condition's values, where a line has to do. */
const SHOWN_VALUES = 2;
/** Of a condition that is still being written. */
const MISSING = '…';
/** A name fits in a line, with a number behind it where it is taken. */
const PROPOSED_CHARACTERS_MAX = 60;
const HAN_END = /\p{Script=Han}$/u;
const HAN_SPACED = /(?<=\p{Script=Han}) (?=\p{Script=Han})/gu;
const HAN_AFTER_SPACE = /^ \p{Script=Han}/u;

/** Any of the values will do. */
function sayAny(values: readonly string[], t: PluginFormWords): string {
  const [last = '', ...before] = [...values].reverse();
  return before.length === 0 ? last : t('form.or', { values: before.reverse().join(t('form.comma')), last });
}

function valuesOf(condition: Condition, t: PluginFormWords, valuesMax: number): string {
  if ('pattern' in condition) return condition.pattern || MISSING;
  if (!('values' in condition)) return '';
  const shown = condition.values
    .slice(0, valuesMax)
    .map((value) =>
      condition.field === 'country' ? t('form.country', { country: { countries: [String(value)] } }) : String(value),
    );
  const more = condition.values.length - valuesMax;
  const said = more > 0 ? t('form.more', { values: shown.join(t('form.comma')), more }) : sayAny(shown, t) || MISSING;
  return 'ignore_case' in condition && condition.ignore_case ? t('form.inEitherCase', { values: said }) : said;
}

/** A condition in a few words. */
function sayCondition(condition: Condition, t: PluginFormWords, valuesMax: number): string {
  const field = t(`form.fields.${condition.field}`);
  const name = 'name' in condition ? ` ${condition.name || MISSING}` : '';
  const test = 'test' in condition ? condition.test : 'in';
  const what = `${field}${name}`;
  const said = t(`form.says.${condition.not ? 'not_' : ''}${test}`, {
    what,
    values: valuesOf(condition, t, valuesMax),
  });
  // Chinese has a space before its words only after those of another script.
  const isChinese = HAN_END.test(what) && HAN_AFTER_SPACE.test(said.slice(what.length));
  const joined = isChinese ? what + said.slice(what.length + 1) : said;
  // Names of countries are words of the language itself.
  return condition.field === 'country' ? joined.replace(HAN_SPACED, '') : joined;
}

/** A condition, or a group of them, in one line. */
export const sayPart = (part: Part, t: PluginFormWords, valuesMax = SHOWN_VALUES): string =>
  isGroup(part) ? sayGroup(part, t, valuesMax) : sayCondition(part, t, valuesMax);

/** Of several values any will do: beside others that must fit too, it stands in brackets. */
const isOfSeveral = (condition: Condition): boolean => 'values' in condition && condition.values.length > 1;

/** A group in one line; groups within it in brackets. */
export function sayGroup({ conditions, match, not }: Group, t: PluginFormWords, valuesMax = SHOWN_VALUES): string {
  const parts = conditions.map((part) => {
    if (!isGroup(part)) {
      const what = sayCondition(part, t, valuesMax);
      return match === 'all' && conditions.length > 1 && isOfSeveral(part) ? t('form.bracketed', { what }) : what;
    }
    const what = sayGroup(part, t, valuesMax);
    return part.not ? what : t('form.bracketed', { what });
  });
  // A Chinese bracket has room of its own around it.
  const said = parts.reduce(
    (before, part) =>
      `${before}${before.endsWith('）') ? '' : ' '}${t(`form.joins.${match}`)}${part.startsWith('（') ? '' : ' '}${part}`,
  );
  return not ? t('form.saysNot', { what: said }) : said;
}

/** What a rule may be called by its conditions; undefined while one of them lacks its value. */
export function proposedName(when: Group, t: PluginFormWords): string | undefined {
  const said = sayGroup(when, t);
  return said.includes(MISSING) ? undefined : [...said].slice(0, PROPOSED_CHARACTERS_MAX).join('').trim();
}

/** Whether the name of a rule says no more than its conditions. */
export const isNamedByConditions = ({ name, when }: Pick<Rule, 'name' | 'when'>, t: PluginFormWords): boolean =>
  name === proposedName(when, t);

/** What a rule does, and to which requests. */
export const sayRule = (
  { action, when }: Pick<Rule, 'action' | 'when'>,
  t: PluginFormWords,
  valuesMax = SHOWN_VALUES,
) => t(`form.sentence.${action}`, { when: sayGroup(when, t, valuesMax) });
