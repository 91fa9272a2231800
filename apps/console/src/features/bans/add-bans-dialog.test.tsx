// @vitest-environment happy-dom
import { ApiError } from '@cordon/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { needCatalogs } from '../../app/intl-store';
import { renderDomains } from '../../domain/testing/render-domains';
import { ROUTE_ID, sampleConfig, sampleRoute } from '../../domain/testing/sample-route';
import AddBansDialog from './add-bans-dialog';

const api = vi.hoisted(() => ({
  listFeedGaps: vi.fn(),
  addBans: vi.fn(),
  liftBans: vi.fn(),
  listRoutes: vi.fn(),
  getRoute: vi.fn(),
  getDeploymentConfig: vi.fn(),
}));
vi.mock('../../app/api-client', () => ({ api, queryClient: {} }));

const NONE_REPLACED = { replaced: 0, replaced_ids: [] };
const onClose = vi.fn();
async function open(domain?: string, locale: 'en' | 'zh' = 'en', address?: string) {
  await needCatalogs('bans');
  await renderDomains(<AddBansDialog domain={domain} address={address} onClose={onClose} />, locale);
  const dialog = within(await screen.findByRole('dialog'));
  return { user: userEvent.setup({ delay: null }), dialog, list: dialog.getAllByRole('textbox')[0] as HTMLElement };
}
const sent = () => api.addBans.mock.calls[0]?.[0].body;

beforeEach(() => {
  onClose.mockReset();
  for (const mock of Object.values(api)) mock.mockReset();
  api.listFeedGaps.mockResolvedValue({ result: { plugin: 'ban', count: 0, domains: [] } });
  api.addBans.mockResolvedValue({
    result: { ...NONE_REPLACED, banned: 2, ids: ['id-1', 'id-2'], ends_at: '2026-11-20T11:00:00Z' },
  });
  api.listRoutes.mockResolvedValue({ results: [sampleRoute()], count: 1 });
  api.getRoute.mockResolvedValue({ result: sampleRoute() });
  api.getDeploymentConfig.mockResolvedValue({ result: { client_address: '127.0.0.1' } });
});

