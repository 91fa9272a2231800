// @vitest-environment happy-dom
import { ApiError, type Route } from '@cordon/contract';
import { findDefinition } from '@cordon/plugins/definitions';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { renderDomains } from '../testing/render-domains';
import { sampleConfig, sampleRoute } from '../testing/sample-route';
import { usePluginWords } from '../words/plugin-words';
import PluginSheet from './plugin-sheet';

const api = vi.hoisted(() => ({ updateRoute: vi.fn(), getRoute: vi.fn() }));
const notify = vi.hoisted(() => vi.fn());
vi.mock('../../ui/notices', async (original) => ({ ...(await original<object>()), notify }));
vi.mock('../../app/api-client', () => ({ api, queryClient: { setQueryData: vi.fn(), invalidateQueries: vi.fn() } }));

const loadForm = vi.hoisted(() => vi.fn());
/** A form whose file does not arrive until it is to; its fields are of no interest. */
vi.mock('@cordon/plugins/forms', async (original) => {
  const { forms } = await original<typeof import('@cordon/plugins/forms')>();
  return { forms: { ...forms, geoip: loadForm } };
});

/** Another user saves other settings of the plugin, and the page hears of it. */
let changeElsewhere: (config: Record<string, unknown>) => void;

/** Where the focus is to go. */
const focusAfter = vi.fn((_isSaved: boolean) => null);

interface SheetProps {
  name: string;
  config: Record<string, unknown>;
  more?: Partial<Route> | undefined;
  proposed?: Record<string, unknown> | undefined;
}
function Sheet({ name, config, more, proposed }: SheetProps) {
  const words = usePluginWords();
  const [isOpen, setOpen] = useState(true);
  const plugins = [{ name, enabled: true, config }];
  const [route, setRoute] = useState<Route>(() => sampleRoute({ draft: { ...sampleConfig(), plugins }, ...more }));
  changeElsewhere = (theirs) =>
    setRoute((before) => ({
      ...before,
      draft_revision: before.draft_revision + 1,
      draft: { ...before.draft, plugins: [{ name, enabled: true, config: { ...config, ...theirs } }] },
    }));
  const definition = findDefinition(name);
  if (!words || !definition) return null;
  const shared = { route, definition, words: words(name), proposed, focusAfter };
  return <PluginSheet {...shared} open={isOpen} onOpenChange={setOpen} />;
}
async function open(
  name: string,
  config: Record<string, unknown>,
  locale: 'en' | 'zh' = 'en',
  more?: Partial<Route>,
  proposed?: Record<string, unknown>,
) {
  await renderDomains(<Sheet name={name} config={config} more={more} proposed={proposed} />, locale);
  return { user: userEvent.setup({ delay: null }), sheet: await screen.findByRole('dialog') };
}
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const refusal = (fields: Record<string, string>) =>
  new ApiError(
    422,
    'VALIDATION_FAILED',
    { success: false, code: 'VALIDATION_FAILED', message: '', ...fields } as never,
    ['x'],
  );
const LIMIT = { banpath: '.*', findtime: 240, maxretry: 310, bantime: '2h', only_dynamic: false };
const headers = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `X-Test-${index}`, value: 'yes' }));
beforeEach(() => {
  notify.mockReset();
  for (const mock of Object.values(api)) mock.mockReset();
});

it('a press again, before the first shows that it is under way, saves nothing more and says so once', async () => {
  let answer: (value: unknown) => void = () => undefined;
  api.updateRoute.mockReturnValue(new Promise((resolve) => (answer = resolve)));
  const { user, sheet } = await open('custom-header', { add: { headers: headers(1) } });
  await user.type(await screen.findByRole('textbox', { name: /Value\D*1$/ }), '!');
  const save = button('Save as draft');
  act(() => {
    save.click();
    save.click();
  });
  answer({ result: sampleRoute({ draft_revision: 2 }) });
  await waitFor(() => expect(sheet.isConnected).toBe(false));
  expect(api.updateRoute).toHaveBeenCalledTimes(1);
  expect(notify).toHaveBeenCalledTimes(1);
});

