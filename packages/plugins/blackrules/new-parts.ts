import type { Condition, Group, Part, Rule } from './schema.ts';

export const FIELDS = [
  'path',
  'method',
  'query',
  'argument',
  'header',
  'cookie',
  'user_agent',
  'address',
  'country',
  'asn',
] as const satisfies readonly Condition['field'][];
export type Field = (typeof FIELDS)[number];

export const TEXT_TESTS = ['is', 'contains', 'begins_with', 'ends_with', 'matches'] as const;
export const NAMED_TESTS = [...TEXT_TESTS, 'exists'] as const;
/** How a condition compares; fields that are compared with a list of values alone have `in`. */
export type Test = (typeof NAMED_TESTS)[number] | 'in';

export const isGroup = (part: Part): part is Group => 'conditions' in part;

export const isNamed = (field: Field): field is 'header' | 'cookie' | 'argument' =>
  field === 'header' || field === 'cookie' || field === 'argument';
export const isText = (field: Field): field is 'path' | 'query' | 'user_agent' =>
  field === 'path' || field === 'query' || field === 'user_agent';

const FIRST_TESTS: Partial<Record<Field, Test>> = { path: 'begins_with', query: 'contains', user_agent: 'contains' };

/** A condition on another field or by another test, with what of the old one still means something. */
export function changeCondition(before: Condition, field: Field, test: Test): Condition {
  const { not } = before;
  const isKept = before.field === field;
  const texts = 'values' in before && (isText(before.field) || isNamed(before.field)) ? before.values : [];
  const named = isNamed(field) ? { name: 'name' in before && isKept ? before.name : '' } : {};
  if (isText(field) || isNamed(field)) {
    if (test === 'exists' && isNamed(field)) return { field, ...named, test, not } as Condition;
    if (test === 'matches')
      return { field, ...named, test, pattern: 'pattern' in before ? before.pattern : '', not } as Condition;
    const ignoreCase = 'ignore_case' in before && before.ignore_case;
    return {
      field,
      ...named,
      // What the field before was compared by may not be among the tests of this one.
      test: test === 'exists' || test === 'in' ? (FIRST_TESTS[field] ?? 'is') : test,
      values: texts,
      ignore_case: ignoreCase,
      not,
    } as Condition;
  }
  return { field, values: isKept && 'values' in before ? before.values : [], not } as Condition;
}

export const newCondition = (): Condition => ({
  field: 'path',
  test: 'begins_with',
  values: [],
  ignore_case: false,
  not: false,
});
export const newGroup = (): Group => ({ match: 'any', conditions: [newCondition()], not: false });

/** A name that no rule has yet. */
export function freeName(rules: readonly Pick<Rule, 'name'>[], wanted: string): string {
  const names = new Set(rules.map(({ name }) => name));
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted} ${number}`;
    if (!names.has(name)) return name;
  }
}

/** It has no name yet. */
export const newRule = (): Omit<Rule, 'name'> => ({
  action: 'block',
  enabled: true,
  when: { match: 'all', conditions: [newCondition()], not: false },
});