it('bans what is pasted from all domains for an hour, and says until when', async () => {
  const { user, dialog, list } = await open();
  await user.click(list);
  await user.paste('9.9.9.9\n2606:4700::/32, 9.9.9.9');
  await user.type(dialog.getByRole('textbox', { name: 'Note' }), 'scans');
  await user.click(dialog.getByRole('button', { name: 'Ban 2 entries' }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(sent()).toEqual({ networks: ['9.9.9.9', '2606:4700::/32'], route_id: null, seconds: 3600, note: 'scans' });
  expect(await screen.findByText('2 entries are banned')).toBeTruthy();
  expect(screen.getByText('Until Nov 20, 2026, 11:00:00')).toBeTruthy();
});

it('leads to the field that is wrong, where what is wrong is said', async () => {
  const { user, dialog, list } = await open();
  await user.click(dialog.getByRole('button', { name: 'Ban' }));
  await waitFor(() => expect(document.activeElement).toBe(list));
  expect(list.getAttribute('aria-invalid')).toBe('true');
  await user.type(list, '9.9.9.9{Enter}');
  await user.click(dialog.getByRole('radio', { name: 'Custom' }));
  const length = await dialog.findByRole('spinbutton', { name: 'Custom duration' });
  await user.clear(length);
  await user.click(dialog.getByRole('button', { name: 'Ban' }));
  await waitFor(() => expect(document.activeElement).toBe(length));
});

it('names the one address that was banned', async () => {
  api.addBans.mockResolvedValue({ result: { ...NONE_REPLACED, banned: 1, ids: ['id-1'], ends_at: null } });
  const { user, dialog, list } = await open();
  await user.type(list, '9.9.9.9{Enter}');
  await user.click(dialog.getByRole('button', { name: 'Ban' }));
  expect(await screen.findByText('9.9.9.9 is banned')).toBeTruthy();
});

function Closing() {
  const [isOpen, setOpen] = useState(true);
  return isOpen && <AddBansDialog domain={undefined} address={undefined} onClose={() => setOpen(false)} />;
}

it('takes what was just banned back from its notice, and offers to try again where that fails', async () => {
  api.liftBans.mockRejectedValueOnce(new ApiError(500, undefined, undefined, ['Broken']));
  api.liftBans.mockResolvedValue({ result: { lifted: 2, restored: 0 } });
  await needCatalogs('bans');
  await renderDomains(<Closing />);
  const dialog = within(await screen.findByRole('dialog'));
  const user = userEvent.setup({ delay: null });
  await user.click(dialog.getAllByRole('textbox')[0] as HTMLElement);
  await user.paste('9.9.9.9 2606:4700::/32');
  await user.click(dialog.getByRole('button', { name: 'Ban 2 entries' }));
  await screen.findByText('2 entries are banned');
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  // An error is said to screen readers beside.
  expect(await screen.findAllByText('2 bans are still active')).not.toHaveLength(0);
  await user.click(screen.getByRole('button', { name: 'Retry', hidden: true }));
  expect(await screen.findByText('2 entries unbanned')).toBeTruthy();
  expect(api.liftBans.mock.calls).toEqual(Array(2).fill([{ body: { ids: ['id-1', 'id-2'] } }]));
});

it.each([
  ['en', '9.9.9.9 is banned', '1 replaced', 'Ban', 'Undo', 'Ban restored'],
  ['zh', '已封禁 9.9.9.9', '替换了 1 项', '封禁', '撤销', '已恢复 1 项封禁'],
] as const)(
  'says in %s that a ban was replaced, and its Undo brings that one back',
  async (locale, done, replaced, ban, undo, restored) => {
    api.addBans.mockResolvedValue({
      result: { banned: 1, replaced: 1, ids: ['new'], replaced_ids: ['old'], ends_at: null },
    });
    api.liftBans.mockResolvedValue({ result: { lifted: 1, restored: 1 } });
    await needCatalogs('bans');
    await renderDomains(<Closing />, locale);
    const dialog = within(await screen.findByRole('dialog'));
    const user = userEvent.setup({ delay: null });
    await user.type(dialog.getAllByRole('textbox')[0] as HTMLElement, '9.9.9.9{Enter}');
    await user.click(dialog.getByRole('button', { name: ban }));
    expect(await screen.findByText(done)).toBeTruthy();
    expect(screen.getByText(replaced)).toBeTruthy();
    await user.click(await screen.findByRole('button', { name: undo }));
    expect(await screen.findByText(restored)).toBeTruthy();
    expect(api.liftBans).toHaveBeenCalledExactlyOnceWith({ body: { ids: ['new'], restore: ['old'] } });
  },
);

it('tries a ban again whose answer was lost as the same one, so that its Undo does not bring back its own first try', async () => {
  const { user, dialog, list } = await open();
  const ban = () => user.click(dialog.getByRole('button', { name: 'Ban' }));
  const keys = () => api.addBans.mock.calls.map(([{ idempotencyKey }]) => idempotencyKey);
  await user.type(list, '9.9.9.9{Enter}');
  api.addBans.mockRejectedValueOnce(new ApiError(0, undefined, undefined, ['Please check your network']));
  await ban();
  await dialog.findByText('Please check your network', { exact: false });
  api.addBans.mockRejectedValueOnce(new ApiError(409, 'OPERATION_RUNNING', undefined, ['running']));
  await ban();
  await waitFor(() => expect(keys()).toHaveLength(2));
  api.addBans.mockRejectedValueOnce(new ApiError(422, undefined, undefined, ['refused']));
  await ban();
  await waitFor(() => expect(keys()).toHaveLength(3));
  // What was refused is meant anew, and so is another ban.
  api.addBans.mockRejectedValueOnce(new ApiError(0, undefined, undefined, ['Please check your network']));
  await ban();
  await waitFor(() => expect(keys()).toHaveLength(4));
  await user.type(dialog.getByRole('textbox', { name: 'Note' }), 'scans');
  await ban();
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  const [lost, again, refused, anew, other] = keys();
  expect([lost, typeof lost]).toEqual([again, 'string']);
  expect(refused).toBe(lost);
  expect(new Set([lost, anew, other]).size).toBe(3);
});

it.each([
  ['10 minutes', 600],
  ['1 day', 86_400],
  ['Until unbanned', null],
])('lasts %s', async (choice, seconds) => {
  const { user, dialog, list } = await open();
  await user.type(list, '9.9.9.9{Enter}');
  await user.click(dialog.getByRole('radio', { name: choice }));
  await user.click(dialog.getByRole('button', { name: 'Ban' }));
  await waitFor(() => expect(api.addBans).toHaveBeenCalledOnce());
  expect(sent().seconds).toBe(seconds);
});

it.each([
  ['en', 'Domain default (1 hour)', /^The duration set on the domain’s Protection tab, under “Bans”/, 'Ban'],
  ['zh', '域名默认值（1 小时）', /“封禁”中设置的时长/, '封禁'],
] as const)(
  'lasts as long as the domain’s default unless a length is chosen, and says so in %s',
  async (locale, choice, words, ban) => {
    const { user, dialog, list } = await open(ROUTE_ID, locale);
    expect(await dialog.findByRole('radio', { name: choice })).toBe(dialog.getAllByRole('radio', { checked: true })[1]);
    expect(dialog.getByText(words)).toBeTruthy();
    await user.type(list, '9.9.9.9{Enter}');
    await user.click(dialog.getByRole('button', { name: ban }));
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(sent()).toEqual({ networks: ['9.9.9.9'], route_id: ROUTE_ID, note: '' });
  },
);

it('names the default that is live on the domain', async () => {
  const plugins = [{ name: 'ban', enabled: true, config: { default_timeout: 600 } }];
  api.getRoute.mockResolvedValue({ result: sampleRoute({ live: { ...sampleConfig(), plugins } }) });
  const { dialog } = await open(ROUTE_ID);
  expect(await dialog.findByRole('radio', { name: 'Domain default (10 minutes)', checked: true })).toBeTruthy();
  // Each once: the default stands in place of the same length.
  expect(dialog.getAllByRole('radio', { name: /minutes|hour|day/ })).toHaveLength(3);
  for (const name of ['1 hour', '1 day']) expect(dialog.getByRole('radio', { name })).toBeTruthy();
});

it('keeps a chosen length, and offers none of a domain where all domains are meant', async () => {
  const { user, dialog, list } = await open(ROUTE_ID);
  await user.type(list, '9.9.9.9{Enter}');
  await user.click(dialog.getByRole('radio', { name: 'All domains' }));
  expect(dialog.queryByRole('radio', { name: /^Domain default/ })).toBeNull();
  expect(dialog.getByRole('radio', { name: '1 hour', checked: true })).toBeTruthy();
  expect(dialog.getByText(/^One duration for all domains/)).toBeTruthy();
  await user.click(dialog.getByRole('radio', { name: '1 day' }));
  await user.click(dialog.getByRole('radio', { name: 'One domain' }));
  expect(dialog.getByRole('radio', { name: '1 day', checked: true })).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Ban' }));
  await waitFor(() => expect(api.addBans).toHaveBeenCalledOnce());
  expect(sent()).toMatchObject({ route_id: ROUTE_ID, seconds: 86_400 });
});

it('takes a length of one’s own, within bounds', async () => {
  const { user, dialog, list } = await open();
  await user.type(list, '9.9.9.9{Enter}');
  await user.click(dialog.getByRole('radio', { name: 'Custom' }));
  const number = await dialog.findByRole('spinbutton', { name: 'Custom duration' });
  await user.clear(number);
  await user.type(number, '99999');
  await user.click(dialog.getByRole('button', { name: 'Ban' }));
  expect(await dialog.findByText(/from 10 seconds to 365 days/)).toBeTruthy();
  expect(api.addBans).not.toHaveBeenCalled();
  await user.clear(number);
  await user.type(number, '2');
  await user.click(dialog.getByRole('button', { name: 'Ban' }));
  await waitFor(() => expect(api.addBans).toHaveBeenCalledOnce());
  expect(sent().seconds).toBe(7200);
});

it.each([
  ['en', '300.1.1.1', 'Enter an IP address or a range'],
  ['zh', '300.1.1.1', '请输入 IP 地址或网段'],
  ['en', '0.0.0.0/0', 'A /0 mask is not allowed'],
] as const)('tells in %s what is wrong with an entry of %j, and sends nothing', async (locale, typed, words) => {
  const { user, dialog, list } = await open(undefined, locale);
  await user.type(list, `${typed}{Enter}`);
  expect(dialog.getByText(new RegExp(words))).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: locale === 'en' ? /^Ban/ : /^封禁/ }));
  expect(api.addBans).not.toHaveBeenCalled();
});