it('saves and deploys nothing before the form is there to be seen', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  loadForm.mockRejectedValue(new TypeError('Failed to fetch dynamically imported module: /form.js'));
  const live = { ...sampleConfig(), upstreams: { ...sampleConfig().upstreams, connection_limit: 77 } };
  const { user } = await open('geoip', {}, 'en', { live, draft: sampleConfig(), pending_changes: 1 });
  const areClosed = () =>
    ['Save as draft', 'Save and deploy'].map((name) => (button(name) as HTMLButtonElement).disabled);
  expect(areClosed()).toEqual([true, true]);
  const retry = await screen.findByRole('button', { name: 'Retry' }, { timeout: 3000 });
  expect(areClosed()).toEqual([true, true]);
  expect(screen.queryByText(/Also deploys/)).toBeNull();
  loadForm.mockResolvedValue({ default: () => <p>the form</p> });
  await user.click(retry);
  await screen.findByText('the form');
  await waitFor(() => expect(areClosed()).toEqual([false, false]));
  expect(screen.getByText(/Also deploys 1 pending change/)).toBeTruthy();
  vi.unstubAllGlobals();
});

it('follows what another user saves while nothing is typed, so that it takes nothing of it away', async () => {
  const list = { whitelistMode: false, blacklistMode: true, allow: [], allow_spiders: true };
  api.updateRoute.mockResolvedValue({ result: sampleRoute({ draft_revision: 14 }) });
  const { user } = await open('ip-restriction', { ...list, deny: ['198.41.10.1'] });
  const denied = await screen.findByRole('textbox', { name: /Blocked IPs/ });
  act(() => changeElsewhere({ deny: ['198.41.10.1', '198.41.10.2'] }));
  await screen.findByText('198.41.10.2');
  await user.type(denied, '198.41.10.9{Enter}');
  await user.click(button('Save as draft'));
  await waitFor(() => expect(api.updateRoute).toHaveBeenCalledOnce());
  expect(api.updateRoute.mock.calls[0]?.[0].body.plugins[0].config.deny).toEqual([
    '198.41.10.1',
    '198.41.10.2',
    '198.41.10.9',
  ]);
});

it('asks, where something is typed, what of another user’s change to keep', async () => {
  const list = { whitelistMode: false, blacklistMode: true, allow: [], allow_spiders: true };
  const { user } = await open('ip-restriction', { ...list, deny: ['198.41.10.1'] });
  await user.type(await screen.findByRole('textbox', { name: /Blocked IPs/ }), '198.41.10.9{Enter}');
  act(() => changeElsewhere({ deny: ['198.41.10.1', '198.41.10.2'] }));
  await screen.findByText(/changed this draft/);
  expect((button('Save as draft') as HTMLButtonElement).disabled).toBe(true);
  expect(screen.getAllByText('198.41.10.9').length).toBeGreaterThan(0);
});

it('gives the focus to what is chosen of the first setting, once the form is there, not to the cross', async () => {
  await open('ip-restriction', { whitelistMode: true, blacklistMode: false, allow: ['203.0.113.7'], deny: [] });
  const radios = (await screen.findAllByRole('radio')) as HTMLInputElement[];
  expect(radios.findIndex(({ checked }) => checked)).toBe(2);
  await waitFor(() => expect(document.activeElement).toBe(radios[2]));
});

it('tells what is to have the focus whether it was saved', async () => {
  const { user, sheet } = await open('domain-config', { is_bypass_acme: true });
  await within(sheet).findByRole('switch');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(focusAfter).toHaveBeenLastCalledWith(false));
  cleanup();
  const again = await open('domain-config', { is_bypass_acme: true });
  await again.user.click(await within(again.sheet).findByRole('switch'));
  api.updateRoute.mockResolvedValue({ result: sampleRoute() });
  await again.user.click(button('Save as draft'));
  await waitFor(() => expect(focusAfter).toHaveBeenLastCalledWith(true));
});

