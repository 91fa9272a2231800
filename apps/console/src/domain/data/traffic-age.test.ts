// @vitest-environment happy-dom
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { api } from '../../app/api-client';
import { trafficOptions } from './queries';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('the numbers of the last day are asked for every 5 s, so that they do not contradict the requests beside them', async () => {
  const ask = vi.spyOn(api, 'getTrafficOverview').mockResolvedValue({ success: true, result: {} as never });
  const stop = new QueryObserver(new QueryClient(), trafficOptions('d1')).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(100);
  expect(ask).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(ask).toHaveBeenCalledTimes(3);
  stop();
});