it.each([
  ['en', /^foo: Enter an IP/],
  ['zh', /^foo：请输入 IP/],
] as const)('names in %s the entry that is wrong, with the colon of the language', async (locale, words) => {
  const { user, dialog, list } = await open(undefined, locale);
  await user.type(list, 'foo{Enter}');
  expect(dialog.getAllByRole('listitem').map((item) => item.textContent)).toContainEqual(expect.stringMatching(words));
});

it('counts on its button only what will be banned', async () => {
  const { user, dialog, list } = await open();
  await user.click(list);
  await user.paste('9.9.9.9\nfoo\n8.8.8.8\n9.9.9.0/24\n9.9.9.9/32\n127.0.0.1');
  expect(dialog.getByRole('button', { name: 'Ban 2 entries' })).toBeTruthy();
});

it.each([
  ['en', '2 entries are left out: given twice or covered by a wider range.', 'Ban 2 entries'],
  ['zh', '2 项重复或已包含在更大的网段中，将被忽略。', '封禁 2 项'],
] as const)('takes in %s what is covered for a remark, no fault', async (locale, words, ban) => {
  const { user, dialog, list } = await open(undefined, locale);
  await user.type(list, '9.9.9.0/24 9.9.9.9 9.9.9.1/24 8.8.8.8{Enter}');
  expect(dialog.getByText(words)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: ban }));
  await waitFor(() => expect(api.addBans).toHaveBeenCalledOnce());
});

