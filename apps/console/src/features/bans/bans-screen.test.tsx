// @vitest-environment happy-dom
import { ApiError } from '@cordon/contract';
import { onlineManager } from '@tanstack/react-query';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { needCatalogs } from '../../app/intl-store';
import { renderDomains } from '../../domain/testing/render-domains';
import { ROUTE_ID, sampleRoute } from '../../domain/testing/sample-route';
import { BansScreen } from './bans-screen';
import { type BansSearch, readBansSearch } from './bans-search';
import type { Ban } from './queries';

const api = vi.hoisted(() => ({
  listFeedGaps: vi.fn(),
  listBans: vi.fn(),
  addBans: vi.fn(),
  liftBans: vi.fn(),
  restoreBans: vi.fn(),
  liftFoundBans: vi.fn(),
  restoreFoundBans: vi.fn(),
  listRoutes: vi.fn(),
  getRoute: vi.fn(),
  getDeploymentConfig: vi.fn(),
}));
vi.mock('../../app/api-client', () => ({ api, queryClient: {} }));

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const sampleBan = (at: number, change: Partial<Ban> = {}): Ban => ({
  id: `0190f3a0-0000-7000-8000-0000000001${String(at).padStart(2, '0')}`,
  network: `9.9.9.${at}`,
  route_id: null,
  domain_name: null,
  plugin: null,
  reason: null,
  request_id: null,
  note: '',
  banned_by: 'lin@example.com',
  banned_at: ago(at),
  ends_at: null,
  ...change,
});
const byPlugin = sampleBan(2, {
  route_id: ROUTE_ID,
  domain_name: 'www.example.com',
  plugin: 'request-limit',
  reason: 'too_many_requests',
  request_id: 'a7f0c6c1d2e34f55',
  banned_by: 'edge-1',
  ends_at: ago(-60.5),
});
const pageOf = (...results: Ban[]) => ({ success: true, results, count: results.length, page: 1, perpage: 10 });

const searched = vi.fn();
function Page({ start }: { start: BansSearch }) {
  const [search, setSearch] = useState(start);
  return (
    <BansScreen
      search={search}
      tabs={null}
      onSearchChange={(change) => {
        searched(change);
        setSearch((before) => ({ ...before, ...change }));
      }}
    />
  );
}
async function open(start: BansSearch = {}, locale: 'en' | 'zh' = 'en') {
  await needCatalogs('bans');
  await renderDomains(<Page start={start} />, locale);
  return userEvent.setup({ delay: null });
}
const row = async (network: string) => {
  const cell = await screen.findByText(network);
  return within(cell.closest('tr') as HTMLElement);
};

beforeEach(() => {
  // Presses are told apart by it; on a busy machine they are far from each other.
  vi.useFakeTimers({ toFake: ['performance'] });
  searched.mockReset();
  for (const mock of Object.values(api)) mock.mockReset();
  api.listFeedGaps.mockResolvedValue({ result: { plugin: 'ban', count: 0, domains: [] } });
  api.listBans.mockResolvedValue(pageOf(sampleBan(1, { note: 'scans' }), byPlugin));
  api.listRoutes.mockResolvedValue({ results: [sampleRoute()], count: 1 });
  api.getRoute.mockResolvedValue({ result: sampleRoute() });
  api.getDeploymentConfig.mockResolvedValue({ result: { client_address: '127.0.0.1' } });
  api.liftBans.mockResolvedValue({ result: { lifted: 1, restored: 0 } });
  api.addBans.mockResolvedValue({ result: { banned: 1, replaced: 0, ids: [], replaced_ids: [], ends_at: null } });
  api.restoreBans.mockImplementation(({ body }) =>
    Promise.resolve({ result: { restored: body.ids.length, ended: 0, replaced: 0 } }),
  );
});

afterEach(() => {
  vi.useRealTimers();
});

const NO_NETWORK = new ApiError(0, undefined, undefined, ['Please check your network']);
const liftOf = (network: string) => screen.getByRole('button', { name: `Unban ${network}` });
/** What the API answers from now on. */
const listIs = (...bans: Ban[]) => api.listBans.mockResolvedValue(pageOf(...bans));
/** Longer than presses are taken for one. */
const pause = () => vi.advanceTimersByTime(510);

