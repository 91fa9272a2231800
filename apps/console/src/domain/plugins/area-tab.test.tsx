// @vitest-environment happy-dom
import { ApiError, type Route } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { routeOptions } from '../data/queries';
import { StartedContext } from '../model/started';
import { renderDomains } from '../testing/render-domains';
import { ROUTE_ID, sampleConfig, sampleRoute, sampleSubscription } from '../testing/sample-route';
import AreaTab from './area-tab';

/* What the console remembers of its brand, read when its module loads. */
vi.hoisted(() => window.localStorage.setItem('brand', JSON.stringify({ support_email: 'help@cordon.test' })));

const api = vi.hoisted(() => ({
  getRoute: vi.fn(),
  updateRoute: vi.fn(),
  listSubscriptions: vi.fn(),
  getPluginEffects: vi.fn(),
}));
vi.mock('../../app/api-client', () => ({ api, queryClient: { setQueryData: vi.fn(), invalidateQueries: vi.fn() } }));

const config = { allow: [], deny: ['198.41.128.7'], whitelistMode: false, blacklistMode: true, allow_spiders: true };
const withPlugin = (enabled: boolean, change: Partial<Route> = {}) => {
  const plugins = [{ name: 'ip-restriction', enabled, config }];
  return sampleRoute({ draft: { ...sampleConfig(), plugins }, live: { ...sampleConfig(), plugins }, ...change });
};
function Page({ area = 'access' }: { area?: 'access' | 'headers' | 'protection' }) {
  const route = useQuery(routeOptions(ROUTE_ID));
  return route.data ? <AreaTab area={area} route={route.data} onDeploy={vi.fn()} onCopy={vi.fn()} /> : null;
}
async function open(route: Route) {
  api.getRoute.mockResolvedValue({ result: route });
  await renderDomains(<Page />);
  return {
    user: userEvent.setup({ delay: null }),
    card: await screen.findByRole('article', { name: 'IP restriction' }),
  };
}
// Loaded once for all: what a test waits for is not how long that takes.
beforeAll(() => import('./plugin-sheet'));
beforeEach(() => {
  for (const mock of Object.values(api)) mock.mockReset();
  api.listSubscriptions.mockResolvedValue({ results: [sampleSubscription()] });
  api.getPluginEffects.mockResolvedValue({
    result: [{ plugin: 'ip-restriction', requests: 1412, challenged: 0, passed: null }],
  });
});

it('says once why there are no numbers, and asks for them again', async () => {
  const AWAY = { success: false, code: 'TRAFFIC_UNAVAILABLE', message: 'Away', request_id: '1' } as const;
  api.getPluginEffects.mockRejectedValueOnce(new ApiError(503, AWAY.code, AWAY, [`code.${AWAY.code}`]));
  const { user, card } = await open(withPlugin(true));
  await screen.findByText(/^Traffic data is not available/);
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await within(card).findByText('1,412')).toBeTruthy();
  expect(screen.queryByText(/^Traffic data is not available/)).toBeNull();
});

it('tells on the card what a plugin is set to, which says what it does, and what it did in the last 24 hours', async () => {
  const { card } = await open(withPlugin(true));
  expect(within(card).queryByText('Allow or block visitors by IP.')).toBeNull();
  expect(within(card).getByText('Blocks 1 IP or range')).toBeTruthy();
  expect(await within(card).findByText('1,412')).toBeTruthy();
  expect((within(card).getByRole('switch') as HTMLInputElement).checked).toBe(true);
});

it.each([
  ['en', '“Headers sent to your origin” and “Response headers” need a VIP plan. Upgrade'],
  ['zh', '“回源请求头”和“响应头”需要 VIP 套餐。升级'],
] as const)(
  'says in one sentence in %s what the plan lacks, and has no rows that cannot be used',
  async (locale, why) => {
    api.getRoute.mockResolvedValue({ result: sampleRoute() });
    api.listSubscriptions.mockResolvedValue({ results: [sampleSubscription('free')] });
    await renderDomains(<Page area="headers" />, locale);
    const link = (await screen.findByRole('link')) as HTMLAnchorElement;
    expect([link.parentElement?.textContent, link.href]).toEqual([why, 'mailto:help@cordon.test']);
    expect([...screen.queryAllByRole('article'), ...screen.queryAllByRole('button')]).toEqual([]);
  },
);