it('gives the focus to the first setting where that is a switch', async () => {
  await open('domain-config', { is_bypass_acme: true });
  const setting = await screen.findByRole('switch');
  await waitFor(() => expect(document.activeElement).toBe(setting));
});

const RULE = {
  action: 'block',
  when: { match: 'all', conditions: [{ field: 'path', test: 'is', values: ['/a'] }] },
};
it.each([
  ['the name of the only rule', ['one'], 'Rule name'],
  ['the first of several', ['one', 'two'], /^1\s?one/],
] as const)('gives the focus of rules to %s, not to the switch that turns them off', async (_, names, focused) => {
  await open('blackrules', { black_rules: names.map((name) => ({ ...RULE, name })) });
  const role = names.length === 1 ? 'textbox' : 'button';
  const target = await screen.findByRole(role, { name: focused });
  await waitFor(() => expect(document.activeElement).toBe(target));
});

it.each([
  ['proxy-cache', { cache_paths: ['/static', '/img'] }, 'Paths'],
  ['proxy-cache', { response_code: [200, 404] }, 'Status codes'],
  ['advance-proxy-cache', { content_type: ['video'], response_code: [200, 404] }, 'Content types'],
  ['advance-proxy-cache', { enable_cache_control: true }, 'Follow Cache-Control of requests'],
])('gives the focus to the setting of %s that is proposed to be changed: %j', async (name, change, label) => {
  const definition = findDefinition(name);
  const proposed = definition?.schema.parse(change) as Record<string, unknown>;
  await open(name, {}, 'en', undefined, proposed);
  const focused = () => document.activeElement as HTMLInputElement | null;
  await waitFor(() => expect(focused()?.labels?.[0]?.textContent).toContain(label));
});

it('closes everything in it while a save runs, and asks nothing', async () => {
  api.updateRoute.mockReturnValue(new Promise(() => {}));
  const { user, sheet } = await open('custom-header', { add: { headers: headers(1) } });
  await user.type(await screen.findByRole('textbox', { name: /Value\D*1$/ }), '!');
  const save = button('Save as draft');
  await user.click(save);
  await waitFor(() => expect(api.updateRoute).toHaveBeenCalledTimes(1));
  expect((screen.getByRole('switch', { hidden: true }) as HTMLInputElement).disabled).toBe(true);
  expect(document.activeElement).toBe(save);
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(sheet.isConnected).toBe(true);
});

it('leads to the first error of many settings, and tells above the buttons how many there are', async () => {
  const { user } = await open('custom-header', { add: { headers: [{ name: 'bad name', value: '' }, ...headers(14)] } });
  const first = await screen.findByRole('textbox', { name: /Name\D*1$/ });
  await user.type(screen.getByRole('textbox', { name: /Value\D*15$/ }), '!');
  await user.click(button('Save as draft'));
  await waitFor(() => expect(document.activeElement).toBe(first));
  const count = screen.getByText(/settings? needs? fixing/);
  expect(count.closest('footer')).not.toBeNull();
  expect(count.closest('.sr-only')).toBeNull();
  expect(api.updateRoute).not.toHaveBeenCalled();
});

it('leads to what the API refuses, and drops the error of a field with its change alone', async () => {
  api.updateRoute.mockRejectedValue(
    refusal({
      'plugins.0.config.error_404': 'ERROR_PAGE_UNREACHABLE',
      'plugins.0.config.error_502': 'ERROR_PAGE_NOT_HTML',
    }),
  );
  const { user } = await open('custom-error-page', {
    error_404: 'https://pages.example/4',
    error_502: 'https://pages.example/5',
  });
  const first = await screen.findByRole('textbox', { name: /404/ });
  await user.type(screen.getByRole('textbox', { name: /502/ }), 'x');
  await user.click(button('Save and deploy'));
  await waitFor(() => expect(document.activeElement).toBe(first));
  expect(screen.getByText('2 settings need fixing')).toBeTruthy();
  await user.type(first, 'x');
  expect(screen.queryByText(/could not be fetched/)).toBeNull();
  expect(screen.getByText(/This is not an HTML page/)).toBeTruthy();
});