it.each([
  [
    'en',
    'scans',
    'lin@example.com',
    'All domains',
    'Until unbanned',
    'Request limit: Too many requests',
    'Node edge-1',
    'View request',
  ],
  ['zh', 'scans', 'lin@example.com', '所有域名', '手动解封前有效', '访问频率控制：请求过多', '节点 edge-1', '查看请求'],
] as const)(
  'tells in %s who is banned from where, why, by whom and for how long',
  async (locale, note, by, all, lifted, reason, node, request) => {
    await open({}, locale);
    const first = await row('9.9.9.1');
    for (const text of [note, by, all, lifted]) expect(first.getByText(text)).toBeTruthy();
    const second = await row('9.9.9.2');
    expect(await second.findByText(reason)).toBeTruthy();
    expect(second.getByText(node)).toBeTruthy();
    // The reason says it; whole, where the pointer rests.
    expect(second.getByTitle(`${reason} · ${node}`)).toBeTruthy();
    expect(second.getByRole('link', { name: 'www.example.com' }).getAttribute('href')).toContain(ROUTE_ID);
    const href = second.getByRole('link', { name: request }).getAttribute('href') ?? '';
    expect(decodeURIComponent(href)).toContain('request=a7f0c6c1d2e34f55');
    const end = second.getByText(locale === 'en' ? /^1\s?h/ : /^1\s小时/);
    expect(end.getAttribute('title')).toMatch(locale === 'en' ? /^Until / : /^至 /);
  },
);

it('lifts one with one press, and Undo brings the very ban back', async () => {
  const user = await open();
  await user.click((await row('9.9.9.2')).getByRole('button', { name: 'Unban 9.9.9.2' }));
  await waitFor(() => expect(api.liftBans).toHaveBeenCalledWith({ body: { ids: [byPlugin.id] } }));
  expect(await screen.findByText('9.9.9.2 unbanned')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(api.restoreBans).toHaveBeenCalledWith({ body: { ids: [byPlugin.id] } }));
  expect(await screen.findByText('Ban restored')).toBeTruthy();
  expect(api.addBans).not.toHaveBeenCalled();
  await waitFor(() => expect(screen.queryByText('9.9.9.2 unbanned')).toBeNull());
});

it('takes a press at once after Undo, which is no second press of the first', async () => {
  const user = await open();
  await row('9.9.9.2');
  await user.click(liftOf('9.9.9.2'));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await user.click(await screen.findByRole('button', { name: 'Unban 9.9.9.2' }));
  await waitFor(() => expect(api.liftBans).toHaveBeenCalledTimes(2));
});

it('takes two presses in a moment for one: the second was not meant for the row that moves there', async () => {
  const [one, two] = [sampleBan(1), sampleBan(2)];
  listIs(one, two);
  const user = await open();
  await row('9.9.9.1');
  listIs(two);
  await user.click(liftOf('9.9.9.1'));
  await waitFor(() => expect(screen.queryByText('9.9.9.1')).toBeNull());
  await user.click(liftOf('9.9.9.2'));
  expect(await screen.findByText('9.9.9.1 unbanned')).toBeTruthy();
  expect(api.liftBans).toHaveBeenCalledTimes(1);
  pause();
  await user.click(liftOf('9.9.9.2'));
  await waitFor(() => expect(api.liftBans).toHaveBeenCalledTimes(2));
});

it('adds up what is lifted while the notice stands, and Undo brings all of it back', async () => {
  const bans = [sampleBan(1), sampleBan(2)];
  listIs(...bans);
  const user = await open();
  await row('9.9.9.1');
  await user.click(liftOf('9.9.9.1'));
  expect(await screen.findByText('9.9.9.1 unbanned')).toBeTruthy();
  pause();
  await user.click(liftOf('9.9.9.2'));
  expect(await screen.findByText('2 entries unbanned')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(api.restoreBans).toHaveBeenCalledWith({ body: { ids: bans.map(({ id }) => id) } }));
  expect(await screen.findByText('2 bans restored')).toBeTruthy();
});