it.each([
  [25, '100 challenged, 25 passed (25%)'],
  [0, '100 challenged, none passed'],
  [null, '100 challenged'],
])('tells of challenges how many were passed: %s', async (passed, text) => {
  api.getPluginEffects.mockResolvedValue({
    result: [{ plugin: 'challenge', requests: 120, challenged: 100, passed }],
  });
  const entry = { name: 'challenge', enabled: true, config: { mode: 'js', path: '.*', pass_time: '30m' } };
  api.getRoute.mockResolvedValue({ result: sampleRoute({ draft: { ...sampleRoute().draft, plugins: [entry] } }) });
  await renderDomains(<Page area="protection" />);
  const card = within(await screen.findByRole('article', { name: 'Challenge' }));
  expect(await card.findByText(text)).toBeTruthy();
  expect(card.getByText('120')).toBeTruthy();
});

it.each([
  ['en', 'Challenge', '1,777 challenged, none passed', 'in 24 h'],
  ['zh', '人机验证', '1,777 次人机验证，0 次通过', '/ 24 小时'],
] as const)('tells in %s of one that only challenges its number once', async (locale, name, text, day) => {
  api.getPluginEffects.mockResolvedValue({
    result: [{ plugin: 'challenge', requests: 1777, challenged: 1777, passed: 0 }],
  });
  const entry = { name: 'challenge', enabled: true, config: { mode: 'js', path: '.*', pass_time: '30m' } };
  api.getRoute.mockResolvedValue({ result: sampleRoute({ draft: { ...sampleRoute().draft, plugins: [entry] } }) });
  await renderDomains(<Page area="protection" />, locale);
  const card = within(await screen.findByRole('article', { name }));
  const said = (await card.findByText(text)).closest('dl');
  expect(said?.textContent).toBe(`${day}${text}`);
  // Where a line does not hold both, the number stands above what it is of; alone it may be too long for one.
  expect([said?.style.flexWrap, said?.style.whiteSpace]).toEqual(['wrap-reverse', 'normal']);
});

it.each([
  ['en', 'Signed links', 2, '8 made to wait, 2 passed (25%)'],
  ['en', 'Signed links', null, '8 made to wait'],
  ['zh', '签名链接', 2, '8 次等待，2 次通过（25%）'],
] as const)('says in %s of waits that they are, and of no challenge: %s, %s', async (locale, name, passed, text) => {
  api.getPluginEffects.mockResolvedValue({ result: [{ plugin: 'seclink', requests: 9, challenged: 8, passed }] });
  const entry = { name: 'seclink', enabled: true, config: { path: '^/files/' } };
  api.getRoute.mockResolvedValue({ result: sampleRoute({ draft: { ...sampleRoute().draft, plugins: [entry] } }) });
  await renderDomains(<Page />, locale);
  const card = within(await screen.findByRole('article', { name }));
  expect(await card.findByText(text)).toBeTruthy();
  expect(card.queryByText(/challenged|人机验证/)).toBeNull();
});

it.each([
  ['en', 2, '2requests in 24 h'],
  ['en', 1, '1request in 24 h'],
  ['zh', 2, '2个请求（24 小时内）'],
] as const)('says in %s what the number of a card counts: %d', async (locale, requests, said) => {
  api.getPluginEffects.mockResolvedValue({ result: [{ plugin: 'ban', requests, challenged: 0, passed: null }] });
  api.getRoute.mockResolvedValue({ result: sampleRoute() });
  await renderDomains(<Page area="protection" />, locale);
  const card = await screen.findByRole('article', { name: locale === 'zh' ? '封禁' : 'Bans' });
  await waitFor(() => {
    const number = card.querySelector('dd');
    expect(`${number?.textContent}${number?.previousSibling?.textContent}`).toBe(said);
  });
});

