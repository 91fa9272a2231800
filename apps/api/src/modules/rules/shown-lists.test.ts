import { diffConfigs } from '@cordon/contract';
import { describe, expect, it } from 'vitest';
import { EMPTY_CONFIG } from '../routes/service.ts';
import { cutLists, ENTRIES_SHOWN } from './shown-lists.ts';

const LONG = 200;
const numbers = (from: number, count: number) => Array.from({ length: count }, (_, at) => `n${from + at}`);
const side = (config: Record<string, unknown>) => ({
  ...EMPTY_CONFIG,
  plugins: [{ name: 'p', enabled: true, config }],
});
const cut = (before: Record<string, unknown>, after: Record<string, unknown>) => {
  const found = cutLists(side(before), side(after));
  return {
    before: found.before.plugins[0]?.config,
    after: found.after.plugins[0]?.config,
    lists: found.lists,
    fields: diffConfigs(found.before, found.after).map(({ field }) => field),
  };
};

describe('lists of a preview', () => {
  it('that are short stay as they are', () => {
    const [before, after] = [{ list: numbers(0, ENTRIES_SHOWN) }, { list: numbers(1, ENTRIES_SHOWN) }];
    expect(cut(before, after)).toMatchObject({ before, after, lists: [] });
  });

  it('that are long show what goes and comes first, with counts', () => {
    expect(cut({ list: numbers(0, LONG), x: 1 }, { list: numbers(60, LONG), x: 1 })).toEqual({
      before: { list: numbers(0, ENTRIES_SHOWN), x: 1 },
      after: { list: numbers(LONG, ENTRIES_SHOWN), x: 1 },
      lists: [{ plugin: 'p', path: 'list', before: LONG, after: LONG, added: 60, removed: 60 }],
      fields: ['list'],
    });
  });

  it('that are long and the same are cut alike', () => {
    const found = cut({ list: numbers(0, LONG) }, { list: numbers(0, LONG) });
    expect(found).toMatchObject({ before: { list: numbers(0, ENTRIES_SHOWN) }, fields: [] });
    expect(found.after).toEqual(found.before);
  });

  it.each([
    ['come in another order', numbers(0, LONG), [...numbers(0, LONG - 2), `n${LONG - 1}`, `n${LONG - 2}`]],
    ['have an entry twice', numbers(0, LONG), [...numbers(0, LONG), 'n0']],
    ['end', numbers(0, LONG), []],
    ['end, and were not given', numbers(0, LONG), undefined],
    ['begin', undefined, numbers(0, LONG)],
  ])('that %s still differ', (_, before, after) => {
    const found = cut({ in: { list: before } }, { in: { list: after } });
    expect(found.fields).toEqual(['in']);
    expect(JSON.stringify([found.before, found.after]).length).toBeLessThan(3 * 10 * ENTRIES_SHOWN);
    expect(found.lists).toMatchObject([{ path: 'in.list' }]);
  });

  it('of a plugin that only one side has are cut as well', () => {
    const found = cutLists({ ...EMPTY_CONFIG }, side({ list: numbers(0, LONG) }));
    expect(found.after.plugins[0]?.config.list).toEqual(numbers(0, ENTRIES_SHOWN));
    expect(found.lists).toMatchObject([{ before: 0, added: LONG }]);
  });

  it.each([
    ['swapped behind its beginning', [...numbers(0, 120), 'n121', 'n120', ...numbers(122, 78)], 120],
    ['longer by entries that were there', [...numbers(0, LONG), ...numbers(0, 3)], LONG],
  ])('that are %s show it from there on, on both sides', (_, after, from) => {
    const before = numbers(0, LONG);
    const counts = { before: LONG, after: after.length, added: 0, removed: 0 };
    for (const isTurned of [false, true]) {
      const found = isTurned ? cut({ list: after }, { list: before }) : cut({ list: before }, { list: after });
      const [first, second] = isTurned ? [found.after, found.before] : [found.before, found.after];
      expect(first).toEqual({ list: before.slice(from, from + ENTRIES_SHOWN) });
      expect(second).toEqual({ list: after.slice(from, from + ENTRIES_SHOWN) });
      expect(found.lists).toEqual([
        {
          plugin: 'p',
          path: 'list',
          ...counts,
          ...(isTurned ? { before: after.length, after: LONG } : {}),
        },
      ]);
    }
  });

  it('that have an entry several times count it once', () => {
    const found = cut({ list: [] }, { list: [...numbers(0, LONG), ...numbers(0, LONG)] });
    expect(found.lists).toMatchObject([{ before: 0, after: 2 * LONG, added: LONG, removed: 0 }]);
  });

  it('are counted at once, however deep, and beside what is no list', () => {
    const before = { a: { b: { list: numbers(0, LONG) } }, x: { y: 1 }, z: numbers(0, 2), text: 'a', gone: null };
    const after = { a: { b: { list: numbers(1, LONG) } }, x: { y: 2 }, z: 'n', text: 'b', come: { w: [] } };
    const found = cut(before, after);
    expect(found.lists).toEqual([{ plugin: 'p', path: 'a.b.list', before: LONG, after: LONG, added: 1, removed: 1 }]);
    expect(found.before).toStrictEqual({ ...before, a: { b: { list: ['n0'] } } });
    expect(found.after).toStrictEqual({ ...after, a: { b: { list: [`n${LONG}`] } } });
  });

  it('that only lose or only get entries show those', () => {
    const [long, short] = [{ list: numbers(0, LONG) }, { list: numbers(0, 60) }];
    const differing = { list: numbers(60, ENTRIES_SHOWN) };
    expect(cut(long, short)).toMatchObject({ before: differing, after: { list: [] } });
    expect(cut(short, long)).toMatchObject({ before: { list: [] }, after: differing });
    const end = { list: numbers(60, LONG - 60) };
    expect(cut(long, end)).toMatchObject({ before: { list: numbers(0, ENTRIES_SHOWN) }, after: { list: [] } });
  });

  it('that were not given on one side stay so', () => {
    const list = numbers(0, LONG);
    expect(cut({ list }, { list: undefined }).after).toStrictEqual({ list: undefined });
    expect(cut({ list: undefined }, { list }).before).toStrictEqual({ list: undefined });
  });

  it.each([undefined, null])('beside what is %s on one side leave it so', (absent) => {
    expect(cut({ in: { x: 1 } }, { in: absent }).after).toStrictEqual({ in: absent });
    expect(cut({ in: absent }, { in: { x: 1 } }).before).toStrictEqual({ in: absent });
  });

  it('that become something else stay whole', () => {
    const [list, other] = [{ list: numbers(0, LONG) }, { list: { of: 'another kind' } }];
    expect(cut(list, other)).toMatchObject({ before: list, after: other, lists: [] });
    expect(cut(other, list)).toMatchObject({ before: other, after: list, lists: [] });
  });
});
