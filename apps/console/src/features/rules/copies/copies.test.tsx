// @vitest-environment happy-dom
import { ApiError } from '@cordon/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { networkReturns } from '../../../domain/testing/network-returns';
import { renderDomains } from '../../../domain/testing/render-domains';
import { ROUTE_ID, sampleConfig, sampleRoute, sampleSubscription } from '../../../domain/testing/sample-route';
import CloneDialog from './clone-dialog';
import CompareDialog from './compare-dialog';

const api = vi.hoisted(() => ({
  listSubscriptions: vi.fn(),
  cloneRoute: vi.fn(),
  getBatch: vi.fn(),
  listBatchItems: vi.fn(),
  listRoutes: vi.fn(),
  getRoute: vi.fn(),
}));
vi.mock('../../../app/api-client', () => ({ api, queryClient: { setQueryData: vi.fn(), invalidateQueries: vi.fn() } }));

const OTHER_ID = `${ROUTE_ID.slice(0, -1)}2`;
const batch = {
  id: '0190f3a0-0000-7000-8000-0000000000bb',
  kind: 'clone',
  state: 'successful',
  total: 1,
  succeeded: 1,
  failed: 0,
  created_by: 'lin@example.com',
  created_at: '2026-11-20T10:00:00Z',
  finished_at: '2026-11-20T10:00:01Z',
};
const restriction = (config: object) => ({ name: 'ip-restriction', enabled: true, config: config as never });
const full = { allow: [], deny: ['8.8.8.8'], whitelistMode: false, blacklistMode: true, allow_spiders: true };

beforeEach(() => {
  for (const mock of Object.values(api)) mock.mockReset();
  api.listSubscriptions.mockResolvedValue({ results: [] });
});

it.each([
  [0, '', /^No names are left/, true],
  [1, 'a.example b.example{Enter}', /^1 name too many: 1 left/, false],
  [2, 'a.example b.example{Enter}', /2 names are left on your plan\.$/, false],
])('with %i names left says so, and clones nothing beyond them', async (left, typed, words, isOff) => {
  const one = sampleSubscription();
  const domains = one.features.domains + one.additional_domain_number - left;
  api.listSubscriptions.mockResolvedValue({ results: [{ ...one, usage: { ...one.usage, domains } }] });
  const user = userEvent.setup({ delay: null });
  await renderDomains(
    <CloneDialog route={sampleRoute({ subscription_cname: one.cname })} open onOpenChange={vi.fn()} />,
  );
  const dialog = within(await screen.findByRole('dialog'));
  if (typed !== '') await user.type(dialog.getByRole('textbox', { name: /Names/ }), typed);
  await dialog.findByText(words);
  const button = dialog.getByRole('button', { name: 'Clone as draft' }) as HTMLButtonElement;
  expect(button.disabled).toBe(isOff);
  api.cloneRoute.mockResolvedValue({ result: batch });
  await user.click(button);
  expect(api.cloneRoute).toHaveBeenCalledTimes(left === 2 ? 1 : 0);
});

it('shows at each name why it is refused, until the name is taken out', async () => {
  const user = userEvent.setup({ delay: null });
  await renderDomains(<CloneDialog route={sampleRoute()} open onOpenChange={vi.fn()} />);
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByRole('textbox', { name: /Names/ }), 'a.example b.example c.example{Enter}');
  const fields = { 'domain_names.0': 'DOMAIN_NAME_TAKEN', 'domain_names.2': 'DOMAIN_NAME_TAKEN' };
  const body = { success: false, code: 'VALIDATION_FAILED', message: '', request_id: 'r', ...fields } as never;
  api.cloneRoute.mockRejectedValue(new ApiError(422, 'VALIDATION_FAILED', body, ['x']));
  await user.click(dialog.getByRole('button', { name: 'Clone as draft' }));
  const wrong = await dialog.findAllByTitle(/^Another account uses this name/);
  expect(wrong.map(({ textContent }) => textContent)).toEqual(['a.example', 'c.example']);
  await user.click(dialog.getByRole('button', { name: 'Remove a.example' }));
  expect(dialog.getAllByTitle(/^Another account uses this name/)).toHaveLength(1);
});

