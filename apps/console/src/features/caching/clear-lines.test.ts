import { expect, it } from 'vitest';
import { faultsOfAnswer, findFaults, readLines } from './clear-lines';

const own = { names: ['shop.example.com', 'xn--bcher-kva.example'], levels: undefined } as const;

it('reads one value per line, and tags as header fields have them', () => {
  expect(readLines('urls', ' /a b \n\n/c')).toEqual([
    { number: 1, value: '/a b' },
    { number: 3, value: '/c' },
  ]);
  expect(readLines('tags', 'a, b\n c')).toEqual([
    { number: 1, value: 'a' },
    { number: 1, value: 'b' },
    { number: 2, value: 'c' },
  ]);
});

it.each([
  [
    'urls',
    '/a\nhttps://other.example/\nhttps://b\u00fccher.example/x\n/a#b\n/assets/*',
    [
      [2, 'CACHE_URL_FOREIGN'],
      [4, 'CACHE_URL_FRAGMENT'],
      [5, 'CACHE_URL_PATTERN'],
    ],
  ],
  [
    'prefixes',
    '/a?b\nimages\n/assets/*\n/*/site.css',
    [
      [1, 'CACHE_PREFIX_QUERY'],
      [2, 'CACHE_URL_INVALID'],
      [4, 'CACHE_URL_PATTERN'],
    ],
  ],
  [
    'tags',
    `ok\n${'x'.repeat(129)}\nproduct-*`,
    [
      [2, 'CACHE_TAG_INVALID'],
      [3, 'CACHE_TAG_PATTERN'],
    ],
  ],
] as const)('finds what is wrong with %s by line', (kind, text, faults) => {
  expect(findFaults(kind, readLines(kind, text), own).map(({ line, code }) => [line, code])).toEqual(faults);
});

it('asks for whole URLs where a domain has no exact name', () => {
  const wildcard = { names: ['*.shop.example'], levels: 'one' } as const;
  expect(findFaults('urls', readLines('urls', '/a\nhttp://x.shop.example/'), wildcard)).toEqual([
    { line: 1, code: 'CACHE_URL_NEEDS_HOST' },
  ]);
});

it('finds the line of a value that the API has refused', () => {
  const lines = readLines('urls', '/a\n\n/b');
  expect(faultsOfAnswer({ 'values.1': 'CACHE_URL_FOREIGN', values: 'TOO_MANY' }, lines)).toEqual([
    { line: 3, code: 'CACHE_URL_FOREIGN' },
  ]);
});