it('takes Undo away once the address is banned anew, which leaves nothing to bring back', async () => {
  const user = await open();
  await user.click(await screen.findByRole('button', { name: 'Unban 9.9.9.1' }));
  await screen.findByRole('button', { name: 'Undo' });
  listIs(byPlugin);
  api.addBans.mockResolvedValue({
    result: { banned: 1, replaced: 0, ids: ['new'], replaced_ids: [], allowed: 0, ends_at: null },
  });
  await user.click(screen.getAllByRole('button', { name: 'Ban addresses' })[0] as HTMLElement);
  const dialog = within(await screen.findByRole('dialog', { name: 'Ban addresses' }));
  await user.type(dialog.getAllByRole('textbox')[0] as HTMLElement, '9.9.9.1/32{Enter}');
  await user.click(dialog.getByRole('button', { name: 'Ban' }));
  await screen.findByText('9.9.9.1 is banned');
  await waitFor(() => expect(screen.queryByText('9.9.9.1 unbanned')).toBeNull());
  expect(screen.getAllByRole('button', { name: 'Undo', hidden: true })).toHaveLength(1);
});

it('takes Undo of a ban away once that is lifted from its row', async () => {
  const added = sampleBan(5);
  const user = await open();
  await screen.findByText('9.9.9.1');
  api.addBans.mockResolvedValue({
    result: { banned: 1, replaced: 0, ids: [added.id], replaced_ids: [], allowed: 0, ends_at: null },
  });
  listIs(added, byPlugin);
  await user.click(screen.getAllByRole('button', { name: 'Ban addresses' })[0] as HTMLElement);
  const dialog = within(await screen.findByRole('dialog', { name: 'Ban addresses' }));
  await user.type(dialog.getAllByRole('textbox')[0] as HTMLElement, '9.9.9.5{Enter}');
  await user.click(dialog.getByRole('button', { name: 'Ban' }));
  await screen.findByText('9.9.9.5 is banned');
  await user.click(await screen.findByRole('button', { name: 'Unban 9.9.9.5' }));
  await screen.findByText('9.9.9.5 unbanned');
  await waitFor(() => expect(screen.queryByText('9.9.9.5 is banned')).toBeNull());
});

it('counts what Undo of bans lifted itself, and takes Undo of the one that was lifted before away', async () => {
  const added = [sampleBan(5), sampleBan(6)];
  const user = await open();
  await screen.findByText('9.9.9.1');
  api.addBans.mockResolvedValue({
    result: { banned: 2, replaced: 0, ids: added.map(({ id }) => id), replaced_ids: [], allowed: 0, ends_at: null },
  });
  listIs(...added, byPlugin);
  await user.click(screen.getAllByRole('button', { name: 'Ban addresses' })[0] as HTMLElement);
  const dialog = within(await screen.findByRole('dialog', { name: 'Ban addresses' }));
  await user.click(dialog.getAllByRole('textbox')[0] as HTMLElement);
  await user.paste('9.9.9.5 9.9.9.6');
  await user.click(dialog.getByRole('button', { name: 'Ban 2 entries' }));
  await screen.findByText('2 entries are banned');
  await user.click(await screen.findByRole('button', { name: 'Unban 9.9.9.6' }));
  await screen.findByText('9.9.9.6 unbanned');
  listIs(byPlugin);
  api.liftBans.mockResolvedValue({ result: { lifted: 1, restored: 0 } });
  const bansNotice = screen.getByText('2 entries are banned').closest('[role=dialog]') as HTMLElement;
  await user.click(within(bansNotice).getByRole('button', { name: 'Undo', hidden: true }));
  expect(await screen.findByText('1 entry unbanned')).toBeTruthy();
  await waitFor(() => expect(screen.queryByText('9.9.9.6 unbanned')).toBeNull());
});

it('begins anew once the notice is dismissed', async () => {
  listIs(sampleBan(1), sampleBan(2));
  const user = await open();
  await row('9.9.9.1');
  await user.click(liftOf('9.9.9.1'));
  await screen.findByText('9.9.9.1 unbanned');
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  pause();
  await user.click(liftOf('9.9.9.2'));
  expect(await screen.findByText('9.9.9.2 unbanned')).toBeTruthy();
});

