import { expect, it } from 'vitest';
import { messageArguments } from './message-arguments.ts';

it.each([
  ['plain, with {a} and { b }', ['a', 'b']],
  ['{n, number} and {d, date, ::yyyyMd}', ['d', 'n']],
  ['{n, plural, =0 {none} one {# thing} other {# things of {owner}}}', ['n', 'owner']],
  ['{kind, select, a {it} other {{entry} it}}.', ['entry', 'kind']],
  ["it's '{not one}', {one} is", ['one']],
])('finds the arguments of %s', (message, expected) => expect([...messageArguments(message)].sort()).toEqual(expected));

it.each([
  ['{', 'has an argument without a name at 1'],
  ['}', 'has a } too many at 0'],
  ['{a}}', 'has a } too many at 3'],
  ['{n, plural, one {#}}', 'has a choice by n without other'],
  ['{n, plural, other {#}', 'has a choice by n that does not end'],
  ['{n, plural, other {#', 'has a { too many'],
  ["'{open", 'has a quote without an end at 0'],
])('refuses %s', (message, fault) => expect(() => messageArguments(message)).toThrow(fault));
