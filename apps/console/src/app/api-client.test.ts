// @vitest-environment happy-dom
import { ApiError } from '@cordon/contract';
import { MutationObserver, onlineManager, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, it, vi } from 'vitest';
import { queryClient } from './api-client';

afterEach(() => onlineManager.setOnline(true));

it('fails a write at once while there is no network, rather than make it when there is one again', async () => {
  onlineManager.setOnline(false);
  const write = new MutationObserver(queryClient, {
    mutationFn: () => Promise.reject(new Error('no network')),
    meta: { isSilent: true },
  });
  await expect(write.mutate()).rejects.toThrow('no network');
});

it('fails a read at once while there is no network, and makes it again when there is one', async () => {
  onlineManager.setOnline(false);
  const queryFn = vi.fn(() =>
    onlineManager.isOnline() ? Promise.resolve('rows') : Promise.reject(new ApiError(0, undefined, undefined, [])),
  );
  const read = new QueryObserver(queryClient, { queryKey: ['read without a network'], queryFn });
  const stop = read.subscribe(() => {});
  queryClient.mount();
  await vi.waitFor(() => expect(read.getCurrentResult().status).toBe('error'), { timeout: 500 });
  expect(queryFn).toHaveBeenCalledTimes(1);
  onlineManager.setOnline(true);
  await vi.waitFor(() => expect(read.getCurrentResult().data).toBe('rows'));
  queryClient.unmount();
  stop();
});

it('says within a second and a half that nothing answers', async () => {
  const queryFn = vi.fn(() => Promise.reject(new ApiError(0, undefined, undefined, [])));
  const read = new QueryObserver(queryClient, { queryKey: ['read that is refused'], queryFn });
  const stop = read.subscribe(() => {});
  await vi.waitFor(() => expect(read.getCurrentResult().status).toBe('error'), { timeout: 1_500 });
  expect(queryFn).toHaveBeenCalledTimes(3);
  stop();
});
