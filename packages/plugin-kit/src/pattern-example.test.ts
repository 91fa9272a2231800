import { expect, it } from 'vitest';
import { exampleOf, examplePathOf, sentPathOf } from './pattern-example.ts';

it.each([
  ['^/login$', '/login'],
  ['(a|b)+[0-9]{2}', 'a00'],
  ['(?i)ADMIN', 'admin'],
  ['\\.php$', '.php'],
])('is a text that %s is found in', (pattern, text) => {
  expect(exampleOf(pattern)).toBe(text);
});

it.each(['a$b', '(', '[^ -~]'])('is none where none of ASCII is known: %s', (pattern) => {
  expect(exampleOf(pattern)).toBeUndefined();
});

it.each([
  ['.*', '/'],
  ['admin', '/admin'],
  ['^/a b/ü?', '/a%20b/'],
  ['\\.php$', '/.php'],
])('as a path that %s is found in is escaped: %s', (pattern, path) => {
  expect(examplePathOf(pattern)).toBe(path);
});

it('is no path that nginx would take for another', () => {
  expect(examplePathOf('^//')).toBeUndefined();
  expect(['a', '/a//b', '/a/./b', '/../b'].map(sentPathOf)).toEqual([undefined, undefined, undefined, undefined]);
});
