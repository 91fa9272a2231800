// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { connectNotices, notify } from '../../ui/notices';
import { REMOVED_NOTICE, useImportTable } from './use-import-table';

vi.mock('./table-worker', () => ({
  startTableWorker: () => ({ call: async () => ({ encoding: undefined, total: 1 }), end: () => {} }),
}));
const outlet = { show: vi.fn(), close: vi.fn() };
const disconnect = connectNotices(outlet);
afterEach(() => disconnect());

it('takes the Undo of removed rows away once another row is removed, or the file is read anew', async () => {
  const { result } = renderHook(() => useImportTable());
  await act(() => result.current.paste('rows', 'a'));
  for (const change of [() => result.current.remove(2), () => result.current.paste('rows', 'b')]) {
    outlet.close.mockClear();
    notify({ id: REMOVED_NOTICE, title: '2 rows removed' });
    await act(change);
    expect(outlet.close).toHaveBeenCalledExactlyOnceWith(REMOVED_NOTICE);
  }
  outlet.close.mockClear();
  await act(() => result.current.edit(2, 'domain_name', 'b.example'));
  expect(outlet.close).not.toHaveBeenCalled();
});
