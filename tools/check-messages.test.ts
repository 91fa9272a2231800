// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts of template literals are what is tested
import { expect, test } from 'vitest';
import { compareLanguages, patternOf } from './check-messages.ts';
import { argumentsOf } from './message-arguments.ts';

test('arguments are found inside branches, words of branches are not arguments', () => {
  const message =
    '{count, plural, one {# entry of {name}} other {entries}} <link>{total}</link> {unit, select, s {seconds} other {{unit}}}';
  expect([...argumentsOf(message).keys()].sort()).toEqual(['<link>', 'count', 'name', 'total', 'unit']);
});

const compare = (en: Record<string, string>, zh: Record<string, string>) =>
  compareLanguages('f', new Map(Object.entries(en)), new Map(Object.entries(zh)));

test('the same keys and arguments in both languages are fine', () => {
  expect(compare({ a: '{n, plural, one {# page} other {# pages}}' }, { a: '{n} 页' })).toEqual([]);
  expect(compare({ a: '{n, plural, one {page} other {pages}}' }, { a: '页' })).toEqual([]);
  expect(compare({ a: '{n, plural, one {# page} other {# pages}}' }, { a: '页' })).toHaveLength(1);
});

test('a key in one language only, other arguments, empty text and bad ICU are told', () => {
  expect(compare({ a: 'x' }, { b: 'x' })).toEqual(['f: a is missing in Chinese', 'f: b is missing in English']);
  expect(compare({ a: '{name}' }, { a: '{nmae}' })).toEqual([
    'f: a does not show name in Chinese',
    'f: a shows nmae in Chinese only',
  ]);
  expect(compare({ a: 'x' }, { a: ' ' })).toEqual(['f: a is empty in zh']);
  expect(compare({ a: "The visitor's" }, { a: 'x' })).toEqual(['f: a has a straight apostrophe: write ’']);
  expect(compare({ a: 'The visitor’s' }, { a: 'x' })).toEqual([]);
  expect(compare({ a: '{n, plural, one {#}}' }, { a: '{n}' })[0]).toMatch(/^f: a in en: /);
});

test('a plural branch that Chinese never takes is told', () => {
  const en = { a: '{n, plural, one {the page} other {# pages}}' };
  expect(compare(en, { a: '{n, plural, one {该页} other {# 页}}' })).toEqual([
    'f: a has a plural branch that Chinese never takes: write =1 or other',
  ]);
  expect(compare(en, { a: '{n, plural, =1 {该页} other {# 页}}' })).toEqual([]);
});

test('a template matches the keys it can become', () => {
  expect(patternOf('steps.${state}')?.test('steps.running')).toBe(true);
  expect(patternOf('steps.${state}')?.test('stepsxrunning')).toBe(false);
  expect(patternOf('${anything}')).toBeUndefined();
});