it('shows where a page is wanted by an example', async () => {
  await open('custom-error-page', {});
  const field = await screen.findByRole('textbox', { name: /404/ });
  expect((field as HTMLInputElement).placeholder).toBe('https://status.example.org/404.html');
});

it('leaves out a row that was added and never filled in', async () => {
  api.updateRoute.mockResolvedValue({ result: sampleRoute({ draft_revision: 13 }) });
  const { user } = await open('custom-header', { add: { headers: headers(1) } });
  await user.click(await screen.findByRole('button', { name: 'Add a row' }));
  await user.click(button('Save as draft'));
  await waitFor(() => expect(api.updateRoute).toHaveBeenCalledTimes(1));
  expect(api.updateRoute.mock.calls[0]?.[0].body.plugins[0].config).toEqual({ add: { headers: headers(1) } });
});

it('marks the first row where there is none, and tells nothing more of a row that is only added', async () => {
  const { user } = await open('custom-header', { add: { headers: headers(1) } });
  await user.click(await screen.findByRole('button', { name: 'Remove row 1' }));
  await user.click(button('Save as draft'));
  const first = screen.getByRole('textbox', { name: /Name\D*1$/ });
  await waitFor(() => expect(document.activeElement).toBe(first));
  expect(first.getAttribute('aria-invalid')).toBe('true');
  await user.click(button('Add a row'));
  expect(screen.queryByText('Required')).toBeNull();
});

it.each([
  ['en', /^Requests/, 'Enter a whole number from 2 to 1,000,000.', /^Ban duration/, 'Enter a number.'],
  ['zh', /^触发阈值/, '请输入 2 到 1,000,000 之间的整数。', /^封禁时长/, '请输入数字。'],
] as const)('teaches in %s what an empty number takes', async (locale, requests, words, span, spanWords) => {
  const { user } = await open('request-limit', { ...LIMIT }, locale);
  await user.clear(await screen.findByRole('spinbutton', { name: requests }));
  await user.clear(screen.getByRole('spinbutton', { name: span }));
  await user.click(button(locale === 'en' ? 'Save as draft' : '保存为草稿'));
  expect(await screen.findByText(words)).toBeTruthy();
  expect(screen.getByText(spanWords)).toBeTruthy();
});

const CHALLENGE = { mode: 'js', path: '.*', pass_time: '4m' };
const CAPTCHA = { mode: 'js', findtime: 240, maxretry: 310, bantime: '31d' };
it.each([
  ['en', 'request-limit', { ...LIMIT, bantime: '5s', maxretry: 1 }, 'At least 10 seconds.'],
  ['en', 'request-limit', { ...LIMIT, maxretry: 1 }, 'Enter a whole number from 2 to 1,000,000.'],
  ['en', 'challenge', CHALLENGE, 'At least 5 minutes.'],
  ['zh', 'challenge', CHALLENGE, '不能短于 5 分钟。'],
  ['zh', 'crowdsec-captcha', CAPTCHA, '不能长于 30 天。'],
  ['zh', 'crowdsec-captcha', { ...CAPTCHA, findtime: 0 }, '最短 1 秒，最长 1 小时。'],
] as const)('teaches in %s the bounds of %s in the words of its fields: %j', async (locale, name, config, words) => {
  const { user } = await open(name, { ...config }, locale);
  await user.click(await screen.findByRole('switch', { name: /^(Enabled|开启)$/ }));
  await waitFor(() => expect((button(/^(Save as draft|保存为草稿)$/) as HTMLButtonElement).disabled).toBe(false));
  await user.click(button(locale === 'en' ? 'Save as draft' : '保存为草稿'));
  expect(await screen.findByText(words)).toBeTruthy();
});

