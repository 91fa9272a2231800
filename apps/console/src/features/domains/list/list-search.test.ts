// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest';
import { fromTableSort, readListSearch, storePerpage, toListQuery, toTableSort } from './list-search';

beforeEach(() => window.localStorage.clear());

describe('the URL of the list', () => {
  it('is read, and what is not understood is left out', () => {
    expect(
      readListSearch({
        page: '3',
        perpage: 50,
        q: 123,
        status: 'running',
        health: 'attention',
        changes: 'pending',
        sort: '-last_deployed',
        add: true,
      }),
    ).toEqual({
      page: 3,
      perpage: 50,
      q: '123',
      domain_name: undefined,
      status: 'running',
      health: 'attention',
      changes: 'pending',
      group: undefined,
      cname: undefined,
      sort: '-last_deployed',
      add: true,
    });
    expect(
      readListSearch({ page: -1, perpage: 1000, q: {}, status: 'deleted', health: 'ok', changes: 'live', sort: 'x' }),
    ).toEqual({
      page: undefined,
      perpage: undefined,
      q: undefined,
      domain_name: undefined,
      status: undefined,
      health: undefined,
      changes: undefined,
      group: undefined,
      cname: undefined,
      sort: undefined,
      add: undefined,
    });
  });
  it('carries group and subscription to the API, and no group that cannot be one', () => {
    const group = '0190f3a0-0000-7000-8000-000000000001';
    const search = readListSearch({ group, cname: 'abc.vip01.edge.cordon.test' });
    expect(toListQuery({ ...search, changes: 'pending' }).changes).toBe('pending');
    expect(toListQuery(search)).toMatchObject({ group, cname: 'abc.vip01.edge.cordon.test', page: 1 });
    expect(readListSearch({ group: 'everything' }).group).toBeUndefined();
  });
  it('asks for 10 rows, and for the size chosen last', () => {
    expect(toListQuery({}).perpage).toBe(10);
    storePerpage(50);
    expect(toListQuery({}).perpage).toBe(50);
    expect(toListQuery({ perpage: 20 }).perpage).toBe(20);
  });
  it('carries the sort of the table, and no word for the usual one', () => {
    expect(toTableSort({ sort: '-last_deployed' })).toEqual({ id: 'last_deployed', direction: 'descending' });
    expect(fromTableSort({ id: 'last_deployed', direction: 'descending' })).toBe('-last_deployed');
    expect(fromTableSort({ id: 'health', direction: 'ascending' })).toBeUndefined();
  });
  it.each(['requests', 'blocked', 'hit_ratio'] as const)('carries the sort by %s, in both directions', (id) => {
    for (const sort of [id, `-${id}`] as const) {
      expect(toListQuery(readListSearch({ sort })).sort).toBe(sort);
      expect(fromTableSort(toTableSort({ sort }))).toBe(sort);
    }
    expect(toTableSort({ sort: `-${id}` })).toEqual({ id, direction: 'descending' });
  });
  it('has the worst first, and names when the head is pressed again', () => {
    expect(toListQuery({}).sort).toBe('health');
    expect(toTableSort({})).toEqual({ id: 'health', direction: 'ascending' });
    expect(fromTableSort({ id: 'health', direction: 'descending' })).toBe('domain_name');
    expect(toListQuery({ sort: 'domain_name' }).sort).toBe('domain_name');
  });
  it('has the worst first of what a text or a filter finds, too', () => {
    expect(toListQuery({ q: 'shop' }).sort).toBe('health');
    expect(toTableSort({ q: 'shop' })).toEqual({ id: 'health', direction: 'ascending' });
    expect(toListQuery({ q: 'shop', sort: 'domain_name' }).sort).toBe('domain_name');
    expect(toListQuery({ domain_name: 'shop.example', status: 'running' }).sort).toBe('health');
  });
});
