// @vitest-environment happy-dom
import { ApiError, type CacheClear } from '@cordon/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { needCatalogs } from '../../app/intl-store';
import { renderDomains } from '../../domain/testing/render-domains';
import { ROUTE_ID, sampleRoute } from '../../domain/testing/sample-route';
import { ClearCachePanel } from './clear-cache-panel';

const api = vi.hoisted(() => ({
  listSubscriptions: vi.fn(),
  clearCache: vi.fn(),
  listCacheClears: vi.fn(),
  getCacheClear: vi.fn(),
}));
vi.mock('../../app/api-client', () => ({ api, queryClient: {} }));

const route = sampleRoute({ shadow_domains: ['www.example.org'] });
const clearOf = (values: Partial<CacheClear> = {}): CacheClear => ({
  id: '00000000-0000-4000-8000-0000000000c1',
  kind: 'all',
  values: [],
  soft: false,
  created_at: '2026-11-27T10:00:00.000Z',
  created_by: 'ann@example.com',
  nodes: [
    { name: 'fra', state: 'cleared', milliseconds: 7.2 },
    { name: 'hkg', state: 'cleared', milliseconds: 11.4 },
  ],
  ...values,
});
const subscriptionOf = (tier: 'free' | 'vip') => ({ results: [{ cname: route.subscription_cname, tier }], count: 1 });
const user = userEvent.setup({ delay: null });

beforeEach(async () => {
  window.localStorage.clear();
  for (const mock of Object.values(api)) mock.mockReset();
  api.listSubscriptions.mockResolvedValue(subscriptionOf('vip'));
  api.listCacheClears.mockResolvedValue({ results: [], count: 0 });
  await needCatalogs('caching');
});

it.each([
  ['en', 'Clear cache', 'Cleared on 2 of 2 nodes in 12\u00a0ms'],
  ['zh', '清除缓存', '已清除 2/2 个节点，用时 12\u00a0毫秒'],
] as const)('in %s asks before everything is cleared, and says how fast each node has', async (locale, label, said) => {
  api.clearCache.mockResolvedValue({ clear: clearOf() });
  await renderDomains(<ClearCachePanel route={route} />, locale);
  await user.click(await screen.findByRole('button', { name: label }));
  const dialog = within(await screen.findByRole('alertdialog'));
  expect(api.clearCache).not.toHaveBeenCalled();
  await user.click(dialog.getByRole('button', { name: label }));
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe(said));
  expect(api.clearCache).toHaveBeenCalledExactlyOnceWith({ params: { id: ROUTE_ID }, body: { kind: 'all' } });
  expect(screen.getByText('fra').parentElement?.textContent).toMatch(/fra8\u00a0/);
});

it('says beside the text which line is wrong, before it asks and after', async () => {
  await renderDomains(<ClearCachePanel route={route} />);
  await user.click(await screen.findByRole('radio', { name: 'URLs' }));
  const text = screen.getByRole('textbox', { name: 'URLs' });
  await user.click(text);
  await user.paste('/a\n\nhttps://other.example/');
  expect(text.getAttribute('aria-invalid')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Clear cache' }));
  expect(await screen.findByText('Line 3: Not a name of this domain')).toBeTruthy();
  expect(api.clearCache).not.toHaveBeenCalled();
  await user.clear(text);
  await user.paste('/a\n\nhttps://www.example.org/b');
  expect(screen.queryByText(/^Line/)).toBeNull();
  api.clearCache.mockRejectedValueOnce(
    new ApiError(
      422,
      'VALIDATION_FAILED',
      { success: false, message: '', request_id: '', 'values.1': 'CACHE_URL_INVALID' },
      ['values.1.CACHE_URL_INVALID'],
    ),
  );
  await user.click(screen.getByRole('checkbox', { name: /^Keep serving/ }));
  await user.click(screen.getByRole('button', { name: 'Clear cache' }));
  expect(await screen.findByText(/^Line 3: Enter a URL/)).toBeTruthy();
  expect(api.clearCache).toHaveBeenCalledWith({
    params: { id: ROUTE_ID },
    body: { kind: 'urls', values: ['/a', 'https://www.example.org/b'], soft: true },
  });
});

it('goes on asking about a node that is late', async () => {
  const late = clearOf({ nodes: [{ name: 'hkg', state: 'waiting', milliseconds: null }] });
  api.clearCache.mockResolvedValue({ clear: late });
  api.getCacheClear.mockResolvedValue({ clear: clearOf() });
  await renderDomains(<ClearCachePanel route={route} />);
  await user.click(await screen.findByRole('radio', { name: 'Tags' }));
  await user.type(screen.getByRole('textbox', { name: 'Tags' }), 'shop{Control>}{Enter}{/Control}');
  expect(await screen.findByText('The node has not answered yet')).toBeTruthy();
  await waitFor(() => expect(screen.getByRole('status').textContent).toMatch(/^Cleared on 2 of 2/), { timeout: 3_000 });
});

it('shows the last clears, and the line for a script that does what is chosen', async () => {
  api.listCacheClears.mockResolvedValue({
    results: [clearOf({ kind: 'urls', values: ['/a', '/b', '/c'], soft: true })],
    count: 1,
  });
  await renderDomains(<ClearCachePanel route={route} />);
  expect(await screen.findByText('/a, /b, and 1 more (served while refreshed)')).toBeTruthy();
  expect(screen.getByText('Nov 27, 2026, 10:00:00 · ann@example.com')).toBeTruthy();
  await user.click(screen.getByRole('radio', { name: 'Prefixes' }));
  await user.type(screen.getByRole('textbox', { name: 'Prefixes' }), "/it's/");
  const code = document.querySelector('pre')?.textContent ?? '';
  expect(code).toContain(`/api/v1/domain/routes/${ROUTE_ID}/clear-cache/`);
  expect(code).toContain('-H "Authorization: Bearer $CORDON_TOKEN"');
  expect(code).toContain(`-d '{"kind":"prefixes","values":["/it'\\''s/"]}'`);
});

it('tells a free account why not, in the words of the specification', async () => {
  api.listSubscriptions.mockResolvedValue(subscriptionOf('free'));
  await renderDomains(<ClearCachePanel route={route} />);
  expect(await screen.findByText(/A free account cannot clear cache\./)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Clear cache' })).toBeNull();
});

it('has nothing to clear of a domain that was never live', async () => {
  await renderDomains(<ClearCachePanel route={sampleRoute({ version_live: null })} />);
  expect(await screen.findByText('Nothing is cached before the domain is deployed.')).toBeTruthy();
});
