import { expect, it } from 'vitest';
import { readSearch } from './network-search.ts';

it.each([
  ['', [], undefined],
  ['81.2.69.142', ['81.2.69.142'], undefined],
  ['81.2.69', ['81.2.69.0/24'], undefined],
  ['81.2.69.', ['81.2.69.0/24'], undefined],
  ['81.2', ['81.2.0.0/16'], undefined],
  ['81.', ['81.0.0.0/8'], undefined],
  ['81.2.69.9/24', ['81.2.69.0/24'], undefined],
  ['2001:DB8::1, 9.9.9.9\n8.8.', ['2001:db8::1', '9.9.9.9', '8.8.0.0/16'], undefined],
  ['81', [], '81'],
  ['81.2.690', [], '81.2.690'],
  ['scans of 9.9.9.9', [], 'scans of 9.9.9.9'],
  ['a\0b', [], 'a b'],
])('reads %j', (text, networks, words) => {
  expect(readSearch(text)).toEqual({ networks, words });
});
