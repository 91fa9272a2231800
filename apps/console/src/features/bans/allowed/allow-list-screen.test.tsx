// @vitest-environment happy-dom
import { ApiError } from '@cordon/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { needCatalogs } from '../../../app/intl-store';
import { networkReturns } from '../../../domain/testing/network-returns';
import { renderDomains } from '../../../domain/testing/render-domains';
import AllowListScreen from './allow-list-screen';
import { type AllowListSearch, readAllowListSearch } from './allow-list-search';
import type { AllowedNetwork } from './queries';

const api = vi.hoisted(() => ({
  listFeedGaps: vi.fn(),
  listAllowedNetworks: vi.fn(),
  allowNetworks: vi.fn(),
  removeAllowedNetworks: vi.fn(),
  restoreAllowedNetworks: vi.fn(),
}));
vi.mock('../../../app/api-client', () => ({ api, queryClient: {} }));

const entry = (at: number, change: Partial<AllowedNetwork> = {}): AllowedNetwork => ({
  id: `0190f3a0-0000-7000-8000-0000000002${String(at).padStart(2, '0')}`,
  network: `9.9.9.${at}`,
  note: '',
  added_by: 'lin@example.com',
  added_at: new Date(Date.now() - at * 60_000).toISOString(),
  ends_at: null,
  ...change,
});
const listIs = (...results: AllowedNetwork[]) =>
  api.listAllowedNetworks.mockResolvedValue({
    success: true,
    results,
    count: results.length,
    page: 1,
    perpage: 10,
    maximum: 100_000,
  });
const result = { added: 0, replaced: 0, merged: 0, ignored: 0, overridden_bans: 0 };

function Page({ start }: { start: AllowListSearch }) {
  const [search, setSearch] = useState(start);
  return (
    <AllowListScreen
      search={search}
      onSearchChange={(change) => setSearch((before) => ({ ...before, ...change }))}
      title="Manage IP"
      tabs={null}
    />
  );
}
async function open(start: AllowListSearch = {}, locale: 'en' | 'zh' = 'en') {
  await needCatalogs('bans');
  await renderDomains(<Page start={start} />, locale);
  return userEvent.setup({ delay: null });
}

beforeEach(() => {
  for (const mock of Object.values(api)) mock.mockReset();
  api.listFeedGaps.mockResolvedValue({ result: { plugin: 'allow-list', count: 0, domains: [] } });
  listIs(entry(1, { note: 'office' }), entry(2, { ends_at: '2099-11-20T11:00:00Z' }));
  api.allowNetworks.mockResolvedValue({ result: { ...result, added: 2 } });
  api.removeAllowedNetworks.mockResolvedValue({ result: { removed: 1, removal_id: 'r-1' } });
  api.restoreAllowedNetworks.mockResolvedValue({ result: { restored: 1, ended: 0, replaced: 0 } });
});

it.each([
  ['en', 'Until removed', 'Nov 20, 2099, 11:00:00'],
  ['zh', '长期有效', '2099年11月20日 11:00:00'],
] as const)('tells in %s who passes, why, by whom and until when', async (locale, noEnd, end) => {
  await open({}, locale);
  const first = within((await screen.findByText('9.9.9.1')).closest('tr') as HTMLElement);
  for (const text of ['office', 'lin@example.com', noEnd]) expect(first.getByText(text)).toBeTruthy();
  const second = within(screen.getByText('9.9.9.2').closest('tr') as HTMLElement);
  expect(second.getByText(end)).toBeTruthy();
});

it('removes one with one press, and Undo brings back what this removal took', async () => {
  const user = await open();
  await user.click(await screen.findByRole('button', { name: 'Remove 9.9.9.1' }));
  await waitFor(() => expect(api.removeAllowedNetworks).toHaveBeenCalledWith({ body: { ids: [entry(1).id] } }));
  expect(await screen.findByText('9.9.9.1 removed')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(api.restoreAllowedNetworks).toHaveBeenCalledWith({ body: { removal_id: 'r-1' } }));
  expect(await screen.findByText('Entry restored')).toBeTruthy();
});

it('takes Undo away once the entry is added anew', async () => {
  const user = await open();
  await user.click(await screen.findByRole('button', { name: 'Remove 9.9.9.1' }));
  await screen.findByText('9.9.9.1 removed');
  api.allowNetworks.mockResolvedValue({
    result: { added: 1, replaced: 0, merged: 0, ignored: 0, overridden_bans: 0 },
  });
  await user.click(screen.getAllByRole('button', { name: 'Add addresses' })[0] as HTMLElement);
  const dialog = within(await screen.findByRole('dialog', { name: 'Add to the allow list' }));
  await user.type(dialog.getAllByRole('textbox')[0] as HTMLElement, '9.9.9.1');
  await user.click(dialog.getByRole('button', { name: /^Add/ }));
  await waitFor(() => expect(screen.queryByText('9.9.9.1 removed')).toBeNull());
  expect(api.allowNetworks).toHaveBeenCalledOnce();
});

