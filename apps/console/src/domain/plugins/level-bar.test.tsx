// @vitest-environment happy-dom
import type { Route } from '@cordon/contract';
import { LOGIN_PATHS } from '@cordon/plugin-kit/path-patterns';
import { definitions } from '@cordon/plugins/definitions';
import { useQuery } from '@tanstack/react-query';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { routeOptions } from '../data/queries';
import { renderDomains } from '../testing/render-domains';
import { ROUTE_ID, sampleConfig, sampleRoute, sampleSubscription } from '../testing/sample-route';
import AreaTab from './area-tab';
import { changesAt } from './protection-level';

const api = vi.hoisted(() => ({
  getRoute: vi.fn(),
  updateRoute: vi.fn(),
  listSubscriptions: vi.fn(),
  getPluginEffects: vi.fn(),
  replayRequests: vi.fn(),
}));
vi.mock('../../app/api-client', () => ({ api, queryClient: { setQueryData: vi.fn(), invalidateQueries: vi.fn() } }));

const at = (level: 'low' | 'medium' | 'high') => ({
  ...sampleConfig(),
  plugins: changesAt(level, sampleConfig(), definitions).map(({ after }) => after),
});
function Page() {
  const route = useQuery(routeOptions(ROUTE_ID));
  return route.data ? <AreaTab area="protection" route={route.data} onDeploy={vi.fn()} onCopy={vi.fn()} /> : null;
}
async function open(change: Partial<Route> = {}, locale: 'en' | 'zh' = 'en') {
  api.getRoute.mockResolvedValue({ result: sampleRoute({ live: sampleConfig(), ...change }) });
  await renderDomains(<Page />, locale);
  return userEvent.setup({ delay: null });
}
const replay = (block: number, requests = 10_000) => ({
  result: {
    requests,
    is_complete: true,
    verdicts: { block, challenge: 0, log: 0, allow: 0, redirect: 0, pass: requests - block, unknown: 0 },
    newly_blocked: block,
    blocked_elsewhere: 0,
    newly_passed: 0,
    rules: [],
    unknown_rules: [],
    unseen: [],
  },
});
beforeAll(async () => {
  await import('./level-sheet');
  await import('../changes/change-list');
});
beforeEach(() => {
  for (const mock of Object.values(api)) mock.mockReset();
  api.listSubscriptions.mockResolvedValue({ results: [sampleSubscription()] });
  api.getPluginEffects.mockResolvedValue({ result: [] });
  api.replayRequests.mockResolvedValue(replay(312));
});
const limit = (enabled: boolean) => ({ name: 'request-limit', enabled, config: {} });
const level = (name: string) => screen.findByRole('button', { name: new RegExp(`^${name}`) });
const pressed = async () =>
  within(await screen.findByRole('region', { name: /Protection level|防护等级/ }))
    .getAllByRole('button')
    .map((button) => button.getAttribute('aria-pressed'));

it('shows which level the draft is at, that it is not live, and none where plugins are set one by one', async () => {
  await open({ draft: at('medium') });
  expect(await pressed()).toEqual(['false', 'true', 'false']);
  expect(screen.getByRole('heading', { name: /Protection level/ }).textContent).toContain('Not live');
});

it.each([
  ['en', 'Low', 'Request limit 1,200 requests / 4 min → ban 1 h', '2 of 5 on', '3 changes'],
  ['zh', '低', '访问频率控制 1,200 个请求 / 4 分钟 → 封禁 1 小时', '已开启 2 / 5', '更改 3 项'],
] as const)(
  'tells in figures in %s what a level sets, and how much of it is not so now',
  async (locale, name, limit, on, changes) => {
    await open({ draft: at('high') }, locale);
    const low = await level(name);
    await waitFor(() => expect(low.textContent).toContain(limit));
    expect([low.textContent?.includes(on), low.textContent?.includes(changes)]).toEqual([true, true]);
  },
);

