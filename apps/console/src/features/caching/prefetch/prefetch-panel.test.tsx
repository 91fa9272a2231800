// @vitest-environment happy-dom
import { ApiError, type Prefetch, type PrefetchList, type Route } from '@cordon/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { needCatalogs } from '../../../app/intl-store';
import { networkReturns } from '../../../domain/testing/network-returns';
import { renderDomains } from '../../../domain/testing/render-domains';
import { ROUTE_ID, sampleRoute } from '../../../domain/testing/sample-route';
import { PrefetchPanel } from './prefetch-panel';

const api = vi.hoisted(() => ({
  listSubscriptions: vi.fn(),
  startPrefetch: vi.fn(),
  listPrefetches: vi.fn(),
  getPrefetch: vi.fn(),
  cancelPrefetch: vi.fn(),
  getPrefetchList: vi.fn(),
  getDevelopmentMode: vi.fn(),
  updatePrefetchList: vi.fn(),
}));
vi.mock('../../../app/api-client', () => ({ api, queryClient: {} }));

const live = (enabled: boolean): Route['live'] => ({
  ...(sampleRoute().draft as NonNullable<Route['live']>),
  plugins: [{ name: 'advance-proxy-cache', enabled, config: {} }],
});
const route = sampleRoute({ live: live(true) });
const ID = '00000000-0000-4000-8000-0000000000f1';
const params = { id: ROUTE_ID };
const node = (
  name: string,
  state: Prefetch['nodes'][number]['state'],
  counts: Partial<Prefetch['nodes'][number]> = {},
) => ({
  ...{ name, state, kept: 0, fresh: 0, unkept: 0, failed: 0 },
  ...counts,
});
const prefetchOf = (values: Partial<Prefetch> = {}): Prefetch => ({
  ...{
    id: ID,
    state: 'running',
    first_urls: ['/a'],
    urls: ['/a'],
    url_count: 1,
    refresh: false,
    cause: 'call',
    version: null,
  },
  ...{
    created_at: '2026-11-27T10:00:00.000Z',
    created_by: 'ann@example.com',
    ended_at: null,
    visits: 4,
    left_out: 0,
    problems: [],
  },
  nodes: [node('fra', 'running', { kept: 1 }), node('hkg', 'waiting')],
  ...values,
});
const listOf = (values: Partial<PrefetchList> = {}) => ({
  result: { urls: [], after_deploy: false, updated_at: null, updated_by: null, skipped: null, ...values },
});
const pageOf = (...results: Prefetch[]) => ({ results, count: results.length });
const refusal = (fields: Record<string, string>, more: object = {}) =>
  new ApiError(
    422,
    'VALIDATION_FAILED',
    { success: false, message: '', request_id: '', ...fields, ...more },
    Object.entries(fields).map(([path, code]) => `${path}.${code}`),
  );
const user = userEvent.setup({ delay: null });
const part = (name: string) => within(screen.getByRole('region', { name }));

beforeEach(async () => {
  for (const mock of Object.values(api)) mock.mockReset();
  api.listSubscriptions.mockResolvedValue({ results: [{ cname: route.subscription_cname, tier: 'vip' }], count: 1 });
  api.listPrefetches.mockResolvedValue(pageOf());
  api.getPrefetchList.mockResolvedValue(listOf());
  api.getDevelopmentMode.mockResolvedValue({ result: { ends_at: null } });
  await needCatalogs('caching', 'domain');
});

it.each([
  ['en', /^Development mode is on, so nothing would be kept/],
  ['zh', /^开发模式已开启，取回的内容不会保留/],
] as const)('in %s fetches nothing in development mode, which would keep nothing', async (locale, why) => {
  api.getDevelopmentMode.mockResolvedValue({ result: { ends_at: new Date(Date.now() + 600_000).toISOString() } });
  await renderDomains(<PrefetchPanel route={route} />, locale);
  expect(await screen.findByText(why)).toBeTruthy();
  expect(screen.queryByRole('button', { name: locale === 'en' ? 'Prefetch' : '开始预热' })).toBeNull();
});