it('says so when nothing was removed, and tries again', async () => {
  api.removeAllowedNetworks.mockRejectedValueOnce(new ApiError(0, undefined, undefined, ['Please check your network']));
  const user = await open();
  await user.click(await screen.findByRole('button', { name: 'Remove 9.9.9.1' }));
  expect(await screen.findAllByText('Not removed')).not.toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Retry', hidden: true }));
  expect(await screen.findByText('9.9.9.1 removed')).toBeTruthy();
});

it('removes those that are selected, or after a question all that the search finds', async () => {
  api.listAllowedNetworks.mockResolvedValue({
    success: true,
    results: [entry(1), entry(2)],
    count: 4200,
    page: 1,
    perpage: 10,
  });
  const user = await open({ q: '9.9' });
  await user.click(await screen.findByRole('checkbox', { name: /9\.9\.9\.1/ }));
  await user.click(screen.getByRole('button', { name: 'Remove all 4,200…' }));
  const question = within(await screen.findByRole('alertdialog'));
  expect(question.getByText(/“9\.9”/)).toBeTruthy();
  expect(api.removeAllowedNetworks).not.toHaveBeenCalled();
  api.removeAllowedNetworks.mockResolvedValueOnce({ result: { removed: 4200, removal_id: 'r-2' } });
  await user.click(question.getByRole('button', { name: 'Remove all' }));
  await waitFor(() => expect(api.removeAllowedNetworks).toHaveBeenCalledWith({ body: { q: '9.9' } }));
  expect(await screen.findByText('4,200 entries removed')).toBeTruthy();
  await user.click(await screen.findByRole('checkbox', { name: /9\.9\.9\.2/ }));
  await user.click(screen.getByRole('button', { name: 'Remove 1 entry' }));
  await waitFor(() => expect(api.removeAllowedNetworks).toHaveBeenCalledWith({ body: { ids: [entry(2).id] } }));
});

it.each([
  ['en', 'The allow list is empty', 'Add addresses'],
  ['zh', '白名单为空', '添加 IP'],
] as const)('says in %s what it is for while it is empty', async (locale, words, button) => {
  listIs();
  const user = await open({}, locale);
  expect(await screen.findByText(words)).toBeTruthy();
  await user.click(screen.getAllByRole('button', { name: button })[0] as HTMLElement);
  expect(await screen.findByRole('dialog')).toBeTruthy();
});

it('adds what is pasted, and says what became of it', async () => {
  api.allowNetworks.mockResolvedValue({ result: { added: 2, replaced: 1, merged: 3, ignored: 1, overridden_bans: 2 } });
  const user = await open({ add: true });
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('textbox', { name: 'Addresses and ranges' }));
  await user.paste('9.9.9.9\n2606:4700::/32, 8.8.8.8');
  expect(dialog.getByText('3 entries')).toBeTruthy();
  await user.type(dialog.getByRole('textbox', { name: 'Note' }), 'office');
  await user.click(dialog.getByRole('button', { name: 'Add 3 entries' }));
  await waitFor(() =>
    expect(api.allowNetworks).toHaveBeenCalledWith({
      body: { networks: ['9.9.9.9', '2606:4700::/32', '8.8.8.8'], note: 'office', ends_at: null },
    }),
  );
  expect(await screen.findByText('2 entries added')).toBeTruthy();
  expect(
    screen.getByText(/1 entry was on the list.*3 entries were already there.*2 bans no longer apply/),
  ).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Add to the allow list' })).toBeNull());
});

it.each([
  ['1 day', 86_400],
  ['30 days', 30 * 86_400],
] as const)('adds for %s', async (choice, seconds) => {
  const user = await open({ add: true });
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByRole('textbox', { name: 'Addresses and ranges' }), '9.9.9.9');
  await user.click(dialog.getByRole('radio', { name: choice }));
  await user.click(dialog.getByRole('button', { name: 'Add' }));
  await waitFor(() => expect(api.allowNetworks).toHaveBeenCalledOnce());
  const { ends_at: endsAt } = api.allowNetworks.mock.lastCall?.[0].body ?? {};
  expect((Date.parse(endsAt) - Date.now()) / 1000).toBeCloseTo(seconds, -2);
});

