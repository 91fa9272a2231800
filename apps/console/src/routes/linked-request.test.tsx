// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { IntlProvider } from 'use-intl';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { needCatalogs } from '../app/intl-store';
import { messagesOf } from '../testing/catalogs';
import LinkedRequest from './linked-request';
import { parseSearch } from './parse-search';

const api = vi.hoisted(() => ({ listRecentRequests: vi.fn() }));
vi.mock('../app/api-client', () => ({ api }));

const ID = '5f1c0b7e9a3d4c2188e6f0a1b2c3d4e5';
const ROUTE_ID = '0190f3a0-0000-7000-8000-000000000001';
const found = { result: [{ route_id: ROUTE_ID }] };
const nothing = { result: [] };
beforeEach(async () => {
  api.listRecentRequests.mockReset().mockResolvedValue(found);
  await needCatalogs('ui', 'errors', 'fieldErrors', 'commands');
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

async function follow(request: string, locale: 'en' | 'zh' = 'en') {
  const root = createRootRoute();
  const list = createRoute({ getParentRoute: () => root, path: '/domain/list', component: LinkedRequest });
  const domain = createRoute({ getParentRoute: () => root, path: '/domain/list/$id', component: () => null });
  const router = createRouter({
    routeTree: root.addChildren([list, domain]),
    parseSearch,
    history: createMemoryHistory({ initialEntries: [`/domain/list?request=${request}`] }),
  });
  const client = new QueryClient({ defaultOptions: { queries: { networkMode: 'always', retry: false } } });
  render(
    <IntlProvider locale={locale} timeZone="UTC" messages={messagesOf(locale)}>
      <QueryClientProvider client={client}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </IntlProvider>,
  );
  await pass(50);
  return router;
}

it.each([ID, '12345678901234567890123456789012', '1e345678901234567890123456789012'])(
  'goes to the trace of %s',
  async (id) => {
    const router = await follow(id);
    expect(router.state.location).toMatchObject({
      pathname: `/domain/list/${ROUTE_ID}`,
      search: { tab: 'diagnosis', view: 'trace', request: id },
    });
    expect(router.history.length).toBe(1);
    expect(api.listRecentRequests.mock.calls[0]?.[0].query).toEqual({ request_id: id, limit: 1 });
  },
);

it.each([
  ['en', 'Looking for the request…'],
  ['zh', '正在查找请求…'],
] as const)('waits for the log of a request that was made just now, and says so in %s', async (locale, looking) => {
  api.listRecentRequests.mockResolvedValue(nothing);
  const router = await follow(ID, locale);
  await pass(2_500);
  expect(screen.getByText(looking)).toBeTruthy();
  expect(screen.getByText(ID)).toBeTruthy();
  expect(api.listRecentRequests).toHaveBeenCalledTimes(3);
  api.listRecentRequests.mockResolvedValue(found);
  await pass(1_000);
  expect(router.state.location.pathname).toBe(`/domain/list/${ROUTE_ID}`);
});

it('says after some seconds that nothing has the id, keeps it in the address, and looks again when asked to', async () => {
  api.listRecentRequests.mockResolvedValue(nothing);
  const router = await follow(ID);
  await pass(7_000);
  expect(screen.queryByText('No request has this ID')).toBeNull();
  await pass(2_000);
  expect(screen.getByText('No request has this ID')).toBeTruthy();
  expect(router.state.location.href).toBe(`/domain/list?request=${ID}`);
  const asked = api.listRecentRequests.mock.calls.length;
  await pass(20_000);
  expect(api.listRecentRequests).toHaveBeenCalledTimes(asked);
  api.listRecentRequests.mockResolvedValue(found);
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await pass(50);
  expect(router.state.location.pathname).toBe(`/domain/list/${ROUTE_ID}`);
});

it('asks nothing for what is no id', async () => {
  await follow('<script>');
  expect(screen.getByText('No request has this ID')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  expect(api.listRecentRequests).not.toHaveBeenCalled();
});

it('offers to try again after a failure', async () => {
  api.listRecentRequests.mockRejectedValueOnce(new Error('offline'));
  const router = await follow(ID);
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await pass(50);
  expect(router.state.location.pathname).toBe(`/domain/list/${ROUTE_ID}`);
});
