import { expect, it } from 'vitest';
import { faultsOfAnswer, findFaults, readLines, valuesMax } from './clear-lines';

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

it('takes of several domains nothing with a name, and leaves names that it does not know to the API', () => {
  const text = '/a\nhttps://shop.example.com/b\nimages';
  const codesOf = (kind: 'urls' | 'prefixes', names: 'several' | undefined) =>
    findFaults(kind, readLines(kind, text), names).map(({ line, code }) => [line, code]);
  for (const kind of ['urls', 'prefixes'] as const) {
    expect(codesOf(kind, 'several')).toEqual([
      [2, 'CACHE_URL_FOREIGN'],
      [3, 'CACHE_URL_INVALID'],
    ]);
    expect(codesOf(kind, undefined)).toEqual([[3, 'CACHE_URL_INVALID']]);
  }
});

it.each([
  ['tags', undefined, 100],
  ['urls', 1, 500],
  ['urls', 10, 500],
  ['prefixes', 11, 454],
  ['tags', 5_000, 1],
  ['urls', 0, 500],
  ['urls', 5_001, 1],
] as const)('takes so many %s of %s domains: %i', (kind, domains, maximum) => {
  expect(valuesMax(kind, domains)).toBe(maximum);
});

it('finds the line of a value that the API has refused', () => {
  const lines = readLines('urls', '/a\n\n/b');
  expect(faultsOfAnswer({ 'values.1': 'CACHE_URL_FOREIGN', values: 'TOO_MANY' }, lines)).toEqual([
    { line: 3, code: 'CACHE_URL_FOREIGN' },
  ]);
});
