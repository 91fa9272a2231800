// @vitest-environment happy-dom
import { ApiError, type Rule } from '@cordon/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { renderDomains } from '../../domain/testing/render-domains';
import { ROUTE_ID, sampleConfig, sampleRoute, sampleSubscription } from '../../domain/testing/sample-route';
import { accessibleDescription } from '../../testing/accessible-description';
import { enterText } from '../../testing/enter-text';
import { ruleKeys } from './queries';
import RuleEditor from './rule-editor';
import { samplePreview } from './testing/sample-preview';

const api = vi.hoisted(() => ({
  getRule: vi.fn(),
  getRoute: vi.fn(),
  createRule: vi.fn(),
  updateRule: vi.fn(),
  deleteRule: vi.fn(),
  listRuleDomains: vi.fn(),
  previewRule: vi.fn(),
  applyRule: vi.fn(),
  getBatch: vi.fn(),
  listSubscriptions: vi.fn(),
}));
vi.mock('../../app/api-client', () => ({ api, queryClient: { setQueryData: vi.fn(), invalidateQueries: vi.fn() } }));

/** Menus and sheets are loaded when they are first opened. */
const LOADED = { timeout: 5000 };
const ID = '0190f3a0-0000-7000-8000-0000000000aa';
const config = { allow: [], deny: ['198.41.128.7'], whitelistMode: false, blacklistMode: true, allow_spiders: true };
const refusing = { name: 'ip-restriction', enabled: true, config };
const rule = (change: Partial<Rule> = {}): Rule => ({
  id: ID,
  name: 'Scrapers',
  description: '',
  subscription_cname: sampleSubscription().cname,
  revision: 3,
  lists: 'replace',
  plugin_names: ['ip-restriction'],
  switched_off: [],
  plugins: [refusing],
  domains: 0,
  differing: 0,
  created_at: '2026-11-20T10:00:00Z',
  updated_at: '2026-11-20T10:00:00Z',
  updated_by: 'lin@example.com',
  ...change,
});
const onSaved = vi.fn();
const onGone = vi.fn();
async function open(id?: string, from?: string) {
  await renderDomains(<RuleEditor id={id} from={from} onSaved={onSaved} onGone={onGone} />);
  return userEvent.setup({ delay: null });
}
const button = (name: string) => screen.getByRole('button', { name });

beforeEach(() => {
  for (const mock of [...Object.values(api), onSaved, onGone]) mock.mockReset();
  api.listSubscriptions.mockResolvedValue({ results: [sampleSubscription()] });
  api.listRuleDomains.mockResolvedValue({ results: [], count: 0 });
});

it('begins a new rule in its name', async () => {
  await open();
  const name = await screen.findByLabelText(/^Name/);
  expect(document.activeElement).toBe(name);
});

