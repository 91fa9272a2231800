// @vitest-environment happy-dom
import type { Route } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { routeOptions } from '../data/queries';
import { renderDomains } from '../testing/render-domains';
import { ROUTE_ID, sampleConfig, sampleRoute, sampleSubscription } from '../testing/sample-route';
import AreaTab from './area-tab';

const api = vi.hoisted(() => ({
  getRoute: vi.fn(),
  updateRoute: vi.fn(),
  listSubscriptions: vi.fn(),
  getPluginEffects: vi.fn(),
  getTrafficOverview: vi.fn(),
}));
vi.mock('../../app/api-client', () => ({ api, queryClient: { setQueryData: vi.fn(), invalidateQueries: vi.fn() } }));

const NAME = 'response-transformer';
type Headers = readonly { name: string; value: string }[];
const config = (enabled: boolean, headers: Headers) => ({
  ...sampleConfig(),
  plugins: [{ name: NAME, enabled, config: { add: { headers: [...headers] } } }],
});
function Page({ area }: { area: 'headers' | 'error-pages' }) {
  const route = useQuery(routeOptions(ROUTE_ID));
  return route.data ? <AreaTab area={area} route={route.data} onDeploy={vi.fn()} onCopy={vi.fn()} /> : null;
}
async function open(change: Partial<Route>, area: 'headers' | 'error-pages' = 'headers', locale: 'en' | 'zh' = 'en') {
  api.getRoute.mockResolvedValue({ result: sampleRoute({ live: sampleConfig(), ...change }) });
  await renderDomains(<Page area={area} />, locale);
  return userEvent.setup({ delay: null });
}
const rowsOf = async (list: string) =>
  within(await screen.findByRole('region', { name: list }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent);

beforeAll(() => Promise.all([import('./plugin-sheet'), import('./area-overview')]));
beforeEach(() => {
  for (const mock of Object.values(api)) mock.mockReset();
  api.listSubscriptions.mockResolvedValue({ results: [sampleSubscription()] });
  api.getPluginEffects.mockResolvedValue({ result: [] });
  api.getTrafficOverview.mockResolvedValue({
    result: { totals: { requests: 5200, status_4xx: 1204, status_5xx: 12 } },
  });
});

it('tells of each value whether it is live, and what a deploy makes of it', async () => {
  const live = [
    { name: 'X-Same', value: '1' },
    { name: 'X-Other', value: 'old' },
    { name: 'X-Gone', value: 'g' },
  ];
  const draft = [
    { name: 'X-Same', value: '1' },
    { name: 'X-Other', value: 'new' },
    { name: 'X-Added', value: 'a' },
  ];
  await open({ live: config(true, live), draft: config(true, draft) });
  expect(await rowsOf('Headers that are set')).toEqual([
    'X-Same1VisitorsLive',
    'X-OtherBefore: oldAfter: newVisitorsChanged · not live',
    'X-AddedaVisitorsNot live',
    'X-GonegVisitorsRemoved on deploy',
  ]);
});

it.each([
  [true, 'Removed on deploy'],
  [false, 'Turned off'],
])('tells of a plugin that is off in the draft what becomes of its values; live: %s', async (isLive, words) => {
  const headers = [{ name: 'X-A', value: '1' }];
  await open({ live: config(isLive, headers), draft: config(false, headers) });
  expect(await rowsOf('Headers that are set')).toEqual([`X-A1Visitors${words}`]);
});

it('opens the form with what is suggested in it, and saves nothing until that is pressed', async () => {
  const own = { name: 'X-Own', value: '1' };
  api.updateRoute.mockResolvedValue({ result: sampleRoute({ draft_revision: 13 }) });
  const user = await open({ draft: config(false, [own]) });
  await user.click(await screen.findByRole('button', { name: 'Add X-Content-Type-Options' }));
  const sheet = within(await screen.findByRole('dialog', { name: 'Response headers' }));
  expect(api.updateRoute).not.toHaveBeenCalled();
  const value = await sheet.findByDisplayValue('nosniff');
  await waitFor(() => expect(document.activeElement).toBe(value));
  // One that is there already is not added again.
  const added = await sheet.findByRole('button', { name: 'X-Content-Type-Options is in the list' });
  await user.click(added);
  await user.click(sheet.getByRole('button', { name: 'Save as draft' }));
  await waitFor(() => expect(api.updateRoute).toHaveBeenCalledTimes(1));
  expect(api.updateRoute.mock.calls[0]?.[0].body).toMatchObject({
    deploy: false,
    plugins: [
      {
        name: NAME,
        enabled: true,
        config: { add: { headers: [own, { name: 'X-Content-Type-Options', value: 'nosniff' }] } },
      },
    ],
  });
});

it('gives the focus to the suggested value also where the form is there at once', async () => {
  const user = await open({ draft: config(false, [{ name: 'X-Own', value: '1' }]) });
  const focused = () => (document.activeElement as HTMLInputElement | null)?.value;
  await user.click(await screen.findByRole('button', { name: 'Add X-Content-Type-Options' }));
  await waitFor(() => expect(focused()).toBe('nosniff'));
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Discard changes' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Show 3 more' }));
  await user.click(await screen.findByRole('button', { name: 'Add X-Frame-Options' }));
  await screen.findByRole('dialog', { name: 'Response headers' });
  await waitFor(() => expect(focused()).toBe('SAMEORIGIN'));
});

