// @vitest-environment happy-dom
import { ApiError, AUDIT_ACTIONS, AUDIT_DETAILS, AUDIT_FIELDS, type AuditLine } from '@cordon/contract';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { needCatalogs } from '../../app/intl-store';
import { renderDomains } from '../../domain/testing/render-domains';
import { ROUTE_ID } from '../../domain/testing/sample-route';
import { type AuditSearch, readAuditSearch } from './audit-search';
import AuditTab from './audit-tab';
import en from './locales/en.json';
import zh from './locales/zh.json';

const api = vi.hoisted(() => ({ listAuditLines: vi.fn(), getAuditLine: vi.fn(), exportAuditLines: vi.fn() }));
vi.mock('../../app/api-client', () => ({ api, queryClient: {} }));
const downloaded = vi.hoisted(() => vi.fn());
vi.mock('../../app/download', () => ({ downloadCsv: downloaded }));

const sampleLine = (change: Partial<AuditLine> = {}): AuditLine => ({
  id: 1,
  at: '2026-11-20T10:00:00.000Z',
  actor: { kind: 'user', name: 'jane@example.com' },
  action: 'route.deploy',
  object: { kind: 'route', id: ROUTE_ID, name: 'www.example.com', exists: true },
  reason: null,
  details: { version: 7, note: 'for the sale' },
  changes: [],
  address: '203.0.113.7',
  user_agent: 'Mozilla/5.0',
  ...change,
});
const suspended = sampleLine({
  id: 2,
  actor: { kind: 'operator', name: 'operator lin' },
  action: 'operator.suspend_route',
  object: { kind: 'route', id: ROUTE_ID, name: 'gone.example.com', exists: false },
  reason: 'phishing, ticket 7',
  details: {},
  address: null,
  user_agent: null,
});
const edited = sampleLine({
  id: 3,
  action: 'route.update',
  details: { changed: ['upstreams.targets', 'plugins.geoip'] },
  changes: [
    { field: 'upstreams', before: 'http://192.0.2.1', after: 'http://192.0.2.2' },
    { field: 'remarks', before: '', after: 'shop' },
  ],
});
const pageOf = (...results: AuditLine[]) => ({ success: true, results, count: results.length, page: 1, perpage: 10 });

const searched = vi.fn();
function Page({ start }: { start: AuditSearch }) {
  const [search, setSearch] = useState(start);
  return (
    <AuditTab
      search={search}
      onSearchChange={(change) => {
        searched(change);
        setSearch((before) => ({ ...before, ...change }));
      }}
    />
  );
}
async function open(start: AuditSearch = {}, locale: 'en' | 'zh' = 'en') {
  await needCatalogs('audit');
  await renderDomains(<Page start={start} />, locale);
  return userEvent.setup({ delay: null });
}
const row = async (text: string) => within((await screen.findByText(text)).closest('tr') as HTMLElement);

beforeEach(() => {
  searched.mockReset();
  downloaded.mockReset();
  for (const mock of Object.values(api)) mock.mockReset();
  api.listAuditLines.mockResolvedValue(pageOf(sampleLine(), suspended, edited));
});

const pathsOf = (value: unknown, prefix = ''): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, below]) => pathsOf(below, `${prefix}${key}.`))
    : [prefix.slice(0, -1)];

it.each(['jane@example.com', 'operator (lin)'])(
  'says of a token that is called %j that it is a token',
  async (name) => {
    api.listAuditLines.mockResolvedValue(pageOf(sampleLine({ actor: { kind: 'token', name } })));
    const user = await open();
    const line = await row('Domain deployed');
    expect(line.getByText(name)).toBeTruthy();
    expect(line.getByText(/API token/)).toBeTruthy();
    await user.click(line.getByRole('button'));
    const sheet = within(await screen.findByRole('dialog'));
    expect(sheet.getByText('Who').nextElementSibling?.textContent).toBe(`${name} · API token`);
  },
);