it('says nothing of 24 hours where it is off', async () => {
  const { card } = await open(withPlugin(false));
  expect(within(card).getByText('Blocks 1 IP or range')).toBeTruthy();
  expect(card.textContent).not.toContain('in 24 h');
});

it('switches on from the card what a new form starts with', async () => {
  api.updateRoute.mockResolvedValue({ result: sampleRoute({ draft_revision: 13 }) });
  api.getRoute.mockResolvedValue({ result: sampleRoute() });
  await renderDomains(<Page />);
  const card = within(await screen.findByRole('article', { name: 'Certificate validation (ACME)' }));
  await userEvent.setup({ delay: null }).click(card.getByRole('switch'));
  await waitFor(() => expect(api.updateRoute).toHaveBeenCalledTimes(1));
  expect(api.updateRoute.mock.calls[0]?.[0].body.plugins).toMatchObject([
    { enabled: true, config: { is_bypass_acme: true } },
  ]);
});

it('switches off in the draft, with the configuration kept', async () => {
  api.updateRoute.mockResolvedValue({ result: withPlugin(false, { draft_revision: 13 }) });
  const { user, card } = await open(withPlugin(true));
  const control = within(card).getByRole('switch');
  control.focus();
  await user.keyboard(' ');
  await waitFor(() => expect(api.updateRoute).toHaveBeenCalledTimes(1));
  expect(document.activeElement).toBe(control);
  expect((control as HTMLInputElement).disabled).toBe(false);
  expect(api.updateRoute.mock.calls[0]?.[0]).toMatchObject({
    ifMatch: 12,
    body: { plugins: [{ name: 'ip-restriction', enabled: false, config }] },
  });
  expect(api.updateRoute.mock.calls[0]?.[0].body.deploy).toBeFalsy();
});

it('is set up before it is switched on: an empty one would protect nothing', async () => {
  const { user, card } = await open(sampleRoute());
  expect(within(card).getByRole('button', { name: 'Set up IP restriction' })).toBeTruthy();
  expect(card.textContent).not.toMatch(/Last 24 hours|Settings/);
  await user.click(within(card).getByRole('switch'));
  const sheet = await screen.findByRole('dialog', { name: 'IP restriction' });
  expect(api.updateRoute).not.toHaveBeenCalled();
  await within(sheet).findByRole('textbox');
  await user.click(within(sheet).getByRole('button', { name: 'Save and deploy' }));
  expect(await within(sheet).findByText(/Add at least one public address or range/)).toBeTruthy();
  expect(api.updateRoute).not.toHaveBeenCalled();
});

it('marks the wrong entry with the plugin’s own words, then saves and deploys what is right', async () => {
  api.updateRoute.mockResolvedValue({ result: withPlugin(true, { draft_revision: 13 }) });
  const { user, card } = await open(withPlugin(true));
  await user.click(within(card).getByRole('button', { name: /^Edit/ }));
  const sheet = await screen.findByRole('dialog', { name: 'IP restriction' });
  const denied = await within(sheet).findByRole('textbox', { name: /Blocked IPs/ });
  await user.type(denied, 'nonsense{Enter}');
  await user.click(within(sheet).getByRole('button', { name: 'Save and deploy' }));
  expect(await within(sheet).findByText(/Not an IP address or range/)).toBeTruthy();
  expect(api.updateRoute).not.toHaveBeenCalled();
  await user.click(within(sheet).getByRole('button', { name: 'Remove nonsense' }));
  await user.type(denied, '104.16.0.0/13{Enter}');
  await user.click(within(sheet).getByRole('button', { name: 'Save and deploy' }));
  await waitFor(() => expect(api.updateRoute).toHaveBeenCalledTimes(1));
  expect(api.updateRoute.mock.calls[0]?.[0].body).toMatchObject({
    deploy: true,
    plugins: [{ enabled: true, config: { deny: ['198.41.128.7', '104.16.0.0/13'] } }],
  });
});

