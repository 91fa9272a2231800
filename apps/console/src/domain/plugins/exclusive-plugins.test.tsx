// @vitest-environment happy-dom
import type { PluginEntry, Route } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { domainKeys } from '../data/keys';
import { renderDomains } from '../testing/render-domains';
import { ROUTE_ID, sampleConfig, sampleRoute, sampleSubscription } from '../testing/sample-route';
import AreaTab from './area-tab';

const api = vi.hoisted(() => ({
  listSubscriptions: vi.fn(),
  getPluginEffects: vi.fn(),
  getRoute: vi.fn(),
  updateRoute: vi.fn(),
}));
vi.mock('../../app/api-client', () => ({ api, queryClient: { setQueryData: vi.fn(), invalidateQueries: vi.fn() } }));

const withOn = (...names: string[]) => ({
  ...sampleConfig(),
  plugins: names.map((name) => ({ name, enabled: true, config: {} })),
});
const withOff = (config: Route['draft'], name: string) => ({
  ...config,
  plugins: [...config.plugins, { name, enabled: false, config: {} }],
});
let route: Route;
const sent = (): PluginEntry[] => api.updateRoute.mock.lastCall?.[0].body.plugins;

function Tab() {
  const { data } = useQuery({ queryKey: domainKeys.route(ROUTE_ID), queryFn: () => route });
  return data ? <AreaTab area="caching" route={data} onDeploy={vi.fn()} onCopy={vi.fn()} /> : null;
}
async function open(draft: Route['draft'], live: Route['live'] = draft, locale: 'en' | 'zh' = 'en') {
  route = sampleRoute({ draft, live, ...(live === null && { version_live: null }) });
  await renderDomains(<Tab />, locale);
  const [strategy, advanced] = (await screen.findAllByRole('article')) as [HTMLElement, HTMLElement];
  return { user: userEvent.setup({ delay: null }), strategy: within(strategy), advanced: within(advanced) };
}

beforeAll(() => import('./plugin-sheet'));
beforeEach(() => {
  for (const mock of Object.values(api)) mock.mockReset();
  api.listSubscriptions.mockResolvedValue({ results: [sampleSubscription()] });
  api.getPluginEffects.mockResolvedValue({ result: [] });
  api.getRoute.mockImplementation(async () => ({ result: route }));
  api.updateRoute.mockImplementation(async ({ body }: { body: { plugins: PluginEntry[] } }) => {
    const others = route.draft.plugins.filter(({ name }) => !body.plugins.some((entry) => entry.name === name));
    route = {
      ...route,
      draft_revision: route.draft_revision + 1,
      draft: { ...route.draft, plugins: [...others, ...body.plugins] },
    };
    return { result: route };
  });
});

it.each([
  ['en', '“Advanced cache” is turned on in the draft, “Cache strategy” off'],
  ['zh', '已在草稿中开启“高级缓存”，并关闭“缓存策略”'],
] as const)(
  'turns one off with the switch that turns the other on, at once, and says so in %s',
  async (locale, title) => {
    const { user, advanced, strategy } = await open(withOn('proxy-cache'), undefined, locale);
    await user.click(advanced.getByRole('switch'));
    expect((await screen.findAllByText(title)).length).toBeGreaterThan(0);
    expect(api.updateRoute).toHaveBeenCalledOnce();
    expect(sent().map(({ name, enabled }) => [name, enabled])).toEqual([
      ['advance-proxy-cache', true],
      ['proxy-cache', false],
    ]);
    await waitFor(() => expect((strategy.getByRole('switch') as HTMLInputElement).checked).toBe(false));
  },
);

it('leaves the other alone where one is turned off, or the other is off', async () => {
  const { user, strategy } = await open(withOff(withOn('proxy-cache'), 'advance-proxy-cache'));
  await user.click(strategy.getByRole('switch'));
  await screen.findAllByText('“Cache strategy” is turned off in the draft');
  expect(sent().map(({ name }) => name)).toEqual(['proxy-cache']);
  await waitFor(() => expect(strategy.getByRole('switch').getAttribute('aria-busy')).toBeNull());
  await user.click(strategy.getByRole('switch'));
  await screen.findAllByText('“Cache strategy” is turned on in the draft');
  expect(sent().map(({ name }) => name)).toEqual(['proxy-cache']);
});

it('says in the form what saving turns off, and does it with the same save', async () => {
  const { user, advanced } = await open(withOn('proxy-cache'));
  await user.click(advanced.getByRole('button', { name: 'Set up Advanced cache' }));
  expect(await screen.findByText('Saving turns “Cache strategy” off: the two cannot both be on.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Save as draft' }));
  await waitFor(() => expect(api.updateRoute).toHaveBeenCalledOnce());
  expect(sent().map(({ name, enabled }) => [name, enabled])).toEqual([
    ['advance-proxy-cache', true],
    ['proxy-cache', false],
  ]);
});

it('keeps the other on where the form leaves its plugin off', async () => {
  const { user, advanced } = await open(withOn('proxy-cache'));
  await user.click(advanced.getByRole('button', { name: 'Set up Advanced cache' }));
  await screen.findByText(/^Saving turns/);
  await user.click(within(screen.getByRole('dialog')).getByRole('switch', { name: 'Enabled' }));
  expect(screen.queryByText(/^Saving turns/)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Save as draft' }));
  await waitFor(() => expect(api.updateRoute).toHaveBeenCalledOnce());
  expect(sent().map(({ name }) => name)).toEqual(['advance-proxy-cache']);
});

it.each([
  [
    ...(['that a deploy as it is caches nothing, before the first where neither is on', withOn(), null] as const),
    /^No cache is on: once deployed, every request goes to your origin\. Turn one of these on\.$/,
  ],
  ['no more than that since, as the figures say it', withOn(), withOn(), /^One of these at a time/],
  ['that there is a choice where one is on', withOn('proxy-cache'), withOn(), /^One of these at a time/],
  ['no more than that while one is live', withOn(), withOn('proxy-cache'), /^One of these at a time/],
] as const)('says above them %s', async (_, draft, live, text) => {
  await open(draft, live);
  expect(await screen.findByText(text)).toBeTruthy();
});
