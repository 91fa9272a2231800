// @vitest-environment happy-dom
import { MutationObserver, onlineManager } from '@tanstack/react-query';
import { afterEach, expect, it } from 'vitest';
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
