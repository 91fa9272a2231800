// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, it, vi } from 'vitest';
import { domainKeys } from '../../../domain/data/keys';
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

beforeEach(() => {
  client.current = new QueryClient();
  api.listRoutes.mockReset();
});

it('finds the domains for the second who asks the same, though the first gave up', async () => {
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

it('offers a domain that a list has shown also in the choice after a command, and after a verb, without its accents', async () => {
  const name = { domain_name: 'xn--bcher-kva.example', domain_name_unicode: 'bücher.example' };
  client.current.setQueryData(domainKeys.list({ page: 1 }), { results: [sampleRoute(name)] });
  // Which knows letters only as they are written.
  api.listRoutes.mockResolvedValue({ results: [] });
  const source = await loadDomainSource(() => null);
  const { page } =
    source
      .groups()
      .flatMap(({ items }) => items)
      .find(({ id }) => id === 'choose:versions') ?? {};
  const { signal } = new AbortController();
  const labels = (groups: Awaited<ReturnType<NonNullable<typeof source.search>>> | undefined) =>
    groups?.flatMap(({ items }) => items.map(({ label }) => label));
  for (const typed of ['bu', 'bucher', 'bücher', 'xn--bcher'])
    expect(labels(await page?.find(typed, signal)), typed).toEqual(['bücher.example']);
  expect(labels(await page?.find('shop', signal))).toEqual([]);
  expect(labels(await source.search?.('versions bucher', signal))).toEqual(['Versions of bücher.example']);
});
