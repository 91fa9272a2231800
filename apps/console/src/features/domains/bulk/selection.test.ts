// @vitest-environment happy-dom
import { DOMAIN_SELECTION_CHARACTERS_MAX, type RouteSummary } from '@cordon/contract';
import { act, renderHook } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { sampleRoute } from '../../../domain/testing/sample-route';
import { canResume, describePicked } from './picked';
import { useSelection } from './selection';

const place = vi.hoisted(() => ({ state: {} as { keepsSelection?: boolean } }));
vi.mock('@tanstack/react-router', () => ({
  useLocation: ({ select }: { select: (location: typeof place) => unknown }) => select(place),
}));
beforeEach(() => {
  place.state = {};
});

const row = (id: string): RouteSummary => sampleRoute({ id, domain_name: `${id}.example` });
const first = [row('a'), row('b')];
const second = [row('c'), row('d')];

function open() {
  return renderHook(({ rows, key }: { rows: RouteSummary[]; key: string }) => useSelection(rows, key), {
    initialProps: { rows: first, key: 'all' },
  });
}

describe('the selection of the list', () => {
  it.each([
    ['is there again where the way back to it keeps it', { keepsSelection: true }, ['a']],
    ['is gone where the list is opened anew', {}, []],
  ] as const)('%s', (_, state, selected) => {
    const before = open();
    act(() => before.result.current.select(new Set(['a'])));
    before.unmount();
    place.state = state;
    const { result } = open();
    expect([...result.current.selected]).toEqual(selected);
    expect([...result.current.picked.names.values()]).toEqual(selected.map((id) => `${id}.example`));
  });
  it('of all that match is there again under the same filter only', () => {
    const before = open();
    act(() => before.result.current.selectAllMatching());
    before.unmount();
    place.state = { keepsSelection: true };
    expect(open().result.current.picked.isAllMatching).toBe(true);
    const { result } = renderHook(() => useSelection(first, 'another'));
    expect(result.current.picked.isAllMatching).toBe(false);
  });
  it('keeps what was picked on other pages, with the names', () => {
    const { result, rerender } = open();
    act(() => result.current.select(new Set(['a'])));
    rerender({ rows: second, key: 'all' });
    act(() => result.current.select(new Set(['a', 'c'])));
    expect([...result.current.selected]).toEqual(['a', 'c']);
    expect(describePicked(result.current.picked, {}, 4)).toEqual({
      selection: { names: ['a.example', 'c.example'] },
      count: 2,
      characters: 18,
      isTooLong: false,
      // Of 1800 characters, by the names so far.
      left: 198,
    });
    act(() => result.current.select(new Set(['c'])));
    rerender({ rows: first, key: 'all' });
    expect([...result.current.selected]).toEqual(['c']);
  });
  it('remembers of what other pages show whether it could be resumed', () => {
    const { result, rerender } = open();
    act(() => result.current.select(new Set(['a'])));
    rerender({ rows: second, key: 'all' });
    expect(canResume(result.current.picked, second)).toBe(false);
    act(() => result.current.select(new Set(['a', 'c'])));
    rerender({ rows: [sampleRoute({ id: 'off', status: 'deactivated' })], key: 'all' });
    act(() => result.current.select(new Set(['a', 'c', 'off'])));
    rerender({ rows: first, key: 'all' });
    expect(canResume(result.current.picked, first)).toBe(true);
  });
  it('takes domains that no page has shown, once each', () => {
    const { result } = open();
    act(() => result.current.select(new Set(['a'])));
    act(() => result.current.add([row('a'), row('z')]));
    expect([...result.current.selected]).toEqual(['a', 'z']);
    act(() => result.current.selectAllMatching());
    act(() => result.current.add([row('z')]));
    expect(describePicked(result.current.picked, {}, 4000)).toMatchObject({ selection: { names: ['z.example'] } });
  });
  it('of all that match is the filter, whatever the page, and ends with another filter', () => {
    const { result, rerender } = open();
    act(() => result.current.select(new Set(['a', 'b'])));
    expect(result.current.isWholePage).toBe(true);
    act(() => result.current.selectAllMatching());
    rerender({ rows: second, key: 'all' });
    expect([...result.current.selected]).toEqual(['c', 'd']);
    expect(describePicked(result.current.picked, { status: 'running' }, 4000)).toEqual({
      selection: { filter: { status: 'running' } },
      count: 4000,
      characters: undefined,
      isTooLong: false,
      left: Number.POSITIVE_INFINITY,
    });
    rerender({ rows: second, key: 'other' });
    expect(result.current.selected.size).toBe(0);
  });
  it('of names is too long from 1801 characters on', () => {
    const names = (characters: number) => ({
      names: new Map([['x', 'n'.repeat(characters)]]),
      isAllMatching: false,
    });
    expect(describePicked(names(DOMAIN_SELECTION_CHARACTERS_MAX), {}, 1).isTooLong).toBe(false);
    expect(describePicked(names(DOMAIN_SELECTION_CHARACTERS_MAX + 1), {}, 1).isTooLong).toBe(true);
  });
});
