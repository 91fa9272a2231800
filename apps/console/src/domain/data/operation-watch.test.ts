// @vitest-environment happy-dom
import { ApiError, type OperationError, type RouteSummary } from '@cordon/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sampleRoute } from '../testing/sample-route';
import { domainKeys } from './keys';
import { watchOperation } from './operation-watch';

const api = vi.hoisted(() => ({ getRoute: vi.fn(), listRoutes: vi.fn() }));
const queryClient = vi.hoisted(() => ({ setQueryData: vi.fn(), invalidateQueries: vi.fn() }));
const notify = vi.hoisted(() => vi.fn());
const live = vi.hoisted(() => ({ emit: (_event: { slot: string }) => {} }));
vi.mock('../../app/api-client', () => ({ api, queryClient }));
vi.mock('../../ui/notices', () => ({ notify }));
vi.mock('../../app/live-events', () => ({
  onLiveEvent: (handler: typeof live.emit) => {
    live.emit = handler;
    return () => {};
  },
}));

let count = 0;
const operation = (
  action: 'deploy' | 'delete',
  state: 'running' | 'successful' | 'failed',
  error: OperationError | null = null,
) => ({
  id: `0190f3a0-0000-7000-8000-00000000${String(count).padStart(4, '0')}`,
  action,
  state,
  started_at: '2026-11-20T10:00:00Z',
  finished_at: null,
  error,
});
const withOperation = (running: RouteSummary['operation']) => sampleRoute({ operation: running });

beforeEach(() => {
  count += 1;
  notify.mockReset();
  for (const one of [api.getRoute, api.listRoutes, queryClient.invalidateQueries]) one.mockReset();
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

describe('an operation that was started here', () => {
  it('is told as successful once the API says so, without the websocket', async () => {
    api.getRoute.mockResolvedValueOnce({ result: withOperation(operation('deploy', 'running')) });
    api.getRoute.mockResolvedValueOnce({ result: withOperation(operation('deploy', 'successful')) });
    watchOperation(withOperation(operation('deploy', 'running')));
    await vi.advanceTimersByTimeAsync(2000);
    expect(notify).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2000);
    await vi.waitFor(() => expect(notify).toHaveBeenCalledTimes(1));
    // 3 s is the default of a notice that is no error (specification, section 8).
    expect(notify.mock.calls[0]?.[0]).toMatchObject({ tone: 'success', title: 'Deploy of www.example.com successful' });
    expect(notify.mock.calls[0]?.[0].durationMs).toBeUndefined();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(api.getRoute).toHaveBeenCalledTimes(2);
  });

  it('is told at once when the websocket tells', async () => {
    api.getRoute.mockResolvedValue({ result: withOperation(operation('deploy', 'successful')) });
    watchOperation(withOperation(operation('deploy', 'running')));
    live.emit({ slot: 'domain' });
    await vi.waitFor(() => expect(notify).toHaveBeenCalledTimes(1));
  });

  it('as a rollback says to which version', async () => {
    watchOperation(withOperation(operation('deploy', 'successful')), 3);
    await vi.waitFor(() => expect(notify).toHaveBeenCalledTimes(1));
    expect(notify.mock.calls[0]?.[0]).toMatchObject({ title: 'www.example.com rolled back to version 3' });
  });

  it('says why it failed', async () => {
    watchOperation(withOperation(operation('deploy', 'failed', 'NODES_NOT_REACHED')));
    await vi.waitFor(() => expect(notify).toHaveBeenCalledTimes(1));
    expect(notify.mock.calls[0]?.[0]).toMatchObject({
      tone: 'error',
      title: 'Deploy of www.example.com failed',
      description: 'Some nodes did not update in time. Your settings are saved; deploy again.',
    });
  });

  it('as a deletion is done when the domain is gone, which is not asked for then', async () => {
    const deleting = withOperation(operation('delete', 'running'));
    api.listRoutes.mockResolvedValueOnce({ results: [deleting] });
    // The name may have been added anew.
    api.listRoutes.mockResolvedValueOnce({ results: [sampleRoute({ id: '0190f3a0-0000-7000-8000-0000000000ff' })] });
    watchOperation(deleting);
    await vi.advanceTimersByTimeAsync(2000);
    expect(notify).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2000);
    await vi.waitFor(() => expect(notify.mock.calls[0]?.[0]).toMatchObject({ title: 'www.example.com is deleted' }));
    expect(api.listRoutes.mock.lastCall?.[0].query).toEqual({ domain_name: 'www.example.com' });
    expect(api.getRoute).not.toHaveBeenCalled();
    const detail = { queryKey: domainKeys.detail(deleting.id) };
    expect(queryClient.invalidateQueries).toHaveBeenCalledWith({ ...detail, refetchType: 'none' });
  });

  it('other than a deletion is forgotten without a word when the domain is gone', async () => {
    api.getRoute.mockRejectedValue(new ApiError(404, 'NOT_FOUND', undefined, ['code.NOT_FOUND']));
    watchOperation(withOperation(operation('deploy', 'running')));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(api.getRoute).toHaveBeenCalledTimes(1);
    expect(notify).not.toHaveBeenCalled();
  });
});
