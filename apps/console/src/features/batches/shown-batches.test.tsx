// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { sessionIsKnown } from '../../app/session-ready';
import { useShownBatches } from './shown-batches';

const api = vi.hoisted(() => ({ listBatches: vi.fn(async () => ({ results: [], count: 0 })) }));
vi.mock('../../app/api-client', () => ({ api, queryClient: {} }));

vi.mock('./batch-watch', () => ({ watchBatch: vi.fn() }));

beforeEach(() => sessionStorage.clear());

it('shows a batch once, however often a press was answered with it, the last one first', () => {
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(() => useShownBatches(), { wrapper });
  act(() => {
    result.current.show('one');
    result.current.show('two');
    result.current.show('one');
  });
  expect(result.current.ids).toEqual(['one', 'two']);
});

it('shows what was started in this tab before once it is known who is signed in', async () => {
  sessionStorage.setItem('domains.batches', '["of before"]');
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(() => useShownBatches(), { wrapper });
  expect(result.current.ids).toEqual([]);
  await act(async () => sessionIsKnown());
  expect(result.current.ids).toEqual(['of before']);
});
