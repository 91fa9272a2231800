import { expect, it } from 'vitest';
import { findEntries, splitEntries } from './list-entries';

it('parts entries at spaces, lines, commas and semicolons of both languages', () => {
  expect(splitEntries(' 1.1.1.1,2.2.2.2；3.3.3.3\n\n4.4.4.4 ')).toEqual(['1.1.1.1', '2.2.2.2', '3.3.3.3', '4.4.4.4']);
});

it('finds the line and the place of entries', () => {
  const text = 'a, b\n\nc d\n';
  expect([...findEntries(text, new Set([1, 3, 9]))]).toEqual([
    [1, { line: 1, start: 3, end: 4 }],
    [3, { line: 3, start: 8, end: 9 }],
  ]);
});

it('leaves out marks without width that come with what is copied', () => {
  expect(splitEntries('\u200e8.8.4.4\u200b,\ufeff9.9.9.9\u2060')).toEqual(['8.8.4.4', '9.9.9.9']);
  const [place] = findEntries('\u200b8.8.4.4\u200b', new Set([0])).values();
  expect(place).toEqual({ line: 1, start: 1, end: 8 });
});