it('has words for every action of the contract, and for no other', () => {
  expect(pathsOf(en.actions).sort()).toEqual([...AUDIT_ACTIONS].sort());
  expect(pathsOf(zh.actions).sort()).toEqual([...AUDIT_ACTIONS].sort());
});

it.each([
  ['English', en],
  ['Chinese', zh],
])('has words in %s for every setting and detail that the API writes down', (_language, { fields, details }) => {
  const missing = [
    ...AUDIT_FIELDS.map((field) => field.replace('.', '_')).filter((key) => !(key in fields)),
    ...AUDIT_DETAILS.filter((key) => !(key in details)),
  ];
  expect(missing).toEqual([]);
});

it.each([
  [
    'en',
    'Domain changed',
    ['Before: One levelAfter: All levels', 'Before: unlimitedAfter: 20', 'Before: VerifyAfter: Do not verify'],
  ],
  ['zh', '修改域名', ['之前： 一级之后： 所有层级', '之前： 不限制之后： 20', '之前： 验证之后： 不验证']],
] as const)('says in %s what settings were and are in the words of their forms', async (locale, title, values) => {
  const changes = [
    { field: 'wildcard_levels', before: 'one', after: 'all' },
    { field: 'upstreams.connection_limit', before: 0, after: 20 },
    { field: 'upstreams.tls_verification', before: 'strict', after: 'off' },
  ];
  const details = { changed: changes.map(({ field }) => field) };
  api.listAuditLines.mockResolvedValue(pageOf(sampleLine({ action: 'route.update', details, changes })));
  const user = await open({}, locale);
  await user.click((await row(title)).getByRole('button'));
  const sheet = within(await screen.findByRole('dialog'));
  const texts = sheet.getAllByRole('definition').map(({ textContent }) => textContent);
  expect(texts.slice(-values.length)).toEqual(values);
});

it('says how long a ban lasts, and its number of addresses only where not all are listed', async () => {
  const networks = ['198.51.100.7'];
  const ban = sampleLine({
    action: 'ban.add',
    object: { kind: 'account', id: null, name: null, exists: false },
    details: { networks, count: 1, seconds: 604_800, note: '' },
  });
  api.listAuditLines.mockResolvedValue(pageOf(ban, sampleLine({ ...ban, id: 2, details: { networks, count: 30 } })));
  const user = await open();
  const [first, second] = await screen.findAllByText('Addresses banned');
  await user.click(first as HTMLElement);
  const sheet = within(await screen.findByRole('dialog'));
  expect(sheet.getByText('Duration').nextElementSibling?.textContent).toBe('7 days');
  for (const absent of ['Note', 'Addresses in total']) expect(sheet.queryByText(absent)).toBeNull();
  await user.keyboard('{Escape}');
  await user.click(second as HTMLElement);
  expect((await screen.findByText('Addresses in total')).nextElementSibling?.textContent).toBe('30');
});

it('says which URL was fetched once, and by which node', async () => {
  const url = 'https://www.example.com/a';
  const details = { url, node: 'fra', refresh: true };
  api.listAuditLines.mockResolvedValue(pageOf(sampleLine({ action: 'route.cache_fetch', details })));
  const user = await open();
  await screen.findByText(url);
  await user.click((await row('URL fetched once')).getByRole('button'));
  const sheet = within(await screen.findByRole('dialog'));
  const said = (detail: string) => sheet.getByText(detail).nextElementSibling?.textContent;
  expect(['URL', 'Node', 'Fetch again what is fresh'].map(said)).toEqual([url, 'fra', 'on']);
});

it('names the one who signed in once', async () => {
  const object = { kind: 'user', id: ROUTE_ID, name: 'jane@example.com', exists: false };
  api.listAuditLines.mockResolvedValue(pageOf(sampleLine({ action: 'user.sign_in', object, details: {} })));
  const user = await open();
  await user.click((await row('Signed in')).getByRole('button'));
  expect(within(await screen.findByRole('dialog')).getAllByText(/jane@example.com/)).toHaveLength(1);
});