it('saves and deploys by Ctrl and Enter from within it, and by no other Enter', async () => {
  api.updateRoute.mockResolvedValue({ result: sampleRoute({ draft_revision: 13 }) });
  const { user } = await open('request-limit', { ...LIMIT });
  await user.type(await screen.findByRole('spinbutton', { name: /^Requests/ }), '9{Enter}');
  expect(api.updateRoute).not.toHaveBeenCalled();
  await user.keyboard('{Control>}{Enter}{/Control}');
  await waitFor(() => expect(api.updateRoute).toHaveBeenCalledTimes(1));
  expect(api.updateRoute.mock.calls[0]?.[0].body).toMatchObject({ deploy: true });
});

it('counts above the buttons only once it was to be saved, and a list as one', async () => {
  const deny = ['nonsense', 'more nonsense'];
  const { user } = await open('ip-restriction', { allow: deny, deny, whitelistMode: true, blacklistMode: true });
  expect((await screen.findAllByText(/Not an IP address or range/)).length).toBeGreaterThan(0);
  expect(screen.queryByText(/needs? fixing/)).toBeNull();
  await user.type(screen.getByRole('textbox', { name: /Blocked IPs/ }), '198.41.128.9{Enter}');
  await user.click(button('Save as draft'));
  expect(await screen.findByText('2 settings need fixing')).toBeTruthy();
});

it('says of the only wrong entry once what is wrong, and counts the entries that count', async () => {
  const deny = ['300.1.1.1'];
  const { user, sheet } = await open('ip-restriction', { allow: [], deny, whitelistMode: false, blacklistMode: true });
  await screen.findByText('0 of 10,000 · 1 invalid');
  await user.click(button('Save as draft'));
  expect(api.updateRoute).not.toHaveBeenCalled();
  expect(await screen.findByText(/Not an IP address or range/)).toBeTruthy();
  expect(sheet.textContent).not.toMatch(/Add at least one|needs fixing/);
});

it.each([
  ['en', 'Blocked IPs', 'Save as draft', 'Add at least one public address or range.'],
  ['zh', '黑名单', '保存为草稿', '请至少添加一个公网地址或网段。'],
] as const)(
  'asks for an entry no longer once one is begun, and again when it is gone (%s)',
  async (locale, name, save, words) => {
    const { user } = await open(
      'ip-restriction',
      { allow: [], deny: ['198.41.128.7'], whitelistMode: false, blacklistMode: true },
      locale,
    );
    const field = await screen.findByRole('textbox', { name });
    await user.click(button(/ 198\.41\.128\.7$/));
    await user.click(button(save));
    await screen.findByText(words);
    await user.type(field, '1');
    expect(screen.queryByText(words)).toBeNull();
    await user.keyboard('{Backspace}');
    await screen.findByText(words);
  },
);

it('counts what a deploy takes along without the plugin’s own draft', async () => {
  const live = sampleConfig();
  const { user } = await open('request-limit', { ...LIMIT, maxretry: 99 }, 'en', { live, pending_changes: 2 });
  const field = await screen.findByRole('spinbutton', { name: /^Requests/ });
  await user.type(field, '9');
  expect(screen.queryByText(/Also deploys/)).toBeNull();
});

it('tells what else a deploy takes along', async () => {
  const live = { ...sampleConfig(), upstreams: { ...sampleConfig().upstreams, connection_limit: 77 } };
  const { user } = await open('request-limit', { ...LIMIT }, 'en', { live, pending_changes: 2 });
  await user.type(await screen.findByRole('spinbutton', { name: /^Requests/ }), '9');
  expect(screen.getByText('Also deploys 1 pending change: Max concurrent origin requests (per node).')).toBeTruthy();
});