it.each([
  [
    'en',
    'Add',
    '9.9.9.9\nnonsense\n8.8.8.8 0.0.0.0/0',
    /2 entries cannot.*line 2 \(nonsense: not an address or range\) and line 3 \(0\.0\.0\.0\/0: the whole Internet\)/,
  ],
  ['zh', '添加', '9.9.9.9\nnonsense', /1 项无法添加：第 2 行（nonsense：不是 IP 地址或网段）$/],
  [
    'zh',
    '添加',
    'nonsense x y\nz w',
    /^5 项无法添加：第 1 行（nonsense：[^）]*）、第 1 行（x：[^）]*）、第 1 行（y：[^）]*）和另外 2 项$/,
  ],
  ['en', 'Add', ' ', /Enter at least one/],
] as const)('names in %s what is no address by its line, and sends nothing', async (locale, add, typed, words) => {
  const user = await open({ add: true }, locale);
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getAllByRole('textbox')[0] as HTMLElement);
  await user.paste(typed);
  await user.click(dialog.getByRole('button', { name: add }));
  expect(await dialog.findByText(words)).toBeTruthy();
  expect(api.allowNetworks).not.toHaveBeenCalled();
  const list = dialog.getAllByRole('textbox')[0] as HTMLTextAreaElement;
  const selected = list.value.slice(list.selectionStart, list.selectionEnd);
  expect(selected).toBe(typed.trim() === '' ? '' : 'nonsense');
  // Pressed once more, it leads there again.
  await user.click(dialog.getByRole('button', { name: add }));
  expect(document.activeElement).toBe(list);
  expect(api.allowNetworks).not.toHaveBeenCalled();
});

it.each([
  ['en', 'Add 2 entries', '1 entry is left out: given twice or covered by a wider range.'],
  ['zh', '添加 2 项', '1 项重复或已包含在更大的网段中，将被忽略。'],
] as const)(
  'counts in %s on its button only what will be added, and says what will not',
  async (locale, add, merged) => {
    const user = await open({ add: true }, locale);
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getAllByRole('textbox')[0] as HTMLElement);
    await user.paste('9.9.9.0/24\n9.9.9.1\n8.8.8.8\n10.0.0.1');
    expect(dialog.getByRole('button', { name: add })).toBeTruthy();
    expect(dialog.getByText(merged)).toBeTruthy();
    expect(dialog.getByText(locale === 'en' ? /^10\.0\.0\.1 is left out/ : /^10\.0\.0\.1 将被忽略/)).toBeTruthy();
  },
);

it('takes a hundred thousand entries, and counts them once typing rests', async () => {
  const user = await open({ add: true });
  const dialog = within(await screen.findByRole('dialog'));
  const entries = Array.from({ length: 100_000 }, (_, at) => `9.${at >> 16}.${(at >> 8) & 255}.${at & 255}`);
  const list = dialog.getAllByRole('textbox')[0] as HTMLTextAreaElement;
  fireEvent.change(list, { target: { value: entries.join('\n') } });
  // Nothing is read before: each key would wait for it.
  expect(dialog.getByRole('button', { name: 'Add' })).toBeTruthy();
  await user.click(await dialog.findByRole('button', { name: 'Add 100,000 entries' }, { timeout: 5000 }));
  await waitFor(() => expect(api.allowNetworks.mock.lastCall?.[0].body.networks).toHaveLength(100_000));
});

it('says what the plan allows, and takes no list that is longer', async () => {
  api.listAllowedNetworks.mockResolvedValue({
    success: true,
    results: [],
    count: 7,
    page: 1,
    perpage: 10,
    maximum: 1000,
  });
  const user = await open({ add: true });
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText(/The list holds up to 1,000; 7 on it now\.$/)).toBeTruthy();
  const list = dialog.getAllByRole('textbox')[0] as HTMLTextAreaElement;
  const entries = (count: number) => Array.from({ length: count }, (_, at) => `9.0.${at >> 8}.${at & 255}`).join('\n');
  fireEvent.change(list, { target: { value: entries(1001) } });
  await dialog.findByText('The list holds up to 1,000 entries, and 7 are on it: 993 more fit.');
  await user.click(dialog.getByRole('button', { name: /^Add/ }));
  expect(document.activeElement).toBe(list);
  expect(api.allowNetworks).not.toHaveBeenCalled();
  // Some may be on it already.
  fireEvent.change(list, { target: { value: entries(1000) } });
  await user.click(await dialog.findByRole('button', { name: /^Add 1,000/ }));
  await waitFor(() => expect(api.allowNetworks).toHaveBeenCalledOnce());
});