it.each([
  ['en', '2 URLs of the list left out'],
  ['zh', '已略过列表中的 2 个 URL'],
] as const)('in %s says of a run after a deploy how much of the list it has left out', async (locale, said) => {
  const nodes = [node('fra', 'done', { kept: 4 })];
  const run = { state: 'done', cause: 'deploy', version: 3, ended_at: '2026-11-27T10:00:09.000Z', nodes } as const;
  api.listPrefetches.mockResolvedValue(pageOf(prefetchOf({ ...run, left_out: 2 }), prefetchOf({ ...run, id: 'b' })));
  await renderDomains(<PrefetchPanel route={route} />, locale);
  const [outcome, ...others] = await screen.findAllByText(said);
  expect(others).toEqual([]);
  // It was over before the page was there.
  expect(outcome?.closest('[role="status"]')).toBeNull();
});

it.each([
  ['en', 'URLs', 'Prefetch', 'Running 1 kept', '1 of 4', 'waiting', 'Done in part', '6 kept, 1 not kept, and 1 failed'],
  ['zh', 'URL', '开始预热', '进行中 已缓存 1 个', '1/4', '等待中', '部分完成', '已缓存 6 个、未缓存 1 个、失败 1 个'],
] as const)('in %s shows each node while it goes on, and why something was not kept', async (...given) => {
  const [locale, urls, start, running, ofNode, waiting, done, counts] = given;
  api.startPrefetch.mockResolvedValue({ result: prefetchOf() });
  api.getPrefetch.mockResolvedValue({ result: prefetchOf() });
  await renderDomains(<PrefetchPanel route={route} />, locale);
  api.listPrefetches.mockResolvedValue(pageOf(prefetchOf()));
  await user.type(await screen.findByRole('textbox', { name: urls }), '/a');
  await user.click(screen.getByRole('button', { name: start }));
  expect(api.startPrefetch).toHaveBeenCalledExactlyOnceWith({ params, body: { urls: ['/a'] } });
  await waitFor(() => expect(screen.getAllByRole('status').map((one) => one.textContent)).toContain(running));
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('1');
  expect(screen.getByRole('progressbar').getAttribute('aria-valuemax')).toBe('8');
  expect(await screen.findByText(ofNode)).toBeTruthy();
  expect(screen.getByText(waiting)).toBeTruthy();
  const problem = { url: 'http://shop.example/a', device: null, language: null, status: 200, reason: 'no_store' };
  const ended = prefetchOf({
    ...{ state: 'done', ended_at: '2026-11-27T10:00:09.000Z' },
    nodes: [node('fra', 'done', { kept: 3, unkept: 1 }), node('hkg', 'silent', { kept: 3, failed: 1 })],
    problems: [
      { node: 'fra', ...problem },
      { node: 'hkg', ...problem, status: 503, reason: '' },
    ],
  });
  api.listPrefetches.mockResolvedValue(pageOf(ended));
  api.getPrefetch.mockResolvedValue({ result: ended });
  const outcome = await screen.findByText(counts, {}, { timeout: 3_000 });
  expect(within(outcome).getByText(done)).toBeTruthy();
  // Who hears the page learns of the end as well.
  expect(screen.getAllByRole('status')).toContain(outcome);
  expect(screen.queryByRole('progressbar')).toBeNull();
  expect(
    await screen.findByText(
      locale === 'en' ? 'Not kept: Origin sends no-store · fra' : /^未缓存：.*no-store.* · fra$/,
      {},
      { timeout: 3_000 },
    ),
  ).toBeTruthy();
  expect(screen.getByText(locale === 'en' ? 'Failed with status 503 · hkg' : '失败，状态码 503 · hkg')).toBeTruthy();
});

