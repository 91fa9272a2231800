// @vitest-environment happy-dom
import { ApiError, type SslConfig } from '@cordon/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { needCatalogs } from '../../app/intl-store';
import { renderDomains } from '../../domain/testing/render-domains';
import { ROUTE_ID, sampleRoute } from '../../domain/testing/sample-route';
import ForceHttpsDialog from './force-https-dialog';

const api = vi.hoisted(() => ({ getSslConfig: vi.fn(), updateSslConfig: vi.fn() }));
vi.mock('../../app/api-client', () => ({ api, queryClient: {} }));

const user = userEvent.setup({ delay: null });
const PLAIN: SslConfig = {
  ...{ certificate_id: null, has_certificate: true, force_https: false, hsts: null, change: null },
  preload_of: { name: 'example.com', is_served: true },
};
const DAY = { max_age_seconds: 86_400, include_subdomains: false, preload: false };

beforeEach(async () => {
  api.updateSslConfig.mockReset();
  await needCatalogs('ssl');
});

async function show(ssl: Partial<SslConfig>, locale: 'en' | 'zh' = 'en') {
  api.getSslConfig.mockReset().mockResolvedValue({ result: { ...PLAIN, ...ssl } });
  api.updateSslConfig.mockImplementation(async ({ body }) => ({ result: { ...PLAIN, ...ssl, ...body } }));
  const onOpenChange = vi.fn();
  await renderDomains(<ForceHttpsDialog route={sampleRoute()} open onOpenChange={onOpenChange} />, locale);
  return { dialog: within(await screen.findByRole('alertdialog')), onOpenChange };
}

it.each([
  ['en', false, 'Force HTTPS for www.example.com?', 'Force HTTPS', 'www.example.com now forces HTTPS', 'Undo'],
  ['zh', false, '为 www.example.com 强制 HTTPS？', '强制 HTTPS', 'www.example.com 已开启强制 HTTPS', '撤销'],
  ...([
    [
      ...(['en', true, 'Stop forcing HTTPS for www.example.com?', 'Stop forcing HTTPS'] as const),
      ...(['www.example.com no longer forces HTTPS', 'Undo'] as const),
    ],
    ['zh', true, '关闭 www.example.com 的强制 HTTPS？', '关闭强制 HTTPS', 'www.example.com 已关闭强制 HTTPS', '撤销'],
  ] as const),
] as const)(
  'asks (%s, on: %s), does it at once and takes it back by the notice',
  async (locale, isOn, title, confirm, told, undo) => {
    const { dialog, onOpenChange } = await show({ force_https: isOn }, locale);
    await dialog.findByRole('heading', { name: title });
    await user.click(dialog.getByRole('button', { name: confirm }));
    await screen.findAllByText(told);
    const params = { id: ROUTE_ID };
    expect(api.updateSslConfig).toHaveBeenLastCalledWith({ params, body: { force_https: !isOn } });
    await waitFor(() => expect(onOpenChange).toHaveBeenCalledWith(false));
    // The dialog, which stays open here, hides the notice from roles.
    await user.click(screen.getByText(undo));
    await waitFor(() => expect(api.updateSslConfig).toHaveBeenLastCalledWith({ params, body: { force_https: isOn } }));
  },
);

it.each([
  ['without a certificate', { has_certificate: false }, /^Visitors first need to get a certificate for www/],
  ['under HSTS', { force_https: true, hsts: DAY }, /^Turn off HSTS first/],
])('says %s why it cannot be, as the tab does', async (_when, ssl, words) => {
  const { dialog } = await show(ssl);
  expect(await dialog.findByText(words)).toBeTruthy();
  expect(dialog.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Close']);
});

it('stays open with the reason where it was refused', async () => {
  const { dialog, onOpenChange } = await show({});
  api.updateSslConfig.mockRejectedValue(new ApiError(500, undefined, undefined, ['Request error']));
  await user.click(await dialog.findByRole('button', { name: 'Force HTTPS' }));
  await waitFor(() => expect(api.updateSslConfig).toHaveBeenCalledOnce());
  expect(onOpenChange).not.toHaveBeenCalled();
  expect(dialog.getByRole('button', { name: 'Force HTTPS' })).toBeTruthy();
});
