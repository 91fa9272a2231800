// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { sampleRoute } from '../../../domain/testing/sample-route';

const GROUPS = [
  { id: 'shop', name: 'Shop', default_group: false },
  { id: 'default', name: 'Default', default_group: true },
];
vi.mock('../../../domain/data/group-queries', () => ({ useGroups: () => GROUPS }));

const USUAL = ['origin', 'requests', 'blocked', 'hit_ratio', 'tls', 'dns'];
const plain = sampleRoute({ remarks: '', group_id: null });
const atWidth = (isWide: boolean) =>
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: isWide && query.includes('min-width') }));

beforeEach(() => {
  window.localStorage.clear();
  vi.resetModules();
});

it.each([
  ['nothing of a row', true, {}, USUAL],
  ['a remark of a row', true, { remarks: 'old shop' }, [...USUAL, 'remarks']],
  ['the group of a row', true, { group_id: 'shop' }, [...USUAL, 'group']],
  ['the default group, which says nothing', true, { group_id: 'default' }, USUAL],
  ['a remark where there is no room', false, { remarks: 'old shop' }, USUAL],
])('%s adds its column to the usual ones', async (_what, isWide, change, shown) => {
  atWidth(isWide);
  const { useShownColumns } = await import('./column-choice');
  const rows = [plain, sampleRoute({ remarks: '', group_id: null, ...change })];
  expect(renderHook(() => useShownColumns(rows)).result.current).toEqual(shown);
});

it('keeps a column that was filled on a page before', async () => {
  atWidth(true);
  const { useShownColumns } = await import('./column-choice');
  const { result, rerender } = renderHook((rows) => useShownColumns(rows), {
    initialProps: [sampleRoute({ remarks: 'old shop', group_id: null })],
  });
  rerender([plain]);
  expect(result.current).toContain('remarks');
});

it('keeps what was chosen, over a reload of the page too', async () => {
  atWidth(true);
  const before = await import('./column-choice');
  const { result } = renderHook(() => before.useShownColumns([plain]));
  act(() => before.toggleColumn('blocked', result.current));
  expect(result.current).toEqual(['origin', 'requests', 'hit_ratio', 'tls', 'dns']);
  vi.resetModules();
  const after = await import('./column-choice');
  const rows = [sampleRoute({ remarks: 'old shop', group_id: null })];
  expect(renderHook(() => after.useShownColumns(rows)).result.current).toEqual([
    'origin',
    'requests',
    'hit_ratio',
    'tls',
    'dns',
  ]);
});

it('leaves the hit ratio out of the cards of a phone until it is chosen, or the list sorted by it', async () => {
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: query.includes('max-width') }));
  const { toggleColumn, useShownColumns, withSorted } = await import('./column-choice');
  const { result } = renderHook(() => useShownColumns([plain]));
  expect(result.current).toEqual(['origin', 'requests', 'blocked', 'tls', 'dns']);
  expect(withSorted(result.current, 'hit_ratio')).toEqual(USUAL);
  act(() => toggleColumn('hit_ratio', result.current));
  expect(result.current).toEqual(USUAL);
});

it('shows what the list is sorted by beside what was chosen, which stays what it was', async () => {
  atWidth(true);
  const { withSorted } = await import('./column-choice');
  expect(withSorted(['origin', 'dns'], 'created_at')).toEqual(['origin', 'dns', 'created_at']);
  expect(withSorted(['origin', 'dns'], 'health')).toEqual(['origin', 'dns']);
});