it('says that there is no network for as long as that is so, and the names are the same', async () => {
  const user = userEvent.setup({ delay: null });
  await renderDomains(<CloneDialog route={sampleRoute()} open onOpenChange={vi.fn()} />);
  const dialog = within(await screen.findByRole('dialog'));
  const clone = async (name: string) => {
    await user.type(dialog.getByRole('textbox', { name: /Names/ }), `${name}{Enter}`);
    api.cloneRoute.mockRejectedValue(new ApiError(0, undefined, undefined, []));
    await user.click(dialog.getByRole('button', { name: 'Clone as draft' }));
    await dialog.findByText(/check your network/);
  };
  await clone('a.example');
  networkReturns();
  expect(dialog.queryByText(/check your network/)).toBeNull();
  await clone('b.example');
  await user.click(dialog.getByRole('button', { name: 'Remove a.example' }));
  expect(dialog.queryByText(/check your network/)).toBeNull();
});

it('clones to several names, each checked before anything is sent, and leads to what was made', async () => {
  const user = userEvent.setup({ delay: null });
  await renderDomains(<CloneDialog route={sampleRoute()} open onOpenChange={vi.fn()} />);
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Clone as draft' }));
  expect(await dialog.findByText('Enter at least one name')).toBeTruthy();
  await user.type(dialog.getByRole('textbox', { name: /Names/ }), 'Bücher.example not_a_name{Enter}');
  await user.click(dialog.getByRole('button', { name: 'Clone as draft' }));
  expect(api.cloneRoute).not.toHaveBeenCalled();
  await user.click(dialog.getByRole('button', { name: 'Remove not_a_name' }));
  api.cloneRoute.mockResolvedValue({ result: batch });
  api.getBatch.mockResolvedValue({ result: batch });
  api.listBatchItems.mockResolvedValue({
    results: [{ position: 1, route_id: OTHER_ID, name_unicode: 'bücher.example', state: 'successful', error: null }],
  });
  await user.click(dialog.getByRole('button', { name: 'Clone as draft' }));
  await waitFor(() => expect(api.cloneRoute).toHaveBeenCalledTimes(1));
  expect(api.cloneRoute.mock.calls[0]?.[0]).toEqual({
    params: { id: ROUTE_ID },
    body: { domain_names: ['xn--bcher-kva.example'], remarks: '', deploy: false },
  });
  const link = await dialog.findByRole('link', { name: 'bücher.example' });
  expect(link.getAttribute('href')).toBe(`/domain/list/${OTHER_ID}`);
});

it('compares two domains in words; what a default added is no difference', async () => {
  const user = userEvent.setup({ delay: null });
  const { allow_spiders: _, ...kept } = full;
  const left = sampleRoute({ draft: { ...sampleConfig(), plugins: [restriction(kept)] } });
  const right = sampleRoute({
    id: OTHER_ID,
    domain_name: 'b.example',
    domain_name_unicode: 'b.example',
    draft: { ...sampleConfig(), plugins: [restriction({ ...full, deny: ['8.8.8.8', '1.1.1.1'] })] },
    live: null,
  });
  api.listRoutes.mockResolvedValue({ results: [left, right], count: 2 });
  api.getRoute.mockImplementation(async ({ params }) => ({ result: params.id === ROUTE_ID ? left : right }));
  await renderDomains(<CompareDialog route={left} open onOpenChange={vi.fn()} />);
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(await dialog.findByRole('button', { name: 'b.example' }));
  const section = (await dialog.findByRole('heading', { name: 'IP restriction' })).closest('section') as HTMLElement;
  expect(section.textContent).toContain('1.1.1.1');
  expect(section.textContent).not.toContain('8.8.8.8');
  expect(section.textContent).not.toMatch(/search engines/i);
  await user.click(dialog.getByRole('button', { name: 'Swap the two' }));
  expect(await dialog.findByText('What b.example needs to match www.example.com:')).toBeTruthy();
  await user.click(dialog.getByRole('radio', { name: 'Live versions' }));
  expect(dialog.getByText('b.example was never deployed: it has no live version.')).toBeTruthy();
});

it('says why there is no domain to compare with, and asks again', async () => {
  const user = userEvent.setup({ delay: null });
  const other = sampleRoute({ id: OTHER_ID, domain_name_unicode: 'b.example' });
  api.listRoutes
    .mockRejectedValueOnce(new ApiError(0, undefined, undefined, ['Please check your network']))
    .mockResolvedValue({ results: [other], count: 1 });
  await renderDomains(<CompareDialog route={sampleRoute()} open onOpenChange={vi.fn()} />);
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText(/check your network/)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Retry' }));
  expect(await dialog.findByRole('button', { name: 'b.example' })).toBeTruthy();
});
