import { expect, it } from 'vitest';
import { readText } from './search-readers';

it.each([
  ['shop', 'shop'],
  [10.1, '10.1'],
  ['', undefined],
  [null, undefined],
  ['\0', undefined],
  ['\0abc', 'abc'],
  ['a\u0085\tb\n', 'ab'],
  ['a\ud800b', 'ab'],
  ['例子😀', '例子😀'],
  ['1234567😀', '1234567'],
])('reads %j of an address as %j, which the API takes', (value, text) => expect(readText(value, 8)).toBe(text));