it('cuts no name, and gives it the room that short times and addresses leave', async () => {
  const name = 'checkout.customer-shop-europe.example.com';
  const object = { kind: 'route', id: ROUTE_ID, name, exists: true };
  const tracks = () => screen.getByRole('table').style.getPropertyValue('--tracks-lg').split(' ').slice(-3);
  api.listAuditLines.mockResolvedValue(pageOf(sampleLine({ object, at: new Date().toISOString(), address: '::1' })));
  await open();
  const link = await screen.findByRole('link');
  expect(link.textContent).toBe(name);
  expect(link.closest('td')?.querySelector('.truncate')).toBeNull();
  // It breaks after its dots.
  expect(link.querySelectorAll('wbr')).toHaveLength(3);
  expect(tracks()).toEqual(['136px', '48px', '60px']);
  cleanup();
  api.listAuditLines.mockResolvedValue(pageOf(sampleLine({ address: '203.0.113.200' })));
  await open();
  await screen.findByText('203.0.113.200');
  expect(tracks()).toEqual(['196px', '128px', '60px']);
});

it.each([
  ['en', 'Domain deployed', 'Version 7 · for the sale', 'Operator', 'Origins, Country restriction, and Remarks'],
  ['zh', '部署域名', '版本 7 · for the sale', '运营人员', '源站列表、地区访问控制、备注'],
] as const)('says in %s who did what to what, and from where', async (locale, action, version, operator, settings) => {
  await open({}, locale);
  const deployed = await row(action);
  for (const text of ['jane@example.com', version, '203.0.113.7'])
    expect(deployed.getByText(text, { exact: false })).toBeTruthy();
  expect(deployed.getByText('www.example.com').getAttribute('href')).toContain(ROUTE_ID);
  const suspension = await row(operator);
  expect(suspension.getByText('phishing, ticket 7', { exact: false })).toBeTruthy();
  expect(suspension.queryByRole('link')).toBeNull();
  expect(await screen.findByText(settings, { exact: false })).toBeTruthy();
});

it('shows what was there before and what is there now', async () => {
  const user = await open();
  await user.click((await row('Domain changed')).getByRole('button'));
  const sheet = within(await screen.findByRole('dialog', { name: 'Domain changed' }));
  const changes = within(sheet.getByText('Before and after').closest('section') as HTMLElement);
  const texts = changes.getAllByRole('definition').map(({ textContent }) => textContent);
  expect(texts).toEqual(['Before: http://192.0.2.1After: http://192.0.2.2', 'Before: not setAfter: shop']);
  expect(sheet.getByText('Mozilla/5.0')).toBeTruthy();
});

it('says of what an operator did on the server why, and that there was no request', async () => {
  const user = await open();
  await user.click((await row('Domain suspended')).getByRole('button'));
  const sheet = within(await screen.findByRole('dialog', { name: 'Domain suspended' }));
  for (const text of ['phishing, ticket 7', 'Not a request: done on the server'])
    expect(sheet.getByText(text)).toBeTruthy();
  expect(sheet.getByText('· no longer exists')).toBeTruthy();
});

it('asks the API for what the filters say, from the first page', async () => {
  const user = await open({ page: 3, period: '7d' });
  await screen.findByText('Domain deployed');
  await user.click(screen.getByRole('combobox', { name: 'Action' }));
  await user.click(await screen.findByRole('option', { name: 'Sign-in refused' }));
  expect(searched).toHaveBeenLastCalledWith({ action: 'user.sign_in_failed', page: undefined });
  await waitFor(() =>
    expect(api.listAuditLines.mock.lastCall?.[0].query).toMatchObject({ action: 'user.sign_in_failed' }),
  );
  const { query } = api.listAuditLines.mock.lastCall?.[0] ?? {};
  expect(query.page).toBe(1);
  expect(Math.abs(Date.parse(query.from) - (Date.now() - 7 * 86_400_000))).toBeLessThan(60_000);
  // Plugins bring words of their own.
  await user.click(screen.getByRole('combobox', { name: 'Action' }));
  await user.click(await screen.findByRole('option', { name: 'Addresses banned' }));
  expect(searched).toHaveBeenLastCalledWith({ action: 'ban.add', page: undefined });
});