it.each([
  ['en', 'No visitor comes from these addresses. Enter others.', 'Ban'],
  ['zh', '不会有访客来自这些地址，请输入其他地址。', '封禁'],
] as const)('says in %s that nothing is left to ban, and sends nothing', async (locale, words, ban) => {
  const { user, dialog, list } = await open(undefined, locale);
  await user.type(list, '127.0.0.1 10.0.0.0/8{Enter}');
  await user.click(dialog.getByRole('button', { name: ban }));
  expect(dialog.getByText(words)).toBeTruthy();
  expect(api.addBans).not.toHaveBeenCalled();
});

it('begins with the address and the domain that it was opened for', async () => {
  const { user, dialog } = await open(ROUTE_ID, 'en', '9.9.9.7');
  await user.click(dialog.getByRole('button', { name: 'Ban' }));
  await waitFor(() => expect(api.addBans).toHaveBeenCalledOnce());
  expect(sent()).toMatchObject({ networks: ['9.9.9.7'], route_id: ROUTE_ID });
});

it('asks for at least one address, and for the domain', async () => {
  const { user, dialog } = await open();
  await user.click(dialog.getByRole('radio', { name: 'One domain' }));
  await user.click(dialog.getByRole('button', { name: 'Ban' }));
  expect(dialog.getByText('Enter at least one address or range')).toBeTruthy();
  expect(await dialog.findByText('Choose the domain')).toBeTruthy();
  await user.click(await dialog.findByRole('combobox', { name: 'Domain' }));
  await user.click(await screen.findByRole('option', { name: 'www.example.com' }));
  expect(dialog.queryByText('Choose the domain')).toBeNull();
});