it.each([
  ['en', '1.1.1.1/0', 'A /0 mask is not allowed: it would mean the whole Internet'],
  ['zh', '1.1.1.1/0', '不允许 /0 掩码：它表示整个互联网'],
  ['en', '198.41.128.7/32', 'Same as 198.41.128.7'],
  ['zh', '198.41.128.7/32', '与 198.41.128.7 相同'],
  ['en', '198.41.128.0/24', 'Inside 198.41.128.0/24, so one of them has no effect'],
  ['zh', '198.41.128.0/24', '该条目包含在 198.41.128.0/24 之内'],
  ['en', '10.0.0.1', '10.0.0.1 is ignored: private address'],
  ['zh', '10.0.0.1', '10.0.0.1 将被忽略：属于私有地址'],
  ['en', '', 'Add at least one public address or range'],
  ['zh', '', '请至少添加一个公网地址或网段'],
] as const)('tells in %s what is wrong with %j (specification section 5)', async (locale, typed, words) => {
  api.getRoute.mockResolvedValue({ result: withPlugin(true) });
  api.updateRoute.mockImplementation(async ({ body: { plugins } }) => ({
    result: withPlugin(true, { draft_revision: 13, draft: { ...withPlugin(true).draft, plugins } }),
  }));
  await renderDomains(<Page />, locale);
  const user = userEvent.setup({ delay: null });
  const card = await screen.findByRole('article', { name: locale === 'en' ? 'IP restriction' : 'IP 黑白名单' });
  await user.click(within(card).getByRole('button', { name: locale === 'en' ? /^Edit/ : /^编辑/ }));
  const sheet = await screen.findByRole('dialog');
  const denied = await within(sheet).findByRole('textbox', {
    name: locale === 'en' ? 'Blocked IPs' : '黑名单',
  });
  if (typed === '') await user.click(within(sheet).getByRole('button', { name: /198\.41\.128\.7$/ }));
  else await user.type(denied, `${typed}{Enter}`);
  // What is wrong with an entry is said while it is typed, what is missing once it is to be saved.
  if (typed !== '') await waitFor(() => expect(sheet.textContent).toContain(words));
  await user.click(within(sheet).getByRole('button', { name: locale === 'en' ? 'Save as draft' : '保存为草稿' }));
  await waitFor(() => expect(sheet.textContent).toContain(words));
  expect(api.updateRoute).toHaveBeenCalledTimes(typed === '10.0.0.1' ? 1 : 0);
});

it('says once why nothing is left to match by, and marks the entry that does nothing', async () => {
  const { user, card } = await open(withPlugin(true));
  await user.click(within(card).getByRole('button', { name: /^Edit/ }));
  const sheet = await screen.findByRole('dialog', { name: 'IP restriction' });
  const denied = await within(sheet).findByRole('textbox', { name: /Blocked IPs/ });
  await user.click(within(sheet).getByRole('button', { name: 'Remove 198.41.128.7' }));
  await user.type(denied, '10.0.0.1{Enter}');
  expect(within(sheet).getByText(/10\.0\.0\.1 is ignored/)).toBeTruthy();
  await user.click(within(sheet).getByRole('button', { name: 'Save and deploy' }));
  await within(sheet).findByText(/Add at least one public address or range/);
  expect(within(sheet).queryByText(/is ignored/)).toBeNull();
  expect(within(sheet).getByText(/Reserved: no visitor has it/)).toBeTruthy();
});

it('asks before Escape throws an edit away', async () => {
  const { user, card } = await open(withPlugin(true));
  await user.click(within(card).getByRole('button', { name: /^Edit/ }));
  const sheet = await screen.findByRole('dialog', { name: 'IP restriction' });
  await user.type(await within(sheet).findByRole('textbox', { name: /Blocked IPs/ }), '104.16.0.9{Enter}');
  await user.keyboard('{Escape}');
  expect(await screen.findByRole('alertdialog')).toBeTruthy();
  expect(within(sheet).getByText('104.16.0.9')).toBeTruthy();
});