it('has the button of a new one below the form on a phone', async () => {
  const phone = vi
    .spyOn(window, 'matchMedia')
    .mockImplementation(
      (query) => ({ matches: query.includes('759.98px'), addEventListener() {}, removeEventListener() {} }) as never,
    );
  await open();
  const name = await screen.findByLabelText(/^Name/);
  const create = button('Create template');
  expect(name.compareDocumentPosition(create) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  phone.mockRestore();
});

it('makes a rule from scratch, with a plugin whose form is made from its schema', async () => {
  const user = await open();
  await enterText(user, await screen.findByLabelText(/^Name/), 'Bucket');
  await user.click(button('Create template'));
  expect(await screen.findByText('Add at least one setting')).toBeTruthy();
  expect(api.createRule).not.toHaveBeenCalled();
  await user.click(button('Add setting'));
  await user.click(await screen.findByRole('menuitem', { name: /^Origin Host header/ }, LOADED));
  const sheet = await screen.findByRole('dialog', {}, LOADED);
  await user.click(within(sheet).getByRole('button', { name: 'Add to template' }));
  expect(within(sheet).getAllByRole('alert').length).toBeGreaterThan(0);
  await enterText(user, within(sheet).getByRole('textbox'), 'Bucket.Storage.example');
  await user.click(within(sheet).getByRole('button', { name: 'Add to template' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const saved = rule({ name: 'Bucket' });
  api.createRule.mockResolvedValue({ result: saved });
  await user.click(button('Create template'));
  await waitFor(() => expect(onSaved).toHaveBeenCalledWith(ID));
  expect(api.createRule.mock.calls[0]?.[0].body).toEqual({
    cname: sampleSubscription().cname,
    name: 'Bucket',
    description: '',
    lists: 'replace',
    plugins: [{ name: 'upstream-host', enabled: true, config: { hostname: 'bucket.storage.example' } }],
  });
});

it.each([
  ['en', 'Add setting', 'Add to template', /^IP restriction/, /^Off/, 'Create template'],
  ['zh', '添加设置', '加入模板', /^IP 黑白名单/, /^关闭/, '新建模板'],
] as const)('takes a setting that is only to be off, and says that domains keep theirs, in %s', async (...given) => {
  const [locale, add, take, setting, off, create] = given;
  const keeps = {
    en: ['Turned off on each domain, which keeps its own settings.', 'Turned off; each domain keeps its own settings'],
    zh: ['在各域名上关闭，保留域名自己的设置。', '关闭，保留域名自己的设置'],
  }[locale];
  await renderDomains(<RuleEditor id={undefined} from={undefined} onSaved={onSaved} onGone={onGone} />, locale);
  const user = userEvent.setup({ delay: null });
  await enterText(user, await screen.findByRole('textbox', { name: /^(Name|名称)/ }), 'Open');
  await user.click(await screen.findByRole('button', { name: add }));
  await user.click(await screen.findByRole('menuitem', { name: setting }, LOADED));
  const sheet = await screen.findByRole('dialog', {}, LOADED);
  await user.click(await within(sheet).findByRole('radio', { name: off }));
  expect(within(sheet).getByText(keeps[0] as string)).toBeTruthy();
  await user.click(within(sheet).getByRole('button', { name: take }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const card = screen.getByRole('article', { name: setting });
  expect(within(card).getByText(keeps[1] as string)).toBeTruthy();
  api.createRule.mockResolvedValue({ result: rule({ name: 'Open' }) });
  await user.click(button(create));
  await waitFor(() => expect(api.createRule).toHaveBeenCalledTimes(1));
  const entry = { name: 'ip-restriction', enabled: false, config: {} };
  expect(api.createRule.mock.calls[0]?.[0].body.plugins).toEqual([entry]);
});

it('asks for settings when what was only off is switched on', async () => {
  const off = { name: 'ip-restriction', enabled: false, config: {} };
  api.getRule.mockResolvedValue({ result: rule({ plugins: [off] }) });
  const user = await open(ID);
  const card = await screen.findByRole('article', { name: 'IP restriction' });
  expect(within(card).queryByText('Settings')).toBeNull();
  await user.click(within(card).getByRole('switch'));
  const sheet = await screen.findByRole('dialog', {}, LOADED);
  await enterText(user, await within(sheet).findByRole('textbox', { name: /Blocked IPs/ }), '198.41.128.7');
  await user.keyboard('{Enter}');
  await user.click(within(sheet).getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(within(card).getByText('Turned on')).toBeTruthy());
  expect(within(card).getByText('Blocks 1 IP or range')).toBeTruthy();
});

it('tells a setting that is only off apart from one that is off and set', async () => {
  api.getRule.mockResolvedValue({ result: rule({ plugins: [{ ...refusing, enabled: false }] }) });
  await open(ID);
  const card = await screen.findByRole('article', { name: 'IP restriction' });
  expect(within(card).getByText('Turned off and set as above')).toBeTruthy();
  await userEvent.click(screen.getByRole('radio', { name: /^Add to the domain’s lists/ }));
  expect(within(card).getByText('Turned off; each domain keeps its own settings')).toBeTruthy();
});

it.each([
  ['en', 'Add setting', ['Upstreams', 'Caching', 'Access', 'Protection', 'Headers', 'Error pages']],
  ['zh', '添加设置', ['源站', '缓存', '访问控制', '防护', '请求头与响应头', '错误页面']],
] as const)('offers settings under the names of the tabs that have them in %s', async (locale, add, names) => {
  api.getRule.mockResolvedValue({ result: rule() });
  await renderDomains(<RuleEditor id={ID} from={undefined} onSaved={onSaved} onGone={onGone} />, locale);
  await userEvent.click(await screen.findByRole('button', { name: add }));
  const groups = await screen.findAllByRole('group', {}, LOADED);
  const menu = screen.getByRole('menu');
  const named = groups.filter((group) => menu.contains(group));
  const label = (group: HTMLElement) =>
    document.getElementById(group.getAttribute('aria-labelledby') ?? '')?.textContent;
  expect(named.map(label)).toEqual(names);
  // One of the plugins of access is in the template.
  expect(named.map((group) => within(group).getAllByRole('menuitem').length)).toEqual([2, 2, 4, 6, 2, 1]);
});

it.each([
  ['en', 'Create template', 'Give the template a name'],
  ['zh', '新建模板', '请填写模板名称'],
] as const)('needs a name, told at its field in %s', async (locale, create, words) => {
  await renderDomains(<RuleEditor id={undefined} from={undefined} onSaved={onSaved} onGone={onGone} />, locale);
  await userEvent.type(await screen.findByRole('textbox', { name: /^(Description|描述)/ }), 'x');
  await userEvent.click(screen.getByRole('button', { name: create }));
  const name = screen.getByRole('textbox', { name: locale === 'en' ? 'Name' : '名称' });
  await waitFor(() => expect(accessibleDescription(name)).toContain(words));
  expect(api.createRule).not.toHaveBeenCalled();
});

it('asks before Cancel throws away what was typed for a plugin', async () => {
  api.getRule.mockResolvedValue({ result: rule() });
  const user = await open(ID);
  await user.click(await screen.findByRole('button', { name: /^Edit/ }));
  const sheet = await screen.findByRole('dialog', {}, LOADED);
  await enterText(user, await within(sheet).findByRole('textbox', { name: /Blocked IPs/ }), '104.16.0.9');
  await user.keyboard('{Enter}');
  await user.click(within(sheet).getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByRole('alertdialog', { name: 'Discard your changes?' })).toBeTruthy();
  expect(within(sheet).getByText('104.16.0.9')).toBeTruthy();
});

it('starts with what is set on a domain', async () => {
  api.getRoute.mockResolvedValue({ result: sampleRoute({ draft: { ...sampleConfig(), plugins: [refusing] } }) });
  await open(undefined, ROUTE_ID);
  const card = await screen.findByRole('article', { name: 'IP restriction' });
  expect(within(card).getByText('Blocks 1 IP or range')).toBeTruthy();
  expect((screen.getByLabelText(/^Name/) as HTMLInputElement).value).toBe('Like www.example.com');
});

it('tells a taken name at its field, and what is wrong with a plugin on its card', async () => {
  api.getRule.mockResolvedValue({ result: rule() });
  const user = await open(ID);
  await user.type(await screen.findByLabelText(/^Name/), ' 2');
  const body = { success: false as const, message: '', request_id: 'r', name: 'RULE_NAME_TAKEN' };
  const both = { ...body, 'plugins.0.enabled': 'PLUGIN_NEEDS_VIP' };
  api.updateRule.mockRejectedValue(new ApiError(422, undefined, both, ['name.RULE_NAME_TAKEN']));
  await user.click(button('Save'));
  expect(await screen.findByText('Another template of this subscription has this name')).toBeTruthy();
  const card = screen.getByRole('article', { name: 'IP restriction' });
  expect(within(card).getByRole('alert').textContent).toMatch(/VIP/);
});

it('loses nothing when another user saved meanwhile: the changes of both are merged', async () => {
  api.getRule.mockResolvedValueOnce({ result: rule() });
  const user = await open(ID);
  await enterText(user, await screen.findByLabelText(/^Description/), 'Mine');
  api.updateRule.mockRejectedValueOnce(
    new ApiError(409, 'STALE_REVISION', { success: false, code: 'STALE_REVISION', message: '', request_id: 'r' }, []),
  );
  const theirs = rule({ revision: 4, name: 'Theirs', updated_by: 'wu@example.com' });
  api.getRule.mockResolvedValue({ result: theirs });
  await user.click(button('Save'));
  expect(await screen.findByText('wu@example.com changed this template while you were editing.')).toBeTruthy();
  // How domains stand to it has changed with it.
  await waitFor(() => expect(api.listRuleDomains).toHaveBeenCalledTimes(2));
  await user.click(button('Use theirs, keep what I changed elsewhere'));
  expect((screen.getByLabelText(/^Name/) as HTMLInputElement).value).toBe('Theirs');
  expect((screen.getByLabelText(/^Description/) as HTMLTextAreaElement).value).toBe('Mine');
  api.updateRule.mockResolvedValue({ result: rule({ ...theirs, revision: 5, description: 'Mine' }) });
  await user.click(button('Save'));
  await waitFor(() => expect(api.updateRule).toHaveBeenCalledTimes(2));
  expect(api.updateRule.mock.calls[1]?.[0]).toMatchObject({
    ifMatch: 4,
    body: { name: 'Theirs', description: 'Mine', plugins: [refusing] },
  });
});

it('keeps what is typed while a save is on its way, as a change of what was saved', async () => {
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  api.getRule.mockResolvedValue({ result: rule() });
  api.updateRule.mockImplementationOnce(async () => {
    await answered;
    return { result: rule({ revision: 4, description: 'First' }) };
  });
  const user = await open(ID);
  const description = () => screen.getByLabelText(/^Description/) as HTMLTextAreaElement;
  await enterText(user, await screen.findByLabelText(/^Description/), 'First');
  await user.click(button('Save'));
  await enterText(user, description(), ' and second');
  answer();
  await screen.findByText('Template saved');
  expect(description().value).toBe('First and second');
  api.updateRule.mockResolvedValue({ result: rule({ revision: 5, description: 'First and second' }) });
  await user.click(button('Save'));
  await waitFor(() => expect(api.updateRule).toHaveBeenCalledTimes(2));
  expect(api.updateRule.mock.calls[1]?.[0]).toMatchObject({ ifMatch: 4, body: { description: 'First and second' } });
});

it('saves what was typed since upon what its own lost save has made of it, and asks nothing', async () => {
  api.getRule.mockResolvedValue({ result: rule() });
  const user = await open(ID);
  const description = () => screen.getByLabelText(/^Description/);
  await enterText(user, await screen.findByLabelText(/^Description/), 'First');
  api.updateRule.mockRejectedValueOnce(new ApiError(0, undefined, undefined, ['Please check your network']));
  await user.click(button('Save'));
  await screen.findByText(/Please check your network/);
  await enterText(user, description(), ' and second');
  const stale = { success: false, code: 'STALE_REVISION', message: '', request_id: 'r' } as const;
  api.updateRule
    .mockRejectedValueOnce(new ApiError(409, stale.code, stale, []))
    .mockResolvedValueOnce({ result: rule({ revision: 4, description: 'First' }) })
    .mockResolvedValueOnce({ result: rule({ revision: 5, description: 'First and second' }) });
  await user.click(button('Save'));
  await screen.findByText('Template saved');
  const [lost, refused, asked, saved] = api.updateRule.mock.calls.map(([input]) => input);
  expect(asked).toEqual(lost);
  expect([refused, saved].map(({ ifMatch, body }) => [ifMatch, body.description])).toEqual([
    [3, 'First and second'],
    [4, 'First and second'],
  ]);
  expect(screen.queryByText(/changed this template/)).toBeNull();
});

it('shows what both made of the same, and keeps what is chosen', async () => {
  const deny = (address: string) => ({ ...refusing, config: { ...config, deny: ['198.41.128.7', address] } });
  api.getRule.mockResolvedValueOnce({ result: rule() });
  const user = await open(ID);
  await user.type(await screen.findByLabelText(/^Name/), ' mine');
  await user.click(screen.getByRole('button', { name: /^Edit/ }));
  const sheet = await screen.findByRole('dialog', {}, LOADED);
  await enterText(user, await within(sheet).findByRole('textbox', { name: /Blocked IPs/ }), '104.16.0.9');
  await user.keyboard('{Enter}');
  await user.click(within(sheet).getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  api.updateRule.mockRejectedValueOnce(
    new ApiError(409, 'STALE_REVISION', { success: false, code: 'STALE_REVISION', message: '', request_id: 'r' }, []),
  );
  const theirs = rule({ revision: 4, name: 'Theirs', plugins: [deny('104.16.0.10')], updated_by: 'wu@example.com' });
  api.getRule.mockResolvedValue({ result: theirs });
  await user.click(button('Save'));
  expect(await screen.findByText(/You both changed: Name and IP restriction/)).toBeTruthy();
  const ofPlugin = screen.getByRole('radiogroup', { name: 'Which “IP restriction” to keep' });
  expect(within(ofPlugin).getByRole('radio', { name: /^Yours.*104\.16\.0\.9$/ })).toBeTruthy();
  await user.click(within(ofPlugin).getByRole('radio', { name: /^wu@example\.com’s.*104\.16\.0\.10$/ }));
  const ofName = screen.getByRole('radiogroup', { name: 'Which “Name” to keep' });
  expect(within(ofName).getByRole('radio', { name: 'wu@example.com’s Theirs' })).toBeTruthy();
  await user.click(button('Continue with my choice'));
  api.updateRule.mockResolvedValue({ result: rule({ ...theirs, revision: 5 }) });
  await user.click(button('Save'));
  await waitFor(() => expect(api.updateRule).toHaveBeenCalledTimes(2));
  expect(api.updateRule.mock.calls[1]?.[0]).toMatchObject({
    ifMatch: 4,
    body: { name: 'Scrapers mine', plugins: [deny('104.16.0.10')] },
  });
});

it('is applied only as it is saved', async () => {
  api.getRule.mockResolvedValue({ result: rule() });
  const user = await open(ID);
  const apply = await screen.findByRole('button', { name: 'Apply to domains' });
  expect((apply as HTMLButtonElement).disabled).toBe(false);
  const card = await screen.findByRole('article', { name: 'IP restriction' });
  await user.click(within(card).getByRole('switch'));
  expect((apply as HTMLButtonElement).disabled).toBe(true);
});

it('tells of each domain how it stands to the rule, and applies it again', async () => {
  api.getRule.mockResolvedValue({ result: rule({ domains: 2, differing: 1 }) });
  const domain = {
    route_id: ROUTE_ID,
    domain_name: 'a.example',
    domain_name_unicode: 'a.example',
    status: 'running',
    applied_revision: 2,
    applied_at: '2026-11-20T10:00:00Z',
    applied_by: null,
    state: 'drifted',
    drifted: ['ip-restriction'],
    differing: ['ip-restriction'],
    is_live: true,
  };
  const same = { ...domain, route_id: ID, domain_name_unicode: 'b.example', state: 'same', drifted: [], differing: [] };
  api.listRuleDomains.mockResolvedValue({ results: [domain, { ...same, is_live: false }], count: 2 });
  await open(ID);
  const drifted = (await screen.findByText('a.example')).closest('tr') as HTMLElement;
  expect(within(drifted).getByText('Changed on the domain')).toBeTruthy();
  expect(await within(drifted).findByText('Changed since: IP restriction')).toBeTruthy();
  expect(within(drifted).getByRole('button', { name: 'Apply again to a.example' })).toBeTruthy();
  const fine = screen.getByText('b.example').closest('tr') as HTMLElement;
  expect(within(fine).getByText('Matches the template')).toBeTruthy();
  expect(within(fine).getByText('Not live')).toBeTruthy();
  expect(within(fine).queryByRole('button')).toBeNull();
  expect(screen.getByText('1 of 2 differs from the template.')).toBeTruthy();
  expect(button('Apply again to 1 domain')).toBeTruthy();
});

it('says when it is gone', async () => {
  api.getRule.mockRejectedValue(new ApiError(404, 'NOT_FOUND', undefined, []));
  const user = await open(ID);
  await user.click(await screen.findByRole('button', { name: 'To your templates' }));
  expect(onGone).toHaveBeenCalled();
});

it('asks what becomes of lists where it has some, and says it in what is saved', async () => {
  api.getRule.mockResolvedValue({ result: rule() });
  api.updateRule.mockResolvedValue({ result: rule({ revision: 4, lists: 'merge' }) });
  const user = await open(ID);
  await user.click(await screen.findByRole('radio', { name: /^Add to the domain’s lists/ }));
  await user.click(button('Save'));
  await waitFor(() => expect(api.updateRule).toHaveBeenCalledTimes(1));
  expect(api.updateRule.mock.calls[0]?.[0].body).toMatchObject({ lists: 'merge' });
  await user.click(button('Remove IP restriction from the template'));
  expect(screen.queryByRole('radio')).toBeNull();
});

describe('a save whose answer was lost', () => {
  const NETWORK = new ApiError(0, undefined, undefined, ['Request error']);
  const STALE = new ApiError(412, 'STALE_REVISION', undefined, ['code.STALE_REVISION']);

  it('can be saved anew where what was typed was taken back', async () => {
    api.getRule.mockResolvedValue({ result: rule() });
    const user = await open(ID);
    const description = await screen.findByLabelText(/^Description/);
    await enterText(user, description, 'Mine');
    api.updateRule.mockRejectedValueOnce(NETWORK);
    await user.click(button('Save'));
    await waitFor(() => expect(api.updateRule).toHaveBeenCalledTimes(1));
    await user.clear(description);
    const made = rule({ revision: 4, description: 'Mine' });
    api.updateRule
      .mockRejectedValueOnce(STALE)
      .mockResolvedValueOnce({ result: made })
      .mockResolvedValueOnce({ result: rule({ revision: 5 }) });
    await user.click(button('Save'));
    await screen.findByText('Template saved');
    const calls = api.updateRule.mock.calls.map(([{ ifMatch, body }]) => [ifMatch, body.description]);
    expect(calls).toEqual([
      [3, 'Mine'],
      [3, ''],
      [3, 'Mine'],
      [4, ''],
    ]);
  });

  it('of a new one is made once, and changed to what is typed by then', async () => {
    api.getRoute.mockResolvedValue({ result: sampleRoute({ draft: { ...sampleConfig(), plugins: [refusing] } }) });
    await renderDomains(<RuleEditor {...{ id: undefined, from: ROUTE_ID, onSaved, onGone }} />);
    const user = userEvent.setup({ delay: null });
    const create = await screen.findByRole('button', { name: 'Create template' });
    api.createRule.mockRejectedValueOnce(NETWORK);
    await user.click(create);
    await waitFor(() => expect(api.createRule).toHaveBeenCalledTimes(1));
    await enterText(user, screen.getByLabelText(/^Description/), 'Typed on');
    api.createRule.mockResolvedValueOnce({ result: rule({ revision: 1 }) });
    api.updateRule.mockResolvedValueOnce({ result: rule({ revision: 2, description: 'Typed on' }) });
    await user.click(button('Create template'));
    await waitFor(() => expect(onSaved).toHaveBeenCalledExactlyOnceWith(ID));
    const [first, again] = api.createRule.mock.calls.map(([asked]) => asked);
    expect(again).toEqual(first);
    expect(api.updateRule.mock.calls[0]?.[0]).toMatchObject({
      params: { id: ID },
      ifMatch: 1,
      body: { description: 'Typed on' },
    });
    expect(api.updateRule.mock.calls[0]?.[0].body).not.toHaveProperty('cname');
  });
});

it('keeps what a colleague saves while the sheet of a setting is open, and asks', async () => {
  api.getRule.mockResolvedValue({ result: rule() });
  const { client } = await renderDomains(<RuleEditor {...{ id: ID, from: undefined, onSaved, onGone }} />);
  const user = userEvent.setup({ delay: null });
  await user.click(await screen.findByRole('button', { name: /^Edit/ }));
  const sheet = within(await screen.findByRole('dialog', {}, LOADED));
  await enterText(user, await sheet.findByRole('textbox', { name: /Blocked IPs/ }), '198.41.10.9');
  await user.keyboard('{Enter}');
  const plugins = [{ ...refusing, config: { ...config, deny: ['198.41.128.7', '198.41.10.2'] } }];
  const theirs = rule({ revision: 4, plugins, updated_by: 'wu@example.com' });
  await act(async () => {
    client.setQueryData(ruleKeys.rule(ID), theirs);
    // Queries tell of it a moment later.
    await new Promise((resolve) => setTimeout(resolve, 20));
  });
  await user.click(sheet.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await screen.findByText(/^wu@example.com changed this template/);
  expect((button('Save') as HTMLButtonElement).disabled).toBe(true);
});

describe('for domains that were selected in the list', () => {
  const selected = { selection: { names: ['a.example', 'b.example'] }, count: 2, search: { q: 'shop' } };
  const onApplied = vi.fn();
  const openFor = (id?: string) =>
    renderDomains(<RuleEditor {...{ id, from: undefined, selected, onApplied, onSaved, onGone }} />);
  beforeEach(() => {
    onApplied.mockReset();
    api.getRule.mockResolvedValue({ result: rule() });
    api.previewRule.mockResolvedValue({ results: [samplePreview('a.example')], count: 1 });
  });

  it('says of a new one what it is made for', async () => {
    await openFor();
    expect(await screen.findByText(/then review what changes on the 2 selected domains/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Back to the list' }).getAttribute('href')).toBe('/domain/list?q=shop');
  });

  it.each([
    ['in the question that opens', selected, 0],
    ['with a notice where none does', undefined, 1],
  ] as const)('says %s that a new one is there', async (_, asked, notices) => {
    api.getRoute.mockResolvedValue({ result: sampleRoute({ draft: { ...sampleConfig(), plugins: [refusing] } }) });
    api.createRule.mockResolvedValue({ result: rule() });
    await renderDomains(
      <RuleEditor {...{ id: undefined, from: ROUTE_ID, selected: asked, onApplied, onSaved, onGone }} />,
    );
    await userEvent.click(await screen.findByRole('button', { name: 'Create template' }));
    await waitFor(() => expect(onSaved).toHaveBeenCalledWith(ID));
    await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
    expect(screen.queryAllByText('Template saved')).toHaveLength(notices);
  });

  it('shows what changes on them as soon as it is there, and again after a look at it', async () => {
    await openFor(ID);
    const user = userEvent.setup({ delay: null });
    const dialog = await screen.findByRole('dialog', { name: 'Apply “Scrapers”' }, LOADED);
    await waitFor(() => expect(api.previewRule.mock.calls[0]?.[0].body).toEqual({ selection: selected.selection }));
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(onApplied).not.toHaveBeenCalled();
    await user.click(button('Apply to the 2 selected domains'));
    expect(await screen.findByRole('dialog', { name: 'Apply “Scrapers”' })).toBeTruthy();
  });
});