it('asks before what was suggested is thrown away', async () => {
  const user = await open({});
  await user.click(await screen.findByRole('button', { name: 'Add X-Content-Type-Options' }));
  await screen.findByRole('dialog', { name: 'Response headers' });
  await user.keyboard('{Escape}');
  expect(await screen.findByRole('alertdialog')).toBeTruthy();
});

it('shows what was set before the plan lacked it, and suggests nothing', async () => {
  api.listSubscriptions.mockResolvedValue({ results: [sampleSubscription('free')] });
  const set = config(true, [{ name: 'X-A', value: '1' }]);
  await open({ live: set, draft: set });
  expect(await rowsOf('Headers that are set')).toEqual(['X-A1VisitorsLive']);
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Worth adding' })).toBeNull());
  expect(screen.getAllByRole('article')).toHaveLength(2);
});

it('shows the first suggestions of each receiver, and the others when asked, where the focus goes', async () => {
  const user = await open({});
  const group = within(await screen.findByRole('region', { name: 'Security headers, to visitors' }));
  expect(group.getAllByRole('listitem')).toHaveLength(3);
  await user.click(group.getByRole('button', { name: 'Show 3 more' }));
  expect(group.getAllByRole('listitem')).toHaveLength(6);
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Add X-Frame-Options'));
});

it('hides no single suggestion behind a button as high as itself', async () => {
  await open({});
  const group = within(await screen.findByRole('region', { name: 'For your origin' }));
  expect(group.getAllByRole('listitem')).toHaveLength(4);
  expect(group.queryByRole('button', { name: /^Show/ })).toBeNull();
});

it.each([
  ['en', 'What visitors get', '404 Not found', 'Your origin’s own page', 'Not live', 'Default pages'],
  ['zh', '访客看到的内容', '404 页面不存在', '源站自己的页面', '未生效', '默认页面'],
] as const)('shows in %s which page visitors get with each status', async (locale, title, name, own, state, pages) => {
  const url = 'https://pages.example/404.html';
  const plugin = { name: 'custom-error-page', enabled: true, config: { error_404: url } };
  await open({ draft: { ...sampleConfig(), plugins: [plugin] } }, 'error-pages', locale);
  const row = (await rowsOf(title))[2];
  for (const text of [name, own, state, url]) expect(row).toContain(text);
  // What is not set says what visitors get instead; only what is set has a state.
  const rows = await rowsOf(title);
  expect(rows.filter((text) => text?.includes(own))).toHaveLength(4);
  expect(rows.filter((text) => text?.includes(state))).toEqual([row]);
  const link = screen.getByRole('link', { name: url }) as HTMLAnchorElement;
  expect([link.href, link.target, link.rel]).toEqual([url, '_blank', 'noopener noreferrer']);
  expect(within(await screen.findByRole('region', { name: pages })).getAllByRole('listitem')).toHaveLength(2);
});

it('tells how many errors visitors got in the last 24 hours', async () => {
  await open({}, 'error-pages');
  const numbers = (await screen.findByText('1,204')).parentElement;
  expect(numbers?.textContent).toBe('5,200 requests in 24 h · 4xx 1,204 · 5xx 12');
  const link = within(numbers as HTMLElement).getByRole('link', { name: '12' });
  expect(link.getAttribute('href')).toContain('status=5xx');
});