it.each([
  ['en', 'Low', 'changes: Challenge off'],
  ['zh', '低', '人机验证 关闭'],
] as const)('tells in %s what a level turns off', async (locale, name, words) => {
  await open({ draft: at('high') }, locale);
  expect((await level(name)).textContent).toContain(words);
});

it.each([
  ['en', 'Medium', 'changes: Bans on'],
  ['zh', '中', '封禁 开启'],
] as const)('turns bans on again in %s, without which a level would ban nobody', async (locale, name, words) => {
  const off = { name: 'ban', enabled: false, config: { default_timeout: 60 } };
  const medium = at('medium');
  await open({ draft: { ...medium, plugins: [...medium.plugins, off] } }, locale);
  expect(await pressed()).toEqual(['false', 'false', 'false']);
  expect((await level(name)).textContent).toContain(words);
  cleanup();
  const on = [...medium.plugins, { ...off, enabled: true }];
  await open({ draft: { ...medium, plugins: on } }, locale);
  expect(await pressed()).toEqual(['false', 'true', 'false']);
  expect((await level(name)).textContent).not.toContain(words);
});

it('says of the level that the draft is at that it is as now', async () => {
  await open({ draft: at('medium') });
  expect((await level('Medium')).textContent).toContain('As now');
});

it('calls a domain at no level custom', async () => {
  await open();
  expect(await pressed()).toEqual(['false', 'false', 'false']);
  expect(screen.getByRole('heading', { name: /Protection level/ }).textContent).toContain('Custom');
});

