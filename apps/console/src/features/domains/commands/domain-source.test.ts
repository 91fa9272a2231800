// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { sampleRoute } from '../../../domain/testing/sample-route';
import { loadDomainSource } from './domain-source';

const { api, client } = vi.hoisted(() => ({
  api: { listRoutes: vi.fn() },
  client: { current: undefined as unknown as QueryClient },
}));
vi.mock('../../../app/api-client', () => ({
  api,
  get queryClient() {
    return client.current;
  },
}));
vi.mock('../../../app/intl-store', async () => {
  const { default: commands } = await import('./locales/en.json');
  return { getIntl: () => ({ locale: 'en', messages: { commands } }), needCatalogs: async () => {} };
});

it('finds the domains for the second who asks the same, though the first gave up', async () => {
  client.current = new QueryClient();
  api.listRoutes.mockImplementation(
    ({ signal }: { signal: AbortSignal }) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        setTimeout(() => resolve({ results: [sampleRoute()] }), 20);
      }),
  );
  const source = await loadDomainSource(() => null);
  const gaveUp = new AbortController();
  const first = source.search?.('shop', gaveUp.signal).catch(() => undefined);
  gaveUp.abort();
  const second = await source.search?.('shop', new AbortController().signal);
  await first;
  expect(second?.find(({ id }) => id === 'domains')?.items).toHaveLength(1);
  expect(api.listRoutes).toHaveBeenCalledTimes(1);
});