function Protection() {
  const route = useQuery(routeOptions(ROUTE_ID));
  return route.data ? <AreaTab area="protection" route={route.data} onDeploy={vi.fn()} onCopy={vi.fn()} /> : null;
}
async function openProtection(route: Route, locale: 'en' | 'zh' = 'en') {
  api.getRoute.mockResolvedValue({ result: route });
  await renderDomains(<Protection />, locale);
  return within(await screen.findByRole('article', { name: locale === 'en' ? 'Bans' : '封禁' }));
}

it.each([
  ['en', 'On by default', 'Banned addresses', /Default duration: 1 hour/],
  ['zh', '默认开启', '已封禁的地址', /默认封禁 1 小时/],
] as const)(
  'says in %s of a plugin that is always on that it is on by default, and where its bans are',
  async (locale, words, link, summary) => {
    const card = await openProtection(sampleRoute(), locale);
    expect(card.getByText(words)).toBeTruthy();
    expect((card.getByRole('switch') as HTMLInputElement).checked).toBe(true);
    expect(card.getByText(summary)).toBeTruthy();
    const href = card.getByRole('link', { name: link }).getAttribute('href') ?? '';
    expect(href).toContain('/manage-ip');
    expect(href).toContain(ROUTE_ID);
  },
);

it.each([
  ['en', 'Under Attack mode', false, 'Standby'],
  ['zh', '攻击防御模式', false, '待命'],
  ['en', 'Under Attack mode', true, 'On now'],
  ['en', 'Under Attack mode', true, 'Checks every browser automatically'],
  ['zh', '攻击防御模式', true, '自动验证所有浏览器'],
] as const)(
  'says in %s of %s, which waits to be started, whether it is (%s)',
  async (locale, name, isStarted, words) => {
    api.getRoute.mockResolvedValue({ result: sampleRoute({ live: sampleConfig() }) });
    await renderDomains(
      <StartedContext value={isStarted && 'domain'}>
        <Protection />
      </StartedContext>,
      locale,
    );
    const card = within(await screen.findByRole('article', { name }));
    expect(card.getByText(words)).toBeTruthy();
    expect(card.queryByText(/On by default|默认开启/)).toBeNull();
  },
);

const onStart = vi.fn();
function StartedProtection() {
  const route = useQuery(routeOptions(ROUTE_ID));
  const actions = { onDeploy: vi.fn(), onCopy: vi.fn(), onStart };
  return route.data ? <AreaTab area="protection" route={route.data} {...actions} /> : null;
}
it.each([
  [false, 'Start now…'],
  ['domain', 'End now…'],
  ['account', 'End for all domains…'],
] as const)('has the way to what starts or ends the mode on its row (started: %s)', async (started, words) => {
  onStart.mockReset();
  api.getRoute.mockResolvedValue({ result: sampleRoute({ live: sampleConfig(), status: 'running' }) });
  await renderDomains(
    <StartedContext value={started}>
      <StartedProtection />
    </StartedContext>,
  );
  const card = within(await screen.findByRole('article', { name: 'Under Attack mode' }));
  await userEvent.setup({ delay: null }).click(card.getByRole('button', { name: words }));
  expect(onStart).toHaveBeenCalledOnce();
  expect(screen.queryAllByRole('button', { name: words })).toHaveLength(1);
  expect(await screen.findByText(started ? /^2 of 6 on · / : /^1 of 5 on · /)).toBeTruthy();
});

