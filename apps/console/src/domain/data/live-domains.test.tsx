// @vitest-environment happy-dom
import type { BatchProgress, WebsocketSlot } from '@cordon/contract';
import { QueryClient, QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LiveEvent } from '../../app/live-events';
import { domainKeys } from './keys';
import { useLiveDomains } from './live-domains';

const live = vi.hoisted(() => ({ handlers: new Map<string, (event: unknown) => void>() }));
vi.mock('../../app/live-events', () => ({
  useLiveEvents: (slot: WebsocketSlot, handler: (event: unknown) => void) => void live.handlers.set(slot, handler),
}));
const emit = (event: Partial<LiveEvent>) => act(() => live.handlers.get('domain')?.(event));
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A list and the page of one domain on the screen, and how often each was asked for since. */
async function watch(first?: Promise<unknown>) {
  const list = vi.fn(async (): Promise<unknown> => ({ results: [] }));
  const route = vi.fn(async (): Promise<unknown> => ({}));
  for (const asked of first ? [list, route] : []) asked.mockReturnValueOnce(first as Promise<unknown>);
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  let answer = () => {};
  const saved = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const { result } = renderHook(
    () => {
      useLiveDomains();
      useQuery({ queryKey: domainKeys.list({ page: 1 }), queryFn: list });
      useQuery({ queryKey: domainKeys.route('open'), queryFn: route });
      return useMutation({ mutationKey: domainKeys.route('open'), mutationFn: () => saved });
    },
    { wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider> },
  );
  await pass(0);
  list.mockClear();
  route.mockClear();
  return { list, route, save: () => act(() => result.current.mutate()), answer: () => answer() };
}

it('shows one change at once, and asks no more than once for it', async () => {
  const { list, route } = await watch();
  emit({ id: 'open' });
  await pass(0);
  expect([list.mock.calls.length, route.mock.calls.length]).toEqual([1, 1]);
  await pass(60_000);
  expect([list.mock.calls.length, route.mock.calls.length]).toEqual([1, 1]);
});

it('does not ask for what the progress of a batch tells', async () => {
  const { list, route } = await watch();
  const batch = { id: 'b', kind: 'deploy', state: 'running', total: 1000, failed: 0 } as BatchProgress;
  for (let succeeded = 1; succeeded <= 1000; succeeded++) emit({ id: 'b', batch: { ...batch, succeeded } });
  await pass(60_000);
  expect([list.mock.calls.length, route.mock.calls.length]).toEqual([0, 0]);
});

it('asks a dozen times at most while a batch changes a thousand domains within half a minute, and once it is over', async () => {
  const { list, route } = await watch();
  for (let count = 1; count <= 1000; count++) {
    emit({ id: `domain-${count}` });
    await pass(30);
  }
  emit({ id: 'open' });
  await pass(400);
  expect(route).toHaveBeenCalledOnce();
  const during = list.mock.calls.length;
  expect(during).toBeGreaterThan(4);
  expect(during).toBeLessThanOrEqual(12);
  emit({ id: 'last' });
  await pass(5000);
  expect(list.mock.calls.length).toBe(during + 1);
  // Then the first change is shown at once again.
  await pass(5000);
  emit({ id: 'open' });
  await pass(0);
  expect(list.mock.calls.length).toBe(during + 2);
});

it('asks for a domain that is being saved only once the answer of the save is there', async () => {
  const { route, save, answer } = await watch();
  save();
  emit({ id: 'open' });
  await pass(5000);
  expect(route).not.toHaveBeenCalled();
  answer();
  await pass(30_000);
  expect(route).toHaveBeenCalledOnce();
});

it('asks once more for what was under way for the first time when the change came', async () => {
  let arrive = () => {};
  const { list, route } = await watch(
    new Promise((resolve) => {
      arrive = () => resolve({ results: [] });
    }),
  );
  emit({ id: 'open' });
  await pass(5000);
  expect([list.mock.calls.length, route.mock.calls.length]).toEqual([0, 0]);
  arrive();
  await pass(5000);
  expect([list.mock.calls.length, route.mock.calls.length]).toEqual([1, 1]);
});
