// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, renderHook, screen } from '@testing-library/react';
import { type ReactNode, useEffect } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { sessionIsKnown } from '../../app/session-ready';
import type { BatchProgressProps } from '../../domain/batches/batch-progress-props';
import { type ShownBatches, useShownBatches } from './shown-batches';

const api = vi.hoisted(() => ({ listBatches: vi.fn(async () => ({ results: [], count: 0 })) }));
vi.mock('../../app/api-client', () => ({ api, queryClient: {} }));

const panel = vi.hoisted(() => ({ succeeds: false }));
vi.mock('../../domain/batches/batch-progress', () => ({
  BatchProgress({ batchId, onSucceeded }: BatchProgressProps) {
    useEffect(() => {
      if (panel.succeeds) onSucceeded?.(batchId);
    }, [batchId, onSucceeded]);
    return <p>{batchId}</p>;
  },
}));
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
  act(() => {
    result.current.dismiss('one');
    result.current.dismiss('two');
  });
  expect(result.current.ids).toEqual([]);
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

interface Loaded {
  ShownBatches: typeof ShownBatches;
  useShownBatches: typeof useShownBatches;
}
function List({ loaded: { ShownBatches: Shown, useShownBatches: useShown } }: { loaded: Loaded }) {
  const { ids, show, dismiss } = useShown();
  return (
    <>
      <button type="button" onClick={() => show('third')}>
        start
      </button>
      <Shown ids={ids} onDismiss={dismiss} onStarted={show} />
    </>
  );
}

it.each([true, false])('is shown again after a reload unless its success was seen: %s', async (succeeds) => {
  panel.succeeds = succeeds;
  const client = new QueryClient();
  const open = async (loaded: Loaded) => {
    const { unmount } = render(
      <QueryClientProvider client={client}>
        <List loaded={loaded} />
      </QueryClientProvider>,
    );
    await act(async () => (await import('../../app/session-ready')).sessionIsKnown());
    return unmount;
  };
  const reload = async (): Promise<Loaded> => {
    vi.resetModules();
    return import('./shown-batches');
  };
  const page = await reload();
  const leave = await open(page);
  await act(async () => screen.getByRole('button').click());
  expect(screen.getByText('third')).toBeTruthy();
  leave();
  // Another screen and back: it can still be undone.
  const leaveAgain = await open(page);
  expect(screen.getByText('third')).toBeTruthy();
  leaveAgain();
  await open(await reload());
  expect(screen.queryByText('third') === null).toBe(succeeds);
});
