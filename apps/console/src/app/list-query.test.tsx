// @vitest-environment happy-dom
import { ApiError } from '@cordon/contract';
import { keepPreviousData, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { needCatalogs } from './intl-store';
import { useListQuery } from './list-query';
import { tableDataOf } from './table-data';

const read = vi.fn<(order: string) => Promise<{ results: string[]; count: number }>>();
const away = new ApiError(503, undefined, undefined, []);
const page = (...results: string[]) => ({ results, count: results.length });
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

async function renderList() {
  const client = new QueryClient({ defaultOptions: { queries: { networkMode: 'always', retry: false } } });
  read.mockResolvedValue(page('a'));
  const states: string[] = [];
  const { result, rerender } = renderHook(
    ({ order }) => {
      const list = useListQuery({
        queryKey: [order],
        queryFn: () => read(order),
        placeholderData: keepPreviousData,
      });
      const { rows, error, isFetching } = tableDataOf(list);
      states.push(`${rows?.join() ?? '-'} ${error ? 'failed' : 'fine'}${isFetching ? ' fetching' : ''}`);
      return list;
    },
    {
      initialProps: { order: 'name' },
      wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
    },
  );
  await pass(10);
  const seen = () => [...new Set(states.splice(0))];
  seen();
  return { result, rerender, seen };
}

async function renderFailed() {
  const list = await renderList();
  read.mockRejectedValue(away);
  list.rerender({ order: 'traffic' });
  await pass(10);
  expect(list.seen()).toEqual(['a fine fetching', '- failed']);
  read.mockClear();
  return list;
}

beforeEach(async () => {
  await needCatalogs('ui', 'errors', 'fieldErrors');
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  read.mockReset();
});

it('asks by itself for a page that could not be read, which stays failed meanwhile, until it is there', async () => {
  const { seen } = await renderFailed();
  await pass(31_000);
  expect(read).toHaveBeenCalledTimes(2);
  expect(seen().filter((state) => state !== '- failed')).toEqual([]);
  read.mockResolvedValue(page('b'));
  await pass(15_000);
  expect(seen().filter((state) => state !== '- failed')).toEqual(['b fine']);
  read.mockClear();
  await pass(60_000);
  expect(read).not.toHaveBeenCalled();
});

it('asks once the window has the focus', async () => {
  const { seen } = await renderFailed();
  read.mockResolvedValue(page('b'));
  window.dispatchEvent(new Event('focus'));
  await pass(10);
  expect(seen().at(-1)).toBe('b fine');
});

it('counts as fetching what is asked for by hand', async () => {
  const { result, seen } = await renderFailed();
  await act(async () => void result.current.refetch());
  await pass(10);
  expect(seen().filter((state) => state !== '- failed')).toEqual(['- failed fetching']);
  expect(result.current.isFetching).toBe(false);
});

it('takes the failure of one order for that of no other', async () => {
  const { rerender, seen } = await renderFailed();
  read.mockResolvedValue(page('a'));
  rerender({ order: 'date' });
  await pass(10);
  expect(seen()).toEqual(['a fine fetching', 'a fine']);
});

it('does not ask again for what was refused', async () => {
  const { rerender } = await renderList();
  read.mockRejectedValue(new ApiError(403, undefined, undefined, []));
  rerender({ order: 'traffic' });
  await pass(10);
  read.mockClear();
  await pass(60_000);
  window.dispatchEvent(new Event('focus'));
  expect(read).not.toHaveBeenCalled();
});