it('shows what a level would change and would have done, and saves it in one press', async () => {
  api.updateRoute.mockResolvedValue({ result: sampleRoute({ draft: at('medium'), draft_revision: 13 }) });
  const user = await open();
  await user.click(await level('Medium'));
  const sheet = within(await screen.findByRole('dialog', { name: 'Protection level: Medium' }));
  expect(await sheet.findByRole('heading', { name: 'Request limit' })).toBeTruthy();
  expect(
    sheet.getByText('310 requests in 4 minutes ban a visitor for 3 hours (static files not counted)'),
  ).toBeTruthy();
  expect((await sheet.findAllByText(/312 would be blocked/)).length).toBeGreaterThan(0);
  await user.click(sheet.getByRole('button', { name: 'Save as draft' }));
  await waitFor(() => expect(api.updateRoute).toHaveBeenCalledTimes(1));
  expect(api.updateRoute.mock.calls[0]?.[0]).toMatchObject({
    ifMatch: 12,
    body: { plugins: at('medium').plugins, deploy: false },
  });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it.each([
  ['en', 'Medium', 'Request limit', 'Paths to count', 'Login pages', 'Everything', 'Ignore static files'],
  ['zh', '中', '访问频率控制', '统计路径', '登录页面', '全部', '仅统计动态请求'],
] as const)(
  'is not at a level whose limit it has only at its login pages, and shows in %s each field that the level changes',
  async (locale, name, plugin, paths, login, everything, files) => {
    const draft = at('medium');
    const plugins = draft.plugins.map((entry) =>
      entry.name === 'request-limit'
        ? { ...entry, config: { ...entry.config, banpath: LOGIN_PATHS, only_dynamic: false } }
        : entry,
    );
    const user = await open({ draft: { ...draft, plugins } }, locale);
    expect(await pressed()).toEqual(['false', 'false', 'false']);
    await user.click(await level(name));
    const sheet = within(await screen.findByRole('dialog'));
    expect((await sheet.findByRole('heading', { level: 3 })).textContent).toBe(plugin);
    const fields = sheet.getAllByRole('term').map((term) => [term.textContent, term.nextElementSibling?.textContent]);
    expect(fields.map(([label]) => label)).toEqual([paths, files]);
    expect(fields[0]?.[1]).toContain(login);
    expect(fields[0]?.[1]).toContain(everything);
  },
);

it.each([
  ['en', 'High', '(looser than now)', /^Replaces your stricter limit: 8 requests to \^\/login in 2 minutes ban/],
  ['zh', '高', '（比当前宽松）', /^将替换您当前更严的限制：2 分钟内对 \^\/login 发出 8 个请求即封禁/],
] as const)(
  'says in %s loudly that a level replaces a limit that is stricter for some paths',
  async (locale, name, brief, words) => {
    const config = { banpath: '^/login', findtime: 120, maxretry: 8, bantime: '15m' };
    const user = await open({ draft: { ...sampleConfig(), plugins: [{ ...limit(true), config }] } }, locale);
    expect((await level(name)).textContent).toContain(brief);
    await user.click(await level(name));
    expect(await within(await screen.findByRole('dialog')).findByText(words)).toBeTruthy();
  },
);

it('keeps what a level would change where saving it fails', async () => {
  api.updateRoute.mockRejectedValue(new Error('no'));
  const user = await open({}, 'zh');
  await user.click(await level('低'));
  const sheet = within(await screen.findByRole('dialog', { name: '防护等级：低' }));
  await user.click(sheet.getByRole('button', { name: '保存为草稿' }));
  await waitFor(() => expect(api.updateRoute).toHaveBeenCalledTimes(1));
  await waitFor(() =>
    expect((sheet.getByRole('button', { name: '保存为草稿' }) as HTMLButtonElement).disabled).toBe(false),
  );
  expect(await sheet.findByRole('heading', { name: '访问频率控制' })).toBeTruthy();
});

it('has nothing to save at the level that the draft is at', async () => {
  const user = await open({ draft: at('high'), live: at('high') });
  await user.click(await level('High'));
  const sheet = within(await screen.findByRole('dialog'));
  expect(sheet.getByText('The draft is already at this level.')).toBeTruthy();
  expect((sheet.getByRole('button', { name: 'Save and deploy' }) as HTMLButtonElement).disabled).toBe(true);
});

it.each([312, 1_999])('recommends a limit that is off by what it would have stopped: %d of 10,000', async (count) => {
  api.replayRequests.mockResolvedValue(replay(count));
  await open();
  const card = within(await screen.findByRole('article', { name: 'Request limit' }));
  expect(
    await card.findByText(`${count.toLocaleString('en')} of the last 10,000 requests would have been blocked`),
  ).toBeTruthy();
  expect(card.getByText('Worth turning on')).toBeTruthy();
});

it.each([
  [
    'en',
    'Request limit',
    'Rate-based challenge',
    '5,500 of the last 10,000 requests (55%) would be blocked. Under attack? Turn it on. If not, set a higher limit first: ordinary visitors reach this one.',
  ],
  [
    'zh',
    '访问频率控制',
    '频次触发人机验证',
    '最近 10,000 个请求中有 5,500 个（55%）会被拦截。如果您正遭受攻击，请立即开启；否则请先调高限制次数，以免影响正常访客。',
  ],
] as const)(
  'says in %s loudly, once, what to do where most requests come from visitors above a limit that is off',
  async (locale, first, second, said) => {
    api.replayRequests.mockResolvedValue(replay(5_500));
    await open({}, locale);
    const line = await (await row(first)).findByText(said);
    expect(line.closest('.text-warning')).not.toBeNull();
    expect(await (await row(second)).findByText(/5,500/)).toBeTruthy();
    expect((await row(second)).queryByText(/55%/)).toBeNull();
  },
);

it('recommends none that asks all visitors for something, whatever it would have stopped', async () => {
  const challenge = { name: 'challenge', enabled: false, config: { mode: 'js', path: '^/account', pass_time: '30m' } };
  const draft = { ...sampleConfig(), plugins: [challenge] };
  const { result } = replay(0);
  api.replayRequests.mockResolvedValue({ result: { ...result, verdicts: { ...result.verdicts, challenge: 312 } } });
  await open({ draft, live: draft });
  const card = within(await screen.findByRole('article', { name: 'Challenge' }));
  expect(await card.findByText('312 of the last 10,000 requests would have been challenged')).toBeTruthy();
  expect(card.queryByText('Worth turning on')).toBeNull();
});

it('says nothing of one that would have stopped nothing', async () => {
  api.replayRequests.mockImplementation(async ({ body }) => replay(body.plugin.name === 'request-limit' ? 0 : 312));
  await open();
  await screen.findByText(/would have been blocked/);
  const card = within(screen.getByRole('article', { name: 'Request limit' }));
  await waitFor(() => expect(api.replayRequests.mock.settledResults).not.toContainEqual({ type: 'incomplete' }));
  expect(card.queryByText(/would have been blocked/)).toBeNull();
});

it('asks nothing of a domain that is not live', async () => {
  await open({ live: null, version_live: null });
  await screen.findByRole('article', { name: 'Request limit' });
  expect(api.replayRequests).not.toHaveBeenCalled();
});

const row = async (name: string) => within(await screen.findByRole('article', { name }));

it('recommends of two that would have stopped the same requests only the one that comes first', async () => {
  await open();
  await (await row('Request limit')).findByText('Worth turning on');
  const second = await row('Rate-based challenge');
  expect(await second.findByText(/312 of the last 10,000 requests/)).toBeTruthy();
  expect(second.queryByText('Worth turning on')).toBeNull();
});

it('says nothing for one that would have no effect beside what the draft has on', async () => {
  await open({ draft: { ...sampleConfig(), plugins: [limit(true)] } });
  // What is not live yet keeps the number that decided for it.
  const first = await row('Request limit');
  expect(await first.findByText(/312 of the last 10,000 requests/)).toBeTruthy();
  expect(first.queryByText('Worth turning on')).toBeNull();
  expect(first.queryByText(/in 24 h/)).toBeNull();
  await waitFor(() => expect(api.replayRequests.mock.settledResults).not.toContainEqual({ type: 'incomplete' }));
  expect((await row('Rate-based challenge')).queryByText(/of the last 10,000 requests/)).toBeNull();
});

it('opens what would have no effect beside what the draft has on, and says so until its limit is lower', async () => {
  const user = await open({ draft: { ...sampleConfig(), plugins: [limit(true)] } });
  await user.click((await row('Rate-based challenge')).getByRole('switch'));
  const sheet = within(await screen.findByRole('dialog', { name: 'Rate-based challenge' }));
  const line =
    'Has no effect: “Request limit” stops visitors first, at 310 requests in 4 minutes. Set a lower limit here.';
  expect(await sheet.findByText(line)).toBeTruthy();
  expect(api.updateRoute).not.toHaveBeenCalled();
  expect(sheet.queryByText(/^Last 10,000 requests/)).toBeNull();
  const requests = sheet.getByRole('spinbutton', { name: /Requests/ });
  await user.clear(requests);
  await user.type(requests, '200');
  await waitFor(() => expect(sheet.queryByText(line)).toBeNull());
  expect(await sheet.findByText(/^Last 10,000 requests/)).toBeTruthy();
});

it('says first of one that was switched off what it did in 24 hours, and no longer as a fact what it is set to', async () => {
  api.getPluginEffects.mockResolvedValue({
    result: [{ plugin: 'request-limit', requests: 6_771, challenged: 0, passed: null }],
  });
  const config = { ...sampleConfig(), plugins: [limit(false)] };
  await open({ draft: config, live: config });
  const card = await row('Request limit');
  expect(await card.findByText('6,771')).toBeTruthy();
  expect(await card.findByText(/312 of the last 10,000 requests/)).toBeTruthy();
  expect(card.getByText(/^310 requests in 4 minutes/).className).toContain('text-muted');
});