it('says beside the text which line is wrong, and how many requests would be too many', async () => {
  await renderDomains(<PrefetchPanel route={route} />);
  const text = await screen.findByRole('textbox', { name: 'URLs' });
  await user.click(screen.getByRole('button', { name: 'Prefetch' }));
  expect(text.getAttribute('aria-invalid')).toBe('true');
  await user.click(text);
  await user.paste('/a\n\nhttps://other.example/');
  expect(await screen.findByText('Line 3: Not a name of this domain: other.example')).toBeTruthy();
  await user.clear(text);
  await user.paste('/a\n/b');
  const count = { params: { urls: { count: 24_000, maximum: 10_000 } } };
  api.startPrefetch.mockRejectedValueOnce(refusal({ urls: 'PREFETCH_TOO_MANY' }, count));
  await user.click(screen.getByRole('checkbox', { name: /^Fetch again/ }));
  await user.click(screen.getByRole('button', { name: 'Prefetch' }));
  expect(await screen.findByText('24,000 requests on each node: 10,000 at most')).toBeTruthy();
  expect(api.startPrefetch).toHaveBeenLastCalledWith({ params, body: { urls: ['/a', '/b'], refresh: true } });
  api.startPrefetch.mockRejectedValueOnce(
    refusal({ 'urls.1': 'TOO_LONG' }, { params: { 'urls.1': { maximum: 4096 } } }),
  );
  await user.click(screen.getByRole('button', { name: 'Prefetch' }));
  expect(await screen.findByText(/^Line 2: .*4,?096/)).toBeTruthy();
  api.startPrefetch.mockRejectedValueOnce(new ApiError(409, 'PREFETCHES_FULL', undefined, ['code.PREFETCHES_FULL']));
  await user.click(screen.getByRole('button', { name: 'Prefetch' }));
  expect((await screen.findByRole('alert')).textContent).toMatch(/^Three prefetches/);
  expect(text).toHaveProperty('value', '/a\n/b');
});

it('cancels, and says which run came of a deploy', async () => {
  api.listPrefetches.mockResolvedValue(
    pageOf(prefetchOf({ cause: 'deploy', version: 7, url_count: 3, refresh: true })),
  );
  api.cancelPrefetch.mockResolvedValue({ result: prefetchOf({ state: 'cancelled' }) });
  await renderDomains(<PrefetchPanel route={route} />);
  expect(await screen.findByText('/a and 2 more (fetched again)')).toBeTruthy();
  expect(screen.getByText('Nov 27, 2026, 10:00:00 · after the deploy of version 7')).toBeTruthy();
  api.listPrefetches.mockResolvedValue(pageOf(prefetchOf({ state: 'cancelled' })));
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(api.cancelPrefetch).toHaveBeenCalledExactlyOnceWith({ params: { ...params, prefetch_id: ID } });
  expect(await screen.findByText('Cancelled')).toBeTruthy();
  expect(api.getPrefetch).not.toHaveBeenCalled();
});

it.each([
  ['en', 'Done: 0 of 8 kept', '3 not kept and 1 failed'],
  ['zh', '已完成：缓存 0/8 个', '未缓存 3 个、失败 1 个'],
] as const)('in %s says at once of one that has kept nothing that it has not', async (locale, said, counts) => {
  const nodes = [node('fra', 'done', { unkept: 3, failed: 1 }), node('hkg', 'silent')];
  api.listPrefetches.mockResolvedValue(pageOf(prefetchOf({ state: 'done', nodes })));
  await renderDomains(<PrefetchPanel route={route} />, locale);
  expect(within(await screen.findByText(counts)).getByText(said).className).toContain('text-danger');
});

it.each([
  ['success', [node('fra', 'done', { kept: 1 }), node('hkg', 'done', { fresh: 1 })]],
  ['warning', [node('fra', 'done', { kept: 1 }), node('hkg', 'done', { unkept: 1 })]],
  ['warning', [node('fra', 'done', { kept: 1 }), node('hkg', 'silent')]],
  ['danger', [node('fra', 'busy')]],
] as const)('shows one that is over as %s: %#', async (tone, nodes) => {
  api.listPrefetches.mockResolvedValue(pageOf(prefetchOf({ state: 'done', nodes: [...nodes] })));
  await renderDomains(<PrefetchPanel route={route} />);
  expect((await screen.findByText(/^Done/)).className).toContain(`text-${tone}`);
});

it('shows a path that was not kept once, with the hosts, devices and nodes that met the same', async () => {
  const met = { node: 'fra', device: 'mobile', language: null, status: 200, reason: 'no_store' } as const;
  const urls = ['https://a.example/x', 'http://a.example/x', 'https://b.example/x'];
  const problems = ['fra', 'hkg'].flatMap((name) => urls.map((url) => ({ ...met, url, node: name })));
  const nodes = ['fra', 'hkg'].map((name) => node(name, 'done', { unkept: 5 }));
  const ended = prefetchOf({ state: 'done', nodes, problems });
  api.listPrefetches.mockResolvedValue(pageOf(ended));
  api.getPrefetch.mockResolvedValue({ result: ended });
  await renderDomains(<PrefetchPanel route={route} />);
  await user.click(await screen.findByRole('button', { name: 'Details' }));
  const lines = within(await screen.findByRole('list', { name: 'What was not kept' })).getAllByRole('listitem');
  expect(lines.map(({ textContent }) => textContent)).toEqual([
    '/xNot kept: Origin sends no-store · a.example and https://b.example · phone · fra and hkg',
  ]);
  expect(screen.getByText('and 4 more requests')).toBeTruthy();
});