it('brings more back than an answer of one call holds, and says which stay away and why', async () => {
  const bans = Array.from({ length: 30 }, (_, at) => sampleBan(at, { plugin: 'request-limit', reason: 'x' }));
  listIs(...bans);
  api.restoreBans.mockResolvedValue({ result: { restored: 27, ended: 1, replaced: 1 } });
  const user = await open();
  await row('9.9.9.9');
  await user.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }));
  await user.click(screen.getByRole('button', { name: 'Unban 30 entries' }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('27 bans restored')).toBeTruthy();
  for (const words of [/1 ban has expired/, /1 address was banned again/, /1 ban can no longer be restored/])
    expect(screen.getByText(words)).toBeTruthy();
});

it('puts a row back when lifting fails, says what holds still and why, and tries again', async () => {
  api.liftBans.mockRejectedValue(NO_NETWORK);
  const user = await open();
  await user.click((await row('9.9.9.1')).getByRole('button', { name: /^Unban/ }));
  // Errors are announced as well.
  expect((await screen.findAllByText('9.9.9.1 is still banned'))[0]).toBeTruthy();
  expect(document.querySelectorAll('[data-notice]')).toHaveLength(1);
  expect(document.querySelector('[data-notice]')?.textContent).toContain('Please check your network');
  expect(await screen.findByText('9.9.9.1')).toBeTruthy();
  expect(screen.queryByText('9.9.9.1 unbanned')).toBeNull();
  api.liftBans.mockResolvedValue({ result: { lifted: 1, restored: 0 } });
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('9.9.9.1 unbanned')).toBeTruthy();
  await waitFor(() => expect(screen.queryAllByText('9.9.9.1 is still banned')).toHaveLength(0));
});

it('says at once that it cannot lift while there is no network, and shows what holds still', async () => {
  api.liftBans.mockRejectedValue(NO_NETWORK);
  const user = await open();
  await row('9.9.9.1');
  onlineManager.setOnline(false);
  // Nor can the list be read again.
  api.listBans.mockRejectedValue(NO_NETWORK);
  try {
    await user.click(liftOf('9.9.9.1'));
    expect((await screen.findAllByText('9.9.9.1 is still banned'))[0]).toBeTruthy();
    await row('9.9.9.1');
  } finally {
    onlineManager.setOnline(true);
  }
});

it('says how many hold still when many cannot be lifted, and keeps Retry when they cannot be brought back', async () => {
  api.liftBans.mockRejectedValueOnce(NO_NETWORK);
  api.restoreBans.mockRejectedValueOnce(NO_NETWORK);
  const user = await open();
  await row('9.9.9.1');
  await user.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }));
  await user.click(screen.getByRole('button', { name: 'Unban 2 entries' }));
  expect((await screen.findAllByText('2 bans are still active'))[0]).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect((await screen.findAllByText('Bans not restored'))[0]).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('2 bans restored')).toBeTruthy();
});

it('leads the keyboard to the next row, then the previous, then the search', async () => {
  const [one, two, three] = [sampleBan(1), sampleBan(2), sampleBan(3)];
  listIs(one, two, three);
  const user = await open();
  await row('9.9.9.1');
  const press = async (network: string, ...left: Ban[]) => {
    listIs(...left);
    liftOf(network).focus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.queryByRole('button', { name: `Unban ${network}` })).toBeNull());
    pause();
  };
  await press('9.9.9.2', one, three);
  expect(document.activeElement).toBe(liftOf('9.9.9.3'));
  await press('9.9.9.3', one);
  expect(document.activeElement).toBe(liftOf('9.9.9.1'));
  await press('9.9.9.1');
  expect(document.activeElement).toBe(screen.getByRole('searchbox'));
});

it('lifts no second row while Enter is held', async () => {
  await open();
  await row('9.9.9.1');
  const isPressed = (repeat: boolean) => fireEvent.keyDown(liftOf('9.9.9.1'), { key: 'Enter', repeat });
  expect(isPressed(false)).toBe(true);
  expect(isPressed(true)).toBe(false);
});

