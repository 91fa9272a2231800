// @vitest-environment happy-dom
import type { CacheClear } from '@cordon/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { needCatalogs } from '../../../app/intl-store';
import { renderDomains } from '../../../domain/testing/render-domains';
import { ROUTE_ID, sampleRoute } from '../../../domain/testing/sample-route';
import ClearCacheDialog from './clear-cache-dialog';

const api = vi.hoisted(() => ({ listSubscriptions: vi.fn(), clearCache: vi.fn() }));
vi.mock('../../../app/api-client', async (real) => ({
  ...(await real<typeof import('../../../app/api-client')>()),
  api,
}));

const user = userEvent.setup({ delay: null });
const clearOf = (nodes: CacheClear['nodes']): CacheClear => ({
  ...{ id: '00000000-0000-4000-8000-0000000000c1', kind: 'all', values: [], entries: 0, soft: false, nodes },
  ...{ created_at: '2026-11-27T10:00:00.000Z', created_by: 'ann@example.com' },
});
const FRA = { name: 'fra', state: 'cleared', milliseconds: 11.4 } as const;

beforeEach(async () => {
  for (const mock of Object.values(api)) mock.mockReset();
  await needCatalogs('caching', 'domain');
});

async function show(change: Parameters<typeof sampleRoute>[0] = {}, tier = 'vip', locale: 'en' | 'zh' = 'en') {
  const route = sampleRoute(change);
  api.listSubscriptions.mockResolvedValue({ results: [{ cname: route.subscription_cname, tier }], count: 1 });
  const onOpenChange = vi.fn();
  const { router } = await renderDomains(<ClearCacheDialog route={route} open onOpenChange={onOpenChange} />, locale);
  return { dialog: within(await screen.findByRole('alertdialog')), onOpenChange, router };
}

it.each([
  ['en', 'Clear cache', 'The cache of www.example.com is cleared', 'Cleared on 1 of 1 node in 12 ms', false],
  ['zh', '清除缓存', 'www.example.com 的缓存已清除', '已清除 1/1 个节点，用时 12 毫秒', true],
] as const)(
  'clears everything once it is confirmed, and says in %s how fast',
  async (locale, label, done, time, soft) => {
    api.clearCache.mockResolvedValue({ clear: clearOf([FRA]) });
    const { dialog, onOpenChange } = await show({}, 'vip', locale);
    const confirm = await dialog.findByRole('button', { name: label });
    expect(confirm.className).toContain('bg-danger-fill');
    if (soft) await user.click(dialog.getByRole('checkbox'));
    expect(confirm.className.includes('bg-danger-fill')).toBe(!soft);
    expect(api.clearCache).not.toHaveBeenCalled();
    await user.click(confirm);
    const body = { kind: 'all', ...(soft ? { soft } : {}) };
    expect(api.clearCache).toHaveBeenCalledExactlyOnceWith({ params: { id: ROUTE_ID }, body });
    expect(await screen.findAllByText(done)).not.toEqual([]);
    expect(screen.getAllByText(time)).not.toEqual([]);
    await waitFor(() => expect(onOpenChange).toHaveBeenCalledWith(false));
  },
);

it('does not say that it is cleared while a node has yet to answer', async () => {
  api.clearCache.mockResolvedValue({ clear: clearOf([FRA, { name: 'hkg', state: 'waiting', milliseconds: null }]) });
  const { dialog } = await show();
  await user.click(await dialog.findByRole('button', { name: 'Clear cache' }));
  expect(await screen.findAllByText('Cleared on 1 of 2 nodes in 12 ms')).not.toEqual([]);
  expect(screen.queryByText('The cache of www.example.com is cleared')).toBeNull();
});

it.each([
  ['of a free plan, in the words of the specification', {}, 'free', /^A free account cannot clear cache/],
  ['before the first deploy', { version_live: null }, 'vip', 'Nothing is cached before the domain is deployed.'],
])('says why nothing can be cleared %s', async (_when, change, tier, words) => {
  const { dialog } = await show(change, tier);
  expect(await dialog.findByText(words)).toBeTruthy();
  expect(dialog.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Close']);
});

it('leads to where a part of it is cleared', async () => {
  const { dialog, onOpenChange, router } = await show();
  await user.click(await dialog.findByRole('link', { name: /^Clear by URL, prefix or tag/ }));
  await waitFor(() => expect(router.state.location.href).toBe(`/domain/list/${ROUTE_ID}?tab=caching&panel=clear`));
  expect(onOpenChange).toHaveBeenCalledWith(false);
});