it.each([true, false])('has that way beside the other controls of its row where there is room: %s', async (isWide) => {
  const media = { addEventListener: vi.fn(), removeEventListener: vi.fn() } as unknown as MediaQueryList;
  const matchMedia = vi.spyOn(window, 'matchMedia');
  matchMedia.mockImplementation((query) => ({ ...media, matches: isWide && query.includes('min-width') }));
  api.getRoute.mockResolvedValue({ result: sampleRoute({ live: sampleConfig(), status: 'running' }) });
  await renderDomains(<StartedProtection />);
  const card = within(await screen.findByRole('article', { name: 'Under Attack mode' }));
  const controls = card.getByRole('button', { name: /^(Edit|Set up)/ }).parentElement;
  expect(controls?.contains(card.getByRole('button', { name: 'Start now…' }))).toBe(isWide);
  matchMedia.mockRestore();
});

function Access() {
  const route = useQuery(routeOptions(ROUTE_ID));
  return route.data ? <AreaTab area="access" route={route.data} onDeploy={vi.fn()} onCopy={vi.fn()} /> : null;
}

it.each([
  ['en', 'Allow list', 'Manage allow list', 'Edit'],
  ['zh', '账号白名单', '管理白名单', '编辑'],
] as const)(
  'leads in %s from the card of the allow list to the list, and has nothing to edit',
  async (locale, name, link, edit) => {
    api.getRoute.mockResolvedValue({ result: sampleRoute() });
    await renderDomains(<Access />, locale);
    const card = within(await screen.findByRole('article', { name }));
    expect(card.getByRole('link', { name: link }).getAttribute('href')).toContain('tab=allowed');
    expect(card.queryByRole('button', { name: new RegExp(`^${edit}`) })).toBeNull();
    const other = within(screen.getAllByRole('article')[1] as HTMLElement);
    expect(other.getAllByRole('button')).not.toEqual([]);
  },
);

it('switches off a plugin that is always on by an entry of its own', async () => {
  api.updateRoute.mockResolvedValue({ result: sampleRoute({ draft_revision: 13 }) });
  const card = await openProtection(sampleRoute());
  await userEvent.setup({ delay: null }).click(card.getByRole('switch'));
  await waitFor(() => expect(api.updateRoute).toHaveBeenCalledTimes(1));
  expect(api.updateRoute.mock.calls[0]?.[0].body).toEqual({
    plugins: [{ name: 'ban', enabled: false, config: { default_timeout: 3600 } }],
  });
});

it.each([
  ['en', 'Request limit', 'No visitor is banned while “Bans” is off.', 'Turn it on'],
  ['zh', '访问频率控制', '“封禁”已关闭，因此不会封禁任何访客。', '去开启'],
] as const)(
  'says in %s of a plugin that bans that nothing is banned while bans are off',
  async (locale, name, words, turnOn) => {
    const off = { name: 'ban', enabled: false, config: { default_timeout: 3600 } };
    const limit = (enabled: boolean) => ({ name: 'request-limit', enabled, config: {} });
    const draftOf = (...plugins: Route['draft']['plugins']) => sampleRoute({ draft: { ...sampleConfig(), plugins } });
    const cardOf = async (route: Route) => {
      await openProtection(route, locale);
      return screen.findByRole('article', { name });
    };
    const card = await cardOf(draftOf(limit(true), off));
    const link = await within(card).findByRole('link', { name: turnOn });
    expect(link.getAttribute('href')).toContain(`/domain/list/${ROUTE_ID}?tab=protection&edit=ban`);
    expect(card.textContent).toContain(words);
    cleanup();
    expect((await cardOf(draftOf(limit(true)))).textContent).not.toContain(words);
    cleanup();
    expect((await cardOf(draftOf(limit(false), off))).textContent).not.toContain(words);
  },
);

it('says of one that visitors have, and that is edited, that its change is not live', async () => {
  const { card } = await open(
    withPlugin(true, {
      live: {
        ...sampleConfig(),
        plugins: [{ name: 'ip-restriction', enabled: true, config: { ...config, deny: [] } }],
      },
    }),
  );
  expect(within(card).getByText('Changed · not live')).toBeTruthy();
  cleanup();
  const added = await open(withPlugin(true, { live: sampleConfig() }));
  expect(within(added.card).getByText('Not live')).toBeTruthy();
});