it.each([
  ['success', { kept: 3, fresh: 1 }],
  ['warning', { kept: 3, failed: 1 }],
  ['danger', { unkept: 1, failed: 3 }],
] as const)('shows a node that is done as %s: %j', async (tone, counts) => {
  const ended = prefetchOf({ state: 'done', nodes: [node('fra', 'done', counts)] });
  api.listPrefetches.mockResolvedValue(pageOf(ended));
  api.getPrefetch.mockResolvedValue({ result: ended });
  await renderDomains(<PrefetchPanel route={route} />);
  await user.click(await screen.findByRole('button', { name: 'Details' }));
  expect((await screen.findByText('done')).className).toContain(`text-${tone}`);
});

it('names no node beside what was not kept where there is one', async () => {
  const url = 'https://a.example/x';
  const problems = [{ node: 'fra', url, device: null, language: null, status: 503, reason: '' }];
  const ended = prefetchOf({ state: 'done', nodes: [node('fra', 'done', { failed: 1 })], problems });
  api.listPrefetches.mockResolvedValue(pageOf(ended));
  api.getPrefetch.mockResolvedValue({ result: ended });
  await renderDomains(<PrefetchPanel route={route} />);
  await user.click(await screen.findByRole('button', { name: 'Details' }));
  const list = await screen.findByRole('list', { name: 'What was not kept' });
  expect(within(list).getByRole('listitem').textContent).toBe(`${url}Failed with status 503`);
});

it('says from the beginning which URLs of the list are left out, and why', async () => {
  api.getPrefetchList.mockResolvedValue(
    listOf({ urls: ['/a', '/news/*', 'http://other.example/'], after_deploy: true }),
  );
  await renderDomains(<PrefetchPanel route={route} />);
  const text = await part('After each deploy').findByRole('textbox');
  expect(text.getAttribute('aria-invalid')).toBe('true');
  const said = () => document.getElementById(text.getAttribute('aria-describedby')?.split(' ')[0] ?? '')?.textContent;
  const pattern = 'Line 2: * is no wildcard here: list each URL. Write %2A for one that is part of the path';
  expect(said()).toBe(`Not fetched after deploys:${pattern}Line 3: Not a name of this domain: other.example`);
  await user.clear(text);
  await user.paste('/a\n/news/*');
  expect(said()).toBe(pattern);
  await user.clear(text);
  expect(text.hasAttribute('aria-invalid')).toBe(false);
});

it('saves the list, and says why it was not fetched', async () => {
  const skipped = { code: 'PREFETCH_NOT_CACHED', params: {}, version: 3, at: '2026-11-27T10:00:00.000Z' };
  api.getPrefetchList.mockResolvedValue(
    listOf({ urls: ['/a'], updated_at: '2026-11-27T10:00:00.000Z', updated_by: 'ann@example.com', skipped }),
  );
  await renderDomains(<PrefetchPanel route={route} />);
  const list = part('After each deploy');
  expect(await list.findByText(/^Not fetched after version 3 .* caches nothing/)).toBeTruthy();
  expect(list.getByRole('status').textContent).toBe('Saved Nov 27, 2026, 10:00:00 · ann@example.com');
  const button = list.getByRole('button', { name: 'Save list' });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await user.click(button);
  expect(api.updatePrefetchList).not.toHaveBeenCalled();
  await user.type(list.getByRole('textbox'), '{Enter}/b');
  await user.click(list.getByRole('checkbox'));
  api.updatePrefetchList.mockRejectedValueOnce(
    refusal({ 'urls.1': 'CACHE_URL_FOREIGN' }, { params: { 'urls.1': { name: 'lost.example' } } }),
  );
  await user.click(list.getByRole('button', { name: 'Save list' }));
  expect(await list.findByText('Line 2: Not a name of this domain: lost.example')).toBeTruthy();
  api.updatePrefetchList.mockResolvedValueOnce(listOf({ urls: ['/a', '/b'], after_deploy: true }));
  await user.click(list.getByRole('button', { name: 'Save list' }));
  await waitFor(() => expect(list.getByRole('status').textContent).toBe('Saved'));
  // Nothing is left to save, and the focus stays.
  expect([button.getAttribute('aria-disabled'), button.hasAttribute('disabled')]).toEqual(['true', false]);
  expect(api.updatePrefetchList).toHaveBeenLastCalledWith({ params, body: { urls: ['/a', '/b'], after_deploy: true } });
  expect(list.queryByText(/^Not fetched/)).toBeNull();
});

