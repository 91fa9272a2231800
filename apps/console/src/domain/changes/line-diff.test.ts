import { describe, expect, it } from 'vitest';
import { diffLines, foldEqual, jsonLines } from './line-diff';

const marks = { same: ' ', added: '+', removed: '-' };
const told = (before: string, after: string) =>
  diffLines([...before], [...after])
    .map(({ kind, text }) => `${marks[kind]}${text}`)
    .join(' ');
const sides = (before: readonly string[], after: readonly string[]) => {
  const lines = diffLines(before, after);
  const side = (left: 'added' | 'removed') => lines.filter(({ kind }) => kind !== left).map(({ text }) => text);
  return { before: side('added'), after: side('removed'), changes: lines.filter(({ kind }) => kind !== 'same').length };
};

describe('diffLines', () => {
  it.each([
    ['', '', ''],
    ['', 'ab', '+a +b'],
    ['ab', '', '-a -b'],
    ['abc', 'abc', ' a  b  c'],
    ['abc', 'axc', ' a -b +x  c'],
    ['abcabba', 'cbabac', '-a -b  c +b  a  b -b  a +c'],
  ])('%s to %s', (before, after, expected) => expect(told(before, after)).toBe(expected));

  it('tells both sides whole with the fewest changes, whatever the texts', () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    const longestCommon = (a: readonly string[], b: readonly string[]) => {
      const rows = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
      for (let x = 1; x <= a.length; x++)
        for (let y = 1; y <= b.length; y++)
          (rows[x] as number[])[y] =
            a[x - 1] === b[y - 1]
              ? (rows[x - 1]?.[y - 1] ?? 0) + 1
              : Math.max(rows[x - 1]?.[y] ?? 0, rows[x]?.[y - 1] ?? 0);
      return rows[a.length]?.[b.length] ?? 0;
    };
    for (let round = 0; round < 300; round++) {
      const text = () => Array.from({ length: random(14) }, () => 'abcd'[random(4)] ?? '');
      const [before, after] = [text(), text()];
      const found = sides(before, after);
      expect(found.before).toEqual(before);
      expect(found.after).toEqual(after);
      expect(found.changes).toBe(before.length + after.length - 2 * longestCommon(before, after));
    }
  });

  it('takes ten thousand entries replaced by ten thousand others without standing still', () => {
    const list = (prefix: string) => ['[', ...Array.from({ length: 10_000 }, (_, index) => `${prefix}${index}`), ']'];
    const before = process.cpuUsage();
    expect(sides(list('a'), list('b')).changes).toBe(20_000);
    expect(process.cpuUsage(before).user).toBeLessThan(3_000_000);
  });
});

it('folds what is equal and far from a difference', () => {
  const before = [...'abcdefghij'];
  const after = [...'abcdeXghij'];
  expect(foldEqual(diffLines(before, after), 1)).toEqual([
    { kind: 'folded', count: 4 },
    { kind: 'same', text: 'e' },
    { kind: 'removed', text: 'f' },
    { kind: 'added', text: 'X' },
    { kind: 'same', text: 'g' },
    { kind: 'folded', count: 3 },
  ]);
});

it('writes JSON with sorted keys, so that their order is no difference', () => {
  expect(jsonLines({ b: [1], a: { d: 1, c: 2 } })).toEqual(jsonLines({ a: { c: 2, d: 1 }, b: [1] }));
  expect(jsonLines(null)).toEqual([]);
});