it('is about the domain that the list is filtered by', async () => {
  const { user, dialog, list } = await open(ROUTE_ID);
  expect(await dialog.findByDisplayValue('www.example.com')).toBeTruthy();
  await user.type(list, '9.9.9.9{Enter}');
  await user.click(dialog.getByRole('button', { name: 'Ban' }));
  await waitFor(() => expect(api.addBans).toHaveBeenCalledOnce());
  expect(sent().route_id).toBe(ROUTE_ID);
});

it('stays open with what was typed when the API refuses, and says why', async () => {
  const body = {
    success: false as const,
    networks: 'TOO_MANY',
    message: '',
    request_id: '',
    params: { networks: { maximum: 100_000 } },
  };
  api.addBans.mockRejectedValue(new ApiError(422, 'VALIDATION_FAILED', body, ['networks.TOO_MANY']));
  const { user, dialog, list } = await open();
  await user.type(list, '9.9.9.9{Enter}');
  await user.click(dialog.getByRole('button', { name: 'Ban' }));
  expect(await dialog.findByText(/At most 100000|At most 100,000/)).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(list));
  expect(onClose).not.toHaveBeenCalled();
  expect(dialog.getByText('9.9.9.9')).toBeTruthy();
});

it('says so when the network is gone', async () => {
  api.addBans.mockRejectedValue(new ApiError(0, undefined, undefined, ['Please check your network']));
  const { user, dialog, list } = await open();
  await user.type(list, '9.9.9.9{Enter}');
  await user.click(dialog.getByRole('button', { name: 'Ban' }));
  expect(await dialog.findByText(/Please check your network/)).toBeTruthy();
  expect(onClose).not.toHaveBeenCalled();
});

it.each([
  ['en', '9.9.9.9', '9.9.9.9 is your own address: you will be blocked too.'],
  ['en', '9.9.0.0/16', '9.9.0.0/16 includes your own address, 9.9.9.9: you will be blocked too.'],
  ['zh', '9.9.0.0/16', '9.9.0.0/16 包含您自己的地址 9.9.9.9，封禁后您也无法访问这些域名。'],
] as const)('warns of a ban of oneself in %s: %s', async (locale, network, words) => {
  api.getDeploymentConfig.mockResolvedValue({ result: { client_address: '9.9.9.9' } });
  const { user, dialog, list } = await open(undefined, locale);
  await user.type(list, `9.9.8.8{Enter}`);
  expect(dialog.queryByText(words)).toBeNull();
  await user.type(list, `${network}{Enter}`);
  expect(await dialog.findByText(words)).toBeTruthy();
});

it.each([
  ['en', '127.0.0.1', '127.0.0.1 is left out: loopback address. No visitor comes from there.'],
  ['en', '9.9.9.9/24', /^9\.9\.9\.9\/24 covers all of 9\.9\.9\.0\/24\./],
  ['zh', '10.0.0.1', '10.0.0.1 将被忽略：属于私有地址，不会有访客来自该地址。'],
  ['zh', '9.9.9.9/24', /^9\.9\.9\.9\/24 表示整个 9\.9\.9\.0\/24。/],
] as const)('tells in %s what may surprise in %s, and bans the rest all the same', async (locale, entry, words) => {
  const { user, dialog, list } = await open(undefined, locale);
  await user.type(list, `${entry} 8.8.8.8{Enter}`);
  expect(dialog.getByText(words)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: locale === 'en' ? /^Ban/ : /^封禁/ }));
  await waitFor(() => expect(sent().networks).toEqual([entry, '8.8.8.8']));
});