it.each([
  ['en', true, /^2 of 5 on, 3 after deploy · 0 requests handled/],
  ['zh', true, /^已开启 2 \/ 5，部署后 3 \/ 5 · /],
  ['en', false, /^0 of 5 on, 3 after deploy/],
] as const)(
  'counts in %s as on what visitors have, and beside it what a deploy makes of it (live: %s)',
  async (locale, isLive, said) => {
    const entries = ['request-limit', 'challenge'].map((name) => ({ name, enabled: true, config: {} }));
    const live = isLive ? { ...sampleConfig(), plugins: entries.slice(1) } : null;
    await openProtection(sampleRoute({ live, draft: { ...sampleConfig(), plugins: entries } }), locale);
    expect(await screen.findByText(said)).toBeTruthy();
  },
);

it('counts once what a deploy leaves as it is', async () => {
  await openProtection(sampleRoute());
  expect(await screen.findByText(/^1 of 5 on · /)).toBeTruthy();
});

it('keeps one order of the plugins, whatever is on, in a tab that is opened again too', async () => {
  api.updateRoute.mockResolvedValue({ result: withPlugin(true, { draft_revision: 13 }) });
  const { user, card } = await open(withPlugin(true));
  const names = () => screen.getAllByRole('article').map((one) => one.getAttribute('aria-label'));
  const before = names();
  api.updateRoute.mockResolvedValue({ result: withPlugin(false, { draft_revision: 13 }) });
  await user.click(within(card).getByRole('switch'));
  await waitFor(() => expect(within(card).getByRole<HTMLInputElement>('switch').checked).toBe(false));
  expect(names()).toEqual(before);
  cleanup();
  await open(withPlugin(false));
  expect(names()).toEqual(before);
});

it('shows one that is switched off as off and as a change to deploy', async () => {
  const plugins = [{ name: 'ban', enabled: false, config: { default_timeout: 3600 } }];
  const card = await openProtection(sampleRoute({ draft: { ...sampleConfig(), plugins } }));
  expect(card.queryByText('On by default')).toBeNull();
  expect((card.getByRole('switch') as HTMLInputElement).checked).toBe(false);
  expect(card.getByText('Changed · not live')).toBeTruthy();
});

const onEditedClose = vi.fn();
let name: (plugin: string | undefined) => void;
function Addressed() {
  const route = useQuery(routeOptions(ROUTE_ID));
  const [edited, setEdited] = useState<string>();
  name = setEdited;
  if (!route.data) return null;
  const address = { edited, onEditedClose };
  return <AreaTab area="access" route={route.data} onDeploy={vi.fn()} onCopy={vi.fn()} {...address} />;
}

it('opens the form that the address names, says when it is closed, and closes it when the address no longer does', async () => {
  api.getRoute.mockResolvedValue({ result: withPlugin(true) });
  onEditedClose.mockReset();
  await renderDomains(<Addressed />);
  const card = await screen.findByRole('article', { name: 'IP restriction' });
  const sheet = () => screen.queryByRole('dialog', { name: 'IP restriction' });
  const user = userEvent.setup({ delay: null });
  act(() => name('ip-restriction'));
  await waitFor(() => expect(sheet()).toBeTruthy());
  act(() => name(undefined));
  await waitFor(() => expect(sheet()).toBeNull());
  expect(onEditedClose).not.toHaveBeenCalled();
  act(() => name('ip-restriction'));
  await waitFor(() => expect(sheet()).toBeTruthy());
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(sheet()).toBeNull());
  expect(onEditedClose).toHaveBeenCalledOnce();
  act(() => name(undefined));
  // One that was opened by hand is none of the address's.
  await user.click(within(card).getByRole('button', { name: 'Edit IP restriction' }));
  await waitFor(() => expect(sheet()).toBeTruthy());
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(sheet()).toBeNull());
  expect(onEditedClose).toHaveBeenCalledOnce();
});