it('lifts many that are selected', async () => {
  const user = await open();
  await user.click(await screen.findByRole('checkbox', { name: 'Select 9.9.9.1' }));
  await user.click(screen.getByRole('checkbox', { name: 'Select 9.9.9.2' }));
  expect(screen.getByText('2 selected')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Unban 2 entries' }));
  await waitFor(() => expect(api.liftBans).toHaveBeenCalledTimes(1));
  expect(api.liftBans.mock.calls[0]?.[0].body.ids).toHaveLength(2);
  expect(await screen.findByText('2 entries unbanned')).toBeTruthy();
  expect(screen.queryByText('2 selected')).toBeNull();
});

it('shows who is banned meanwhile without a reload, and holds still while rows are selected', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    await open();
    await row('9.9.9.1');
    api.listBans.mockResolvedValue(pageOf(sampleBan(3), sampleBan(1)));
    await vi.advanceTimersByTimeAsync(5000);
    expect(await screen.findByText('9.9.9.3')).toBeTruthy();
    await user.click(screen.getByRole('checkbox', { name: 'Select 9.9.9.3' }));
    const asked = api.listBans.mock.calls.length;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(api.listBans.mock.calls.length).toBe(asked);
    await user.click(screen.getByRole('button', { name: 'Clear selection' }));
    await vi.advanceTimersByTimeAsync(5000);
    expect(api.listBans.mock.calls.length).toBeGreaterThan(asked);
  } finally {
    vi.useRealTimers();
  }
});

it('asks the API for what is searched and for the domain of the address', async () => {
  const user = await open({ domain: ROUTE_ID });
  await row('9.9.9.1');
  expect(api.listBans.mock.calls[0]?.[0].query).toEqual({ page: 1, perpage: 10, q: undefined, route_id: ROUTE_ID });
  expect(await screen.findByDisplayValue('www.example.com')).toBeTruthy();
  await user.type(screen.getByRole('searchbox', { name: 'Address or note' }), '9.9.0.0/16');
  await waitFor(() => expect(api.listBans.mock.calls.at(-1)?.[0].query.q).toBe('9.9.0.0/16'));
  await user.click(screen.getByRole('button', { name: 'All domains' }));
  await waitFor(() => expect(api.listBans.mock.calls.at(-1)?.[0].query.route_id).toBeUndefined());
});

it('says what can be searched for when nothing is found', async () => {
  listIs();
  await open({ q: 'eight' });
  expect(await screen.findByText(/range such as 81\.2\.69\.0\/24, or note/)).toBeTruthy();
});

it('invites to ban by hand when there are no bans', async () => {
  api.listBans.mockResolvedValue(pageOf());
  const user = await open();
  expect(await screen.findByText('No addresses are banned')).toBeTruthy();
  // One, where the hand is led to.
  await user.click(screen.getByRole('button', { name: 'Ban addresses' }));
  expect(await screen.findByRole('dialog', { name: 'Ban addresses' })).toBeTruthy();
});

it.each([
  [new ApiError(0, undefined, undefined, ['Please check your network']), 'Please check your network'],
  [
    new ApiError(500, 'INTERNAL', { success: false, code: 'INTERNAL', message: '', request_id: 'r-1' }, [
      'code.INTERNAL',
    ]),
    'r-1',
  ],
])('says why the list could not be loaded, and tries again: %s', async (error, words) => {
  api.listBans.mockRejectedValue(error);
  const user = await open();
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain(words);
  api.listBans.mockResolvedValue(pageOf(sampleBan(1)));
  await user.click(within(alert).getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('9.9.9.1')).toBeTruthy();
});

it('goes to the last page that there is when its own has gone', async () => {
  api.listBans.mockResolvedValue({ ...pageOf(), count: 11 });
  await open({ page: 3 });
  await waitFor(() => expect(searched).toHaveBeenCalledWith({ page: 2 }));
});

it('reads its address, and leaves out what it does not understand', () => {
  expect(readBansSearch({ page: '2', q: 10, domain: ROUTE_ID, add: true, more: 1 })).toEqual({
    page: 2,
    perpage: undefined,
    q: '10',
    domain: ROUTE_ID,
    add: true,
  });
  expect(Object.values(readBansSearch({ page: -1, q: {}, domain: 'x', add: 'yes' }))).toEqual(
    Array.from({ length: 6 }, () => undefined),
  );
});