it('has the line for a script, and asks for a token that may', async () => {
  await renderDomains(<PrefetchPanel route={route} />);
  await user.type(await screen.findByRole('textbox', { name: 'URLs' }), '/a');
  const code = document.querySelector('pre')?.textContent ?? '';
  expect(code).toContain(`/api/v1/domain/routes/${ROUTE_ID}/prefetch/`);
  expect(code).toContain(`-d '{"urls":["/a"]}'`);
  const link = screen.getByText<HTMLAnchorElement>('Create a token').getAttribute('href');
  expect(link).toBe(`/user/info?tab=tokens&create=prefetch&domain=${ROUTE_ID}`);
});

it.each([
  [{ live: live(false) }, /^No cache is on in the live version/],
  [{ live: null, version_live: null }, /^Nothing can be prefetched before/],
  [{ status: 'deactivated' as const }, /^The domain is deactivated/],
])('says why nothing can be fetched now: %#', async (values, said) => {
  await renderDomains(<PrefetchPanel route={sampleRoute({ live: live(true), ...values })} />);
  expect(await screen.findByText(said)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Prefetch' })).toBeNull();
  expect(await screen.findByRole('button', { name: 'Save list' })).toBeTruthy();
});

it('tells a free account why not, and asks for nothing', async () => {
  api.listSubscriptions.mockResolvedValue({ results: [{ cname: route.subscription_cname, tier: 'free' }], count: 1 });
  await renderDomains(<PrefetchPanel route={route} />);
  expect(await screen.findByText(/A free account cannot prefetch\./)).toBeTruthy();
  expect(screen.queryByRole('textbox')).toBeNull();
});

it('says why the last ones are not known, and asks again', async () => {
  api.listPrefetches.mockRejectedValueOnce(new ApiError(503, undefined, undefined, []));
  await renderDomains(<PrefetchPanel route={route} />);
  await user.click(await screen.findByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('Nothing was prefetched in the last 30 days.')).toBeTruthy();
});

it.each([
  ['URLs', 'Prefetch'],
  ['URLs to fetch', 'Save list'],
])('leads to the wrong lines of %s, found here or by the API', async (label, submit) => {
  await renderDomains(<PrefetchPanel route={route} />);
  const text = await screen.findByRole('textbox', { name: label });
  const button = screen.getByRole('button', { name: submit });
  await user.click(text);
  await user.paste('https://other.example/');
  await user.click(button);
  await waitFor(() => expect(document.activeElement).toBe(text));
  await user.clear(text);
  await user.paste('/a');
  for (const call of [api.startPrefetch, api.updatePrefetchList])
    call.mockRejectedValue(refusal({ 'urls.0': 'TOO_LONG' }, { params: { 'urls.0': { maximum: 4096 } } }));
  await user.click(button);
  await waitFor(() => expect(document.activeElement).toBe(text));
  expect(text.getAttribute('aria-invalid')).toBe('true');
});

it('says that a run was not cancelled for want of a network until there is one again', async () => {
  api.listPrefetches.mockResolvedValue(pageOf(prefetchOf()));
  api.cancelPrefetch.mockRejectedValue(new ApiError(0, undefined, undefined, ['Please check your network']));
  await renderDomains(<PrefetchPanel route={route} />);
  await user.click(await screen.findByRole('button', { name: 'Cancel' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Please check your network');
  networkReturns();
  expect(screen.queryByRole('alert')).toBeNull();
});