it('tells of three surprises, and how many there are more', async () => {
  const { user, dialog, list } = await open();
  await user.click(list);
  await user.paste('10.0.0.1 10.0.0.2 10.0.0.3 10.0.0.4 10.0.0.5 9.9.9.9');
  expect(dialog.getAllByText(/private address/)).toHaveLength(3);
  expect(dialog.getByText('2 more entries like this.')).toBeTruthy();
});

it.each([
  ['en', '0.0.0.0/1', '0.0.0.0/1 bans 2,147,483,648 addresses: 50% of all IPv4.', 'Ban anyway'],
  ['zh', '0.0.0.0/1', '0.0.0.0/1 会封禁 2,147,483,648 个地址，占全部 IPv4 地址的 50%。', '仍然封禁'],
  ['en', '2600::/28', '2600::/28 bans as many addresses as 16 internet providers have (/32 each).', 'Ban anyway'],
] as const)('asks in %s before it bans %s, and sends nothing before', async (locale, entry, words, confirm) => {
  const { user, dialog, list } = await open(undefined, locale);
  await user.type(list, `${entry}{Enter}`);
  await user.click(dialog.getByRole('button', { name: locale === 'en' ? 'Ban' : '封禁' }));
  const question = within(await screen.findByRole('alertdialog'));
  expect(question.getByText(words)).toBeTruthy();
  expect(api.addBans).not.toHaveBeenCalled();
  await user.click(question.getByRole('button', { name: confirm }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(sent().networks).toEqual([entry]);
});

it.each(['9.0.0.0/8', '2600::/32'])('does not ask before it bans %s', async (entry) => {
  const { user, dialog, list } = await open();
  await user.type(list, `${entry}{Enter}`);
  await user.click(dialog.getByRole('button', { name: 'Ban' }));
  await waitFor(() => expect(api.addBans).toHaveBeenCalledOnce());
});

it('asks before Cancel throws away what was pasted', async () => {
  const { user, dialog, list } = await open();
  await user.click(list);
  await user.paste('9.9.9.9 8.8.8.8');
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  const question = within(await screen.findByRole('alertdialog'));
  expect(onClose).not.toHaveBeenCalled();
  await user.click(question.getByRole('button', { name: 'Discard changes' }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
});

it.each([
  ['en', 'No effect on shop.example.com: the plugin “Bans” is off there.', 'Turn it on', '9.9.9.9 is banned', 'Ban'],
  ['zh', '对 shop.example.com 无效：该域名未开启“封禁”插件。', '去开启', '已封禁 9.9.9.9', '封禁'],
] as const)('in %s says before and after of a domain whose plugin is off', async (locale, text, link, title, ban) => {
  const gaps = { plugin: 'ban', count: 1, domains: [{ id: ROUTE_ID, domain_name: 'shop.example.com' }] };
  api.listFeedGaps.mockResolvedValue({ result: gaps });
  api.addBans.mockResolvedValue({ result: { ...NONE_REPLACED, banned: 1, allowed: 0, ids: ['id-1'], ends_at: null } });
  const { user, dialog, list } = await open(ROUTE_ID, locale);
  const turnOn = await dialog.findByRole('link', { name: link });
  expect(turnOn.getAttribute('href')).toBe(`#/domain/list/${ROUTE_ID}?tab=protection&edit=ban`);
  // As above the list.
  expect(turnOn.closest('.text-warning')).not.toBeNull();
  expect(api.listFeedGaps.mock.calls[0]?.[0].query).toEqual({ feed: 'bans', route_id: ROUTE_ID });
  await user.type(list, '9.9.9.9{Enter}');
  await user.click(dialog.getByRole('button', { name: ban }));
  expect(await screen.findByText(title)).toBeTruthy();
  expect(screen.getAllByText(text).length).toBeGreaterThan(0);
});