it('offers actions under what they are about', async () => {
  const user = await open();
  await screen.findByText('Domain deployed');
  await user.click(screen.getByRole('combobox', { name: 'Action' }));
  const group = async (name: string) => within(await screen.findByRole('group', { name }));
  expect((await group('Aliases')).getByRole('option', { name: 'Aliases added' })).toBeTruthy();
  expect((await group('Templates')).getAllByRole('option')).toHaveLength(4);
  expect((await group('Bans')).getByRole('option', { name: 'Addresses banned' })).toBeTruthy();
});

it('asks the API for the days of a period of one’s own, and says what is no day', async () => {
  const user = await open({ page: 3 });
  await screen.findByText('Domain deployed');
  await user.click(screen.getByRole('combobox', { name: 'Period' }));
  await user.click(await screen.findByRole('option', { name: 'Custom' }));
  await user.type(await screen.findByRole('textbox', { name: 'First day' }), '2026-11-05{Enter}');
  await user.type(screen.getByRole('textbox', { name: 'Last day' }), '10/11/2026');
  searched.mockReset();
  await user.tab();
  expect(await screen.findByText(/such as 2026-11-23/)).toBeTruthy();
  expect(searched).not.toHaveBeenCalled();
  await user.clear(screen.getByRole('textbox', { name: 'Last day' }));
  await user.type(screen.getByRole('textbox', { name: 'Last day' }), '2026-11-10');
  await user.tab();
  expect(searched).toHaveBeenLastCalledWith({ to: '2026-11-10', page: undefined });
  await waitFor(() =>
    expect(api.listAuditLines.mock.lastCall?.[0].query).toMatchObject({
      page: 1,
      from: '2026-11-05T00:00:00.000Z',
      to: '2026-11-11T00:00:00.000Z',
    }),
  );
});

it('has the open line in the address', async () => {
  const user = await open();
  await user.click((await row('Domain deployed')).getByRole('button'));
  expect(searched).toHaveBeenLastCalledWith({ entry: 1 });
  await user.click(await screen.findByRole('button', { name: 'Close' }));
  expect(searched).toHaveBeenLastCalledWith({ entry: undefined });
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(api.getAuditLine).not.toHaveBeenCalled();
});

it('opens a line that is not on the page', async () => {
  api.getAuditLine.mockResolvedValueOnce({ result: sampleLine({ id: 77, action: 'group.delete', details: {} }) });
  await open({ entry: 77 });
  expect(await screen.findByRole('dialog', { name: 'Group deleted' })).toBeTruthy();
  expect(api.getAuditLine.mock.lastCall?.[0].params).toEqual({ id: 77 });
});

it('says of a line that is no longer kept that it is not there', async () => {
  api.getAuditLine.mockRejectedValue(new ApiError(404, 'NOT_FOUND', undefined, ['code.NOT_FOUND']));
  await open({ entry: 78 });
  expect(within(await screen.findByRole('dialog')).getByText(/no longer exists/)).toBeTruthy();
});

it('says on the button of the filters how many there are', async () => {
  const user = await open({ action: 'route.deploy', period: '7d' });
  const button = await screen.findByRole('button', { name: 'Filters (2)' });
  expect(button.getAttribute('aria-expanded')).toBe('false');
  await user.click(button);
  expect(button.getAttribute('aria-expanded')).toBe('true');
});

it('exports nothing where there is nothing', async () => {
  api.listAuditLines.mockResolvedValue(pageOf());
  await open();
  await screen.findByText('No entries yet');
  const button = screen.getByRole('button', { name: 'Export CSV' });
  expect([button.hasAttribute('disabled'), button.title]).toEqual([true, 'Nothing to export']);
});