it('tells it of a plugin that is set up for the first time, before anything is typed', async () => {
  const live = { ...sampleConfig(), upstreams: { ...sampleConfig().upstreams, connection_limit: 77 } };
  await open('request-limit', { ...LIMIT }, 'en', { live, draft: sampleConfig(), pending_changes: 1 });
  await waitFor(() => expect((button('Save and deploy') as HTMLButtonElement).disabled).toBe(false));
  expect(screen.getByText('Also deploys 1 pending change: Max concurrent origin requests (per node).')).toBeTruthy();
});

describe('switched off while it is not filled in', () => {
  const deny = { allow: [], deny: ['198.41.128.7'], whitelistMode: false, blacklistMode: true, allow_spiders: true };

  it('loses the error with the choice, and saves what was saved before as off', async () => {
    api.updateRoute.mockResolvedValue({ result: sampleRoute() });
    const { user } = await open('ip-restriction', deny);
    await user.click(await screen.findByRole('radio', { name: /^Allowed IPs/ }));
    await user.click(button('Save as draft'));
    expect(await screen.findByRole('textbox', { name: /Allowed IPs/ })).toBeTruthy();
    expect(screen.getAllByText('Add at least one public address or range.').length).toBeGreaterThan(0);
    await user.click(screen.getByRole('radio', { name: /^Off/ }));
    expect(screen.queryByRole('textbox', { name: /Allowed IPs/ })).toBeNull();
    expect(screen.queryByText('Add at least one public address or range.')).toBeNull();
    await user.click(button('Save as draft'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(api.updateRoute.mock.calls[0]?.[0].body).toMatchObject({
      plugins: [{ name: 'ip-restriction', enabled: false, config: deny }],
    });
  });
  it('saves no entry where there was none', async () => {
    api.updateRoute.mockResolvedValue({ result: sampleRoute() });
    const { user } = await open('ip-restriction', deny, 'en', { draft: sampleConfig() });
    await user.click(await screen.findByRole('radio', { name: /^Off/ }));
    await user.click(button('Save as draft'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(api.updateRoute.mock.calls[0]?.[0].body).toMatchObject({ plugins: [] });
  });
  it('asks for no mending of a list that is not in use, and saves what is right of it', async () => {
    api.updateRoute.mockResolvedValue({ result: sampleRoute() });
    const { user } = await open('ip-restriction', { ...deny, deny: ['198.41.128.7', 'x'] });
    await user.click(await screen.findByRole('radio', { name: /^Off/ }));
    expect(screen.queryByRole('textbox', { name: /Blocked IPs/ })).toBeNull();
    await user.click(button('Save as draft'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(api.updateRoute.mock.calls[0]?.[0].body).toMatchObject({
      plugins: [{ name: 'ip-restriction', enabled: false, config: { deny: ['198.41.128.7'] } }],
    });
  });
});

it.each([
  ['en', 'Error pages: Not found (404)', /This page could not be fetched/, 'Save and deploy'],
  ['zh', '自定义错误页面：页面不存在（404）', /无法抓取该页面/, '保存并部署'],
] as const)('says in %s which other plugin of the draft a deploy is refused for', async (locale, place, why, save) => {
  const fields = { 'plugins.custom-error-page.config.error_404': 'ERROR_PAGE_UNREACHABLE' };
  const body = { success: false, code: 'VALIDATION_FAILED', message: '', ...fields } as never;
  const list = ['code.VALIDATION_FAILED', 'plugins.custom-error-page.config.error_404.ERROR_PAGE_UNREACHABLE'];
  api.updateRoute.mockRejectedValue(new ApiError(422, 'VALIDATION_FAILED', body, list));
  const { user } = await open('request-limit', LIMIT, locale);
  await user.type((await screen.findAllByRole('spinbutton'))[0] as HTMLElement, '1');
  await user.click(button(save));
  const link = await screen.findByRole('link', { name: place });
  expect(link.getAttribute('href')).toContain('tab=error-pages&edit=custom-error-page');
  expect(link.closest('[role=alert]')?.textContent).toMatch(why);
});
