import { isGroup } from './new-parts.ts';
import type { Condition, Group } from './schema.ts';

type Words = (key: string, params?: Readonly<Record<string, string | number>>) => string;

const SHOWN_VALUES = 2;

function valuesOf(condition: Condition, t: Words): string {
  if ('pattern' in condition) return condition.pattern;
  if (!('values' in condition)) return '';
  const shown = condition.values.slice(0, SHOWN_VALUES).join(', ');
  const more = condition.values.length - SHOWN_VALUES;
  return more > 0 ? t('form.more', { values: shown, more }) : shown;
}

/** A condition in a few words. */
export function sayCondition(condition: Condition, t: Words): string {
  const field = t(`form.fields.${condition.field}`);
  const name = 'name' in condition ? ` ${condition.name}` : '';
  const test = 'test' in condition ? condition.test : 'in';
  return t(`form.says.${condition.not ? 'not_' : ''}${test}`, {
    what: `${field}${name}`,
    values: valuesOf(condition, t),
  });
}

/** A group in one line; groups within it in brackets. */
export function sayGroup({ conditions, match, not }: Group, t: Words): string {
  const parts = conditions.map((part) => (isGroup(part) ? `(${sayGroup(part, t)})` : sayCondition(part, t)));
  const said = parts.join(` ${t(`form.joins.${match}`)} `);
  return not ? t('form.saysNot', { what: said }) : said;
}