it('downloads what is filtered as CSV', async () => {
  api.exportAuditLines.mockResolvedValue('time,actor\r\n2026,jane\r\n');
  const user = await open({ actor: 'token', q: 'shop' });
  await user.click(await screen.findByRole('button', { name: 'Export CSV' }));
  await waitFor(() => expect(downloaded).toHaveBeenCalled());
  expect(api.exportAuditLines.mock.lastCall?.[0].query).toMatchObject({ actor: 'token', q: 'shop' });
  expect(downloaded.mock.lastCall).toEqual([
    expect.stringMatching(/^audit-log-.*\.csv$/),
    'time,actor\r\n2026,jane\r\n',
  ]);
});

it('says that nothing happened, that nothing matches, and what went wrong', async () => {
  api.listAuditLines.mockResolvedValue(pageOf());
  const user = await open();
  expect(await screen.findByText('No entries yet')).toBeTruthy();
  await user.type(screen.getByRole('searchbox'), 'x');
  expect(await screen.findByText(/Search by e-mail address/)).toBeTruthy();
  api.listAuditLines.mockRejectedValue(new ApiError(500, undefined, undefined, ['No luck']));
  await user.type(screen.getByRole('searchbox'), 'y');
  expect(await screen.findByRole('button', { name: 'Retry' })).toBeTruthy();
});

it('says that there is more than the list reaches', async () => {
  api.listAuditLines.mockResolvedValue({ ...pageOf(sampleLine()), count: 10_000 });
  await open();
  expect(await screen.findByText(/Only the newest 10,000 matches/)).toBeTruthy();
});

it('reads what an address may hold, and leaves out the rest', () => {
  const search = { q: 10.1, page: '2', action: 'route.origin_lock.enable', actor: 'token', period: '7d', tab: 'audit' };
  expect(readAuditSearch(search)).toMatchObject({
    q: '10.1',
    page: 2,
    action: 'route.origin_lock.enable',
    actor: 'token',
    period: '7d',
  });
  expect(readAuditSearch({ period: 'custom', from: '2026-11-05', to: '2026-02-31', entry: '12' })).toMatchObject({
    period: 'custom',
    from: '2026-11-05',
    to: undefined,
    entry: 12,
  });
  expect(readAuditSearch({ page: 0, action: '<b>', actor: 'root', period: 'constructor' })).toEqual({});
});

it.each([
  ['en', 'Scheduled cache clear ended', 'Tags: shop and a:1 · a.example, b.example, and 1 more', ' · 2 failed'],
  ['zh', '计划任务执行完毕：清除缓存', '标签：shop、a:1 · a.example、b.example 等 3 个', ' · 2 个失败'],
] as const)(
  'says in %s what a scheduled task clears, of how many domains, and of how many it could not',
  async (locale, end, summary, failed) => {
    const details = {
      ...{ cleared: 'tags', soft: false, entries: 2, values: ['shop', 'a:1'] },
      ...{ domains: 3, names: ['a.example', 'b.example'], at: '2026-12-01T03:30:00.000Z' },
    };
    const object = { kind: 'task', id: ROUTE_ID, name: '', exists: false } as const;
    api.listAuditLines.mockResolvedValue(
      pageOf(
        sampleLine({ id: 1, action: 'task.schedule', object, details }),
        sampleLine({ id: 2, action: 'task.end', object, details: { ...details, failed: 2 } }),
        sampleLine({ id: 3, action: 'task.end', object, details: { ...details, failed: 0 } }),
      ),
    );
    await open({}, locale);
    await screen.findAllByText(end);
    const listed = screen.getByRole('table').textContent ?? '';
    expect(listed.split(summary)).toHaveLength(4);
    expect(listed.split(summary + failed)).toHaveLength(2);
    expect(listed.split(end)).toHaveLength(3);
  },
);

