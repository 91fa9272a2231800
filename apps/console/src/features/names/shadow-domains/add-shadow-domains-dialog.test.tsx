// @vitest-environment happy-dom
import { ApiError } from '@cordon/contract';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { networkReturns } from '../../../domain/testing/network-returns';
import { renderDomains } from '../../../domain/testing/render-domains';
import { sampleRoute, sampleSubscription } from '../../../domain/testing/sample-route';
import AddShadowDomainsDialog from './add-shadow-domains-dialog';

const api = vi.hoisted(() => ({ addShadowDomains: vi.fn(), listSubscriptions: vi.fn() }));
vi.mock('../../../app/api-client', () => ({ api, queryClient: { setQueryData: vi.fn(), invalidateQueries: vi.fn() } }));
beforeEach(() => {
  for (const mock of Object.values(api)) mock.mockReset();
});

describe.each(['en', 'zh'] as const)('the rules of shadow domains (specification section 5), in %s', (locale) => {
  it.each([
    ['WWW.example.com', 'The main domain cannot be an alias', '主域名不能作为别名域名'],
    ['wildcard.example.com', 'The subdomain “wildcard” is reserved', '子域名“wildcard”为保留名称'],
    [`${'a'.repeat(64)}.example.com`, 'at most 63 characters', '最多 63 个字符'],
    ['*.example.com', 'Wildcard domains need a VIP plan', '泛域名需要 VIP 套餐'],
    ['a.example.com b.example.com', 'Aliases exceed your available domains', '别名域名超出域名额度'],
  ])('%s', async (typed, en, zh) => {
    const free = sampleSubscription('free');
    const domains = free.features.domains - 1;
    api.listSubscriptions.mockResolvedValue({ results: [{ ...free, usage: { ...free.usage, domains } }] });
    await renderDomains(<AddShadowDomainsDialog route={sampleRoute()} open onOpenChange={vi.fn()} />, locale);
    const user = userEvent.setup({ delay: null });
    await user.type(await screen.findByRole('textbox'), typed);
    await user.click(screen.getByRole('button', { name: locale === 'en' ? /^Add/ : /^添加/ }));
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain(locale === 'en' ? en : zh);
    expect(api.addShadowDomains).not.toHaveBeenCalled();
  });
});

it.each([
  ['en', 'No names are left on your plan.', /^Add/],
  ['zh', '您的域名额度已用完。', /^添加/],
] as const)('takes nothing where the plan has no name left, and says so (%s)', async (locale, words, name) => {
  const one = sampleSubscription('free');
  const { domains } = one.features;
  api.listSubscriptions.mockResolvedValue({ results: [{ ...one, usage: { ...one.usage, domains } }] });
  await renderDomains(<AddShadowDomainsDialog route={sampleRoute()} open onOpenChange={vi.fn()} />, locale);
  expect((await screen.findByText(words)).closest('[role=status]')).toBeTruthy();
  expect((screen.getByRole('button', { name }) as HTMLButtonElement).disabled).toBe(true);
});

it('says that there was no network until there is one again', async () => {
  api.listSubscriptions.mockResolvedValue({ results: [sampleSubscription('vip')] });
  api.addShadowDomains.mockRejectedValue(new ApiError(0, undefined, undefined, ['Please check your network']));
  await renderDomains(<AddShadowDomainsDialog route={sampleRoute()} open onOpenChange={vi.fn()} />);
  const user = userEvent.setup({ delay: null });
  await user.type(await screen.findByRole('textbox'), 'shop.example.com');
  await user.click(screen.getByRole('button', { name: /^Add/ }));
  expect((await screen.findByRole('alert')).textContent).toMatch(/^Please check your network/);
  networkReturns();
  expect(screen.queryByRole('alert')).toBeNull();
});