it('stays open when the API refuses, and says why at the field', async () => {
  const body = {
    success: false as const,
    networks: 'TOO_MANY',
    message: '',
    request_id: '',
    params: { networks: { maximum: 1000 } },
  };
  api.allowNetworks.mockRejectedValue(new ApiError(422, 'VALIDATION_FAILED', body, ['networks.TOO_MANY']));
  const user = await open({ add: true });
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByRole('textbox', { name: 'Addresses and ranges' }), '9.9.9.9');
  await user.click(dialog.getByRole('button', { name: 'Add' }));
  // The bound is of the whole list, which has two entries already.
  expect(await dialog.findByText('The list holds up to 1,000 entries, and 2 are on it: 998 more fit.')).toBeTruthy();
  const button = dialog.getByRole('button', { name: 'Add' });
  await user.click(button);
  expect(api.allowNetworks).toHaveBeenCalledOnce();
  await user.type(dialog.getByRole('textbox', { name: 'Addresses and ranges' }), '8');
  await user.click(button);
  await waitFor(() => expect(api.allowNetworks).toHaveBeenCalledTimes(2));
});

it('says that there is no network for as long as that is so', async () => {
  api.allowNetworks.mockRejectedValue(new ApiError(0, undefined, undefined, []));
  const user = await open({ add: true, address: '9.9.9.7' });
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Add' }));
  await dialog.findByText(/check your network/);
  networkReturns();
  expect(dialog.queryByText(/check your network/)).toBeNull();
});

it('begins with the address that it was opened for', async () => {
  const user = await open({ add: true, address: '9.9.9.7' });
  const dialog = within(await screen.findByRole('dialog'));
  expect((dialog.getAllByRole('textbox')[0] as HTMLTextAreaElement).value).toBe('9.9.9.7');
  await user.click(dialog.getByRole('button', { name: 'Add' }));
  await waitFor(() => expect(api.allowNetworks).toHaveBeenCalledOnce());
  expect(api.allowNetworks.mock.lastCall?.[0].body.networks).toEqual(['9.9.9.7']);
});

it('says how many entries there are, and has a title of its own', async () => {
  await open();
  expect(await screen.findByText('2 entries')).toBeTruthy();
  expect(document.title).toMatch(/^Allow list · Manage IP/);
});

it('reads of the address what it understands', () => {
  expect(readAllowListSearch({ page: 2, q: 81.2, add: true, domain: 'x' })).toEqual({
    page: 2,
    perpage: undefined,
    q: '81.2',
    add: true,
  });
});

it('gives the one address of a request a line, and no box for thousands', async () => {
  api.allowNetworks.mockResolvedValue({ result: { added: 1, replaced: 0, merged: 0, ignored: 0, overridden_bans: 0 } });
  const user = await open({ add: true, address: '9.9.9.9' });
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByRole('textbox', { name: 'Addresses and ranges' }).tagName).toBe('INPUT');
  await user.click(dialog.getByRole('button', { name: 'Add' }));
  await waitFor(() =>
    expect(api.allowNetworks).toHaveBeenCalledWith({ body: { networks: ['9.9.9.9'], note: '', ends_at: null } }),
  );
});

it('says above the list, in the dialog and after it which domains do not know the list', async () => {
  const domains = ['a', 'b'].map((name) => ({ id: name, domain_name: `${name}.example.com` }));
  api.listFeedGaps.mockResolvedValue({ result: { plugin: 'allow-list', count: 2, domains } });
  const user = await open({ add: true });
  const text = 'No effect on 2 domains, where the plugin “Allow list” is off: a.example.com, b.example.com';
  const dialog = within(await screen.findByRole('dialog'));
  const link = await dialog.findByRole('link', { name: 'b.example.com' });
  expect(link.getAttribute('href')).toBe('#/domain/list/b?tab=access&edit=allow-list');
  expect(link.parentElement?.textContent).toBe(text);
  expect(link.closest('.text-warning')).not.toBeNull();
  await user.type(dialog.getByRole('textbox', { name: 'Addresses and ranges' }), '9.9.9.9');
  await user.click(dialog.getByRole('button', { name: 'Add' }));
  expect(await screen.findByText('2 entries added')).toBeTruthy();
  expect(screen.getAllByText(text).length).toBeGreaterThan(0);
  expect(screen.getAllByRole('link', { name: 'a.example.com' })).toHaveLength(1);
});