it('names what was cleared, by which task, and counts the rest', async () => {
  const values = ['/a', '/b', '/c', '/d'];
  const details = {
    ...{ cleared: 'urls', soft: false, entries: 60, values },
    ...{ task: ROUTE_ID, at: '2026-12-01T03:30:00.000Z' },
  };
  const line = sampleLine({ action: 'route.cache_clear', details });
  api.listAuditLines.mockResolvedValue(pageOf(line));
  api.getAuditLine?.mockResolvedValue({ result: line });
  await open({ entry: line.id });
  expect((await screen.findAllByText('scheduled · URLs: /a, /b, /c, and 57 more')).length).toBeGreaterThan(0);
  const sheet = within(await screen.findByRole('dialog'));
  expect(sheet.getByText('Entries in total').nextElementSibling?.textContent).toBe('60');
  expect(sheet.getByText('Entries').nextElementSibling?.textContent).toBe('/a\n/b\n/c\n/d');
  expect(sheet.getByText('Scheduled task').nextElementSibling?.textContent).toBe(ROUTE_ID);
});

it.each([
  [
    'en',
    ['Cache clear scheduled', 'for Dec 1, 2026, 03:30:00 · Everything · a.example and b.example'],
    [
      'Scheduled cache clear cancelled',
      'The domains were deleted · for Dec 1, 2026, 03:30:00 · Everything · a.example and b.example',
    ],
    { Clears: 'Everything', Cause: 'The domains were deleted', Names: 'a.example, b.example' },
  ],
  [
    'zh',
    ['创建计划任务：清除缓存', '计划时间 2026年12月1日 03:30:00 · 全部 · a.example、b.example'],
    ['取消计划任务：清除缓存', '域名已被删除 · 计划时间 2026年12月1日 03:30:00 · 全部 · a.example、b.example'],
    { 清除范围: '全部', 原因: '域名已被删除', 域名: 'a.example、b.example' },
  ],
] as const)(
  'says in %s for when a task was scheduled, and why one was cancelled by a deletion',
  async (locale, [schedule, planned], [cancel, why], shown) => {
    const details = {
      ...{ cleared: 'all', soft: false, domains: 2, names: ['a.example', 'b.example'] },
      ...{ task: ROUTE_ID, at: '2026-12-01T03:30:00.000Z' },
    };
    const object = { kind: 'task', id: ROUTE_ID, name: '', exists: false } as const;
    const cancelled = sampleLine({
      ...{ id: 2, action: 'task.cancel', object },
      details: { ...details, cause: 'domains_deleted' },
    });
    api.listAuditLines.mockResolvedValue(
      pageOf(sampleLine({ id: 1, action: 'task.schedule', object, details }), cancelled),
    );
    await open({ entry: 2 }, locale);
    await screen.findByText(schedule);
    const sheet = within(await screen.findByRole('dialog', { name: cancel }));
    const shownAt = (label: string) => sheet.getByText(label, { selector: 'dt' }).nextElementSibling?.textContent;
    expect(Object.fromEntries(Object.keys(shown).map((label) => [label, shownAt(label)]))).toEqual(shown);
    const listed = screen.getByRole('table', { hidden: true }).textContent ?? '';
    expect(listed).toContain(cancel);
    expect(listed).toContain(why);
    expect(listed).toContain(schedule);
    // The one that was only scheduled has no cause.
    expect(listed.split(planned)).toHaveLength(3);
    expect(listed.split(why)).toHaveLength(2);
  },
);

it.each([
  ['en', 'Prefetch cancelled', 'The domain was deployed again'],
  ['zh', '取消预热', '域名已再次部署'],
] as const)('says in %s that a prefetch was cancelled by a later deploy', async (locale, action, why) => {
  const details = { entries: 2, cause: 'deployed_again' };
  api.listAuditLines.mockResolvedValue(pageOf(sampleLine({ action: 'route.prefetch_cancel', details })));
  await open({}, locale);
  await screen.findAllByText(action);
  expect(screen.getByRole('table').textContent).toContain(why);
});