it('says which domains have no bans, also in the rows of their bans', async () => {
  const gaps = { plugin: 'ban', count: 1, domains: [{ id: ROUTE_ID, domain_name: 'www.example.com' }] };
  api.listFeedGaps.mockResolvedValue({ result: gaps });
  api.listBans.mockResolvedValue(pageOf(sampleBan(1), byPlugin));
  await needCatalogs('bans');
  await renderDomains(<Page start={{}} />);
  expect(await screen.findByText(/^Bans have no effect on www\.example\.com/)).toBeTruthy();
  const marks = await screen.findAllByText('No effect');
  expect(marks).toHaveLength(1);
  expect(marks[0]?.closest('[role=row]')?.textContent).toContain('9.9.9.2');
});

it.each([
  ['en', {}, 'Ends every ban: these addresses can reach all your domains again.', { q: '' }],
  ['en', { q: '9.9' }, 'Unbans everything that the search “9.9” finds.', { q: '9.9' }],
  [
    'en',
    { domain: ROUTE_ID },
    'Unbans everything that applies to this domain, including bans on all your domains.',
    { q: '', route_id: ROUTE_ID },
  ],
  [
    'zh',
    { q: '9.9', domain: ROUTE_ID },
    '将解封搜索“9.9”的结果中对该域名生效的全部条目，包括对所有域名的封禁。',
    { q: '9.9', route_id: ROUTE_ID },
  ],
] as const)(
  'lifts after a question in %s all that %j finds, and Undo brings back what this lifted',
  async (locale, search, words, body) => {
    api.listBans.mockResolvedValue({ ...pageOf(sampleBan(1), byPlugin), count: 4200 });
    api.liftFoundBans.mockResolvedValue({ result: { lifted: 4201, lift_id: 'l-1' } });
    api.restoreFoundBans.mockResolvedValue({ result: { restored: 4200, ended: 1, replaced: 0 } });
    const user = await open(search, locale);
    const say = (en: string, zh: string) => (locale === 'en' ? en : zh);
    await user.click(await screen.findByRole('checkbox', { name: /9\.9\.9\.1/ }));
    await user.click(await screen.findByRole('button', { name: say('Unban all 4,200…', '解封全部 4,200 项…') }));
    const question = within(await screen.findByRole('alertdialog'));
    expect(question.getByText(words)).toBeTruthy();
    expect(api.liftFoundBans).not.toHaveBeenCalled();
    await user.click(question.getByRole('button', { name: say('Unban all', '全部解封') }));
    await waitFor(() => expect(api.liftFoundBans).toHaveBeenCalledWith({ body }));
    expect(await screen.findByText(say('4,201 entries unbanned', '已解封 4,201 项'))).toBeTruthy();
    expect((screen.getByRole('checkbox', { name: /9\.9\.9\.1/ }) as HTMLInputElement).checked).toBe(false);
    await user.click(screen.getByRole('button', { name: say('Undo', '撤销') }));
    await waitFor(() => expect(api.restoreFoundBans).toHaveBeenCalledWith({ body: { lift_id: 'l-1' } }));
    expect(await screen.findByText(say('4,200 bans restored', '已恢复 4,200 项封禁'))).toBeTruthy();
  },
);

it('offers to lift all where there are more than are selected, and says so when it fails', async () => {
  const user = await open();
  for (const network of ['1', '2'])
    await user.click(await screen.findByRole('checkbox', { name: new RegExp(`9\\.9\\.9\\.${network}`) }));
  expect(screen.getByRole('button', { name: 'Unban 2 entries' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Unban all/ })).toBeNull();
  await user.click(screen.getByRole('checkbox', { name: /9\.9\.9\.2/ }));
  api.liftFoundBans.mockRejectedValueOnce(NO_NETWORK);
  await user.click(await screen.findByRole('button', { name: 'Unban all 2…' }));
  const question = within(await screen.findByRole('alertdialog'));
  await user.click(question.getByRole('button', { name: 'Unban all' }));
  expect(await screen.findAllByText('2 bans are still active')).not.toEqual([]);
  api.liftFoundBans.mockResolvedValue({ result: { lifted: 2, lift_id: 'l-2' } });
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('2 entries unbanned')).toBeTruthy();
});
