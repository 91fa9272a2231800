// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LiveEvent } from '../../app/live-events';
import { tasksOptions, useLiveTasks } from './queries';

const { api, live } = vi.hoisted(() => ({
  api: { listTasks: vi.fn() },
  live: { handler: (_event: unknown) => {} },
}));
vi.mock('../../app/api-client', () => ({ api, queryClient: {} }));
vi.mock('../../app/live-events', () => ({
  useLiveEvents: (_slot: string, handler: (event: unknown) => void) => {
    live.handler = handler;
  },
}));
const emit = (event: Partial<LiveEvent>) => act(() => live.handler(event));
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function watch() {
  api.listTasks.mockReset().mockResolvedValue({ results: [] });
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  renderHook(
    () => {
      useLiveTasks();
      useQuery(tasksOptions());
    },
    { wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider> },
  );
  await pass(0);
  api.listTasks.mockClear();
}

it.each(['deleting', 'deleted'] as const)('asks for tasks once a domain is %s', async (status) => {
  await watch();
  emit({ status: 'running' });
  await pass(0);
  expect(api.listTasks).not.toHaveBeenCalled();
  emit({ status });
  await pass(0);
  expect(api.listTasks).toHaveBeenCalledOnce();
});

it('asks at most once a second where a thousand are deleted, and once more after the last', async () => {
  await watch();
  for (let second = 0; second < 10; second++) {
    for (let domain = 0; domain < 100; domain++) emit({ status: 'deleting' });
    await pass(1000);
  }
  const during = api.listTasks.mock.calls.length;
  expect(during).toBeGreaterThan(1);
  expect(during).toBeLessThan(10);
  await pass(5000);
  const after = api.listTasks.mock.calls.length;
  expect(after).toBeGreaterThan(during);
});

it('has what others schedule and cancel within 15 s', async () => {
  await watch();
  await pass(15_100);
  expect(api.listTasks).toHaveBeenCalledOnce();
});