it.each([
  ['en', 'name_proved', 'Another account proved that it owns the name'],
  ['en', 'wildcard_proved', 'Another account proved that it owns a wildcard over the name'],
  ['zh', 'name_proved', '其他账号已验证对该域名的所有权'],
  ['zh', 'wildcard_proved', '其他账号已验证对涵盖该域名的泛域名的所有权'],
] as const)('says in %s why a domain is gone, and its task with it (%s)', async (locale, cause, why) => {
  const task = { kind: 'task', id: ROUTE_ID, name: '', exists: false } as const;
  const details = { cleared: 'all', soft: false, domains: 1, names: ['a.example'], task: ROUTE_ID, cause };
  api.listAuditLines.mockResolvedValue(
    pageOf(
      sampleLine({ id: 1, action: 'route.name_moved', details: { name: 'a.example', cause } }),
      sampleLine({ id: 2, action: 'task.cancel', object: task, details }),
    ),
  );
  await open({}, locale);
  await screen.findAllByText(why, { exact: false });
  expect((screen.getByRole('table').textContent ?? '').split(why)).toHaveLength(3);
});

it.each([
  [
    'en',
    'Domains left a scheduled cache clear',
    'The domains were deleted · for Dec 1, 2026, 03:30:00 · Everything · a.example, b.example, c.example, and 57 more',
  ],
  [
    'zh',
    '域名退出计划任务：清除缓存',
    '域名已被删除 · 计划时间 2026年12月1日 03:30:00 · 全部 · a.example、b.example、c.example 等 60 个',
  ],
] as const)('says in %s which domains left a scheduled task, and why', async (locale, action, summary) => {
  const names = ['a.example', 'b.example', 'c.example', 'd.example'];
  const details = {
    ...{ cleared: 'all', soft: false, domains: 60, names, task: ROUTE_ID },
    ...{ at: '2026-12-01T03:30:00.000Z', cause: 'domains_deleted' },
  };
  const object = { kind: 'task', id: ROUTE_ID, name: '', exists: false } as const;
  api.listAuditLines.mockResolvedValue(pageOf(sampleLine({ action: 'task.leave', object, details })));
  await open({}, locale);
  await screen.findAllByText(action);
  const listed = screen.getByRole('table').textContent ?? '';
  expect(listed).toContain(action);
  expect(listed).toContain(summary);
});

it.each([
  ['en', 'Everything (served while refreshed)'],
  ['zh', '全部（更新期间继续提供服务）'],
] as const)('says in %s of a clear that copies are served meanwhile, also of a scheduled one', async (locale, said) => {
  const soft = { cleared: 'all', soft: true };
  const object = { kind: 'task', id: ROUTE_ID, name: '', exists: false } as const;
  const of = { domains: 1, names: ['a.example'], task: ROUTE_ID, at: '2026-12-01T03:30:00.000Z' };
  api.listAuditLines.mockResolvedValue(
    pageOf(
      sampleLine({ id: 1, action: 'route.cache_clear', details: soft }),
      sampleLine({ id: 2, action: 'task.schedule', object, details: { ...soft, ...of } }),
      sampleLine({ id: 3, action: 'task.run', object, details: { ...soft, ...of, soft: false } }),
    ),
  );
  await open({}, locale);
  await waitFor(() => expect((screen.getByRole('table').textContent ?? '').split(said)).toHaveLength(3));
});

it('links the one domain of a scheduled task while it is there, as its other lines do', async () => {
  const id = '00000000-0000-4000-8000-000000000077';
  const object = { kind: 'task', id, name: '', exists: false } as const;
  const route = { kind: 'route', id: ROUTE_ID, name: 'a.example', exists: true } as const;
  const details = { cleared: 'all', soft: false, domains: 1, task: id, at: '2026-12-01T03:30:00.000Z' };
  api.listAuditLines.mockResolvedValue(
    pageOf(
      sampleLine({ id: 1, action: 'task.schedule', object: route, details }),
      sampleLine({ id: 2, action: 'task.cancel', object, details: { ...details, names: ['gone.example'] } }),
    ),
  );
  await open();
  const one = await screen.findByRole('link');
  expect(one.getAttribute('href')).toContain(`/domain/list/${ROUTE_ID}`);
  expect(one.closest('tr')?.textContent).toContain('a.example\u00a0· for Dec 1, 2026, 03:30:00 · Everything');
  expect(one.closest('tr')?.textContent).not.toContain('1 domain');
  expect(screen.getByText(/gone.example/).closest('a')).toBeNull();
});
