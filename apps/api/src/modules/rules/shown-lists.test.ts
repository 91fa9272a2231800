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
});
