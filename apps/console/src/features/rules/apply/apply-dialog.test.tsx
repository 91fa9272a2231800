// @vitest-environment happy-dom
import { ApiError, type PluginPreview } from '@cordon/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentProps } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { renderDomains } from '../../../domain/testing/render-domains';
import { ROUTE_ID, sampleRoute } from '../../../domain/testing/sample-route';
import { accessibleDescription } from '../../../testing/accessible-description';
import { samplePreview } from '../testing/sample-preview';
import ApplyDialog from './apply-dialog';

const api = vi.hoisted(() => ({
  listRoutes: vi.fn(),
  getBatch: vi.fn(),
  listBatchItems: vi.fn(),
  replayDraft: vi.fn(),
}));
vi.mock('../../../app/api-client', () => ({ api, queryClient: { setQueryData: vi.fn(), invalidateQueries: vi.fn() } }));

const restriction = (...deny: string[]) => ({
  name: 'ip-restriction',
  enabled: true,
  config: { allow: [], deny, whitelistMode: false, blacklistMode: true, allow_spiders: true },
});
const previewOf = (name: string, change: Partial<PluginPreview> = {}) =>
  samplePreview(name, {
    before: { traffic_action: 'upstream', plugins: [restriction('198.41.128.7')] },
    after: { traffic_action: 'upstream', plugins: [restriction('8.8.8.8')] },
    changed: ['ip-restriction'],
    ...change,
  });
const running = {
  id: '0190f3a0-0000-7000-8000-0000000000bb',
  kind: 'apply-rule',
  state: 'running' as const,
  total: 2,
  succeeded: 0,
  failed: 0,
  created_by: 'lin@example.com',
  created_at: '2026-11-20T10:00:00Z',
  finished_at: null,
};

const acceptRule = {
  plugin: 'blackrules',
  rule: 'a',
  verdict: 'block' as const,
  requests: 266,
  fields: [{ field: 'header' as const, name: 'Accept' }],
};
const waits = { plugin: 'seclink', after: 'challenge' };
const replayOf = (newly_blocked: number, { waiting = 0, passed = 0, unknown = 0, verdict = 'block' } = {}) => ({
  result: {
    requests: 458,
    is_complete: true,
    newly_blocked,
    newly_challenged: waiting,
    newly_passed: passed,
    unknown,
    unknown_rules: unknown === 0 ? [] : [{ ...acceptRule, verdict }],
    changes: waiting === 0 ? [] : [waits],
  },
});
const entryOf = (name: string, config: Record<string, unknown>) => ({ name, enabled: true, config });
const brought = { rule_id: '0190f3a0-0000-7000-8000-0000000000cc' };
const preview = vi.fn();
const apply = vi.fn();
const onStale = vi.fn();
const onEnded = vi.fn();
async function open(more: Partial<ComponentProps<typeof ApplyDialog>> = {}, locale: 'en' | 'zh' = 'en') {
  const { client } = await renderDomains(
    <ApplyDialog
      open
      onOpenChange={vi.fn()}
      title="Apply “Scrapers”"
      cname="s1.vip01.edge.cordon.test"
      brought={brought}
      previewKey={['test']}
      preview={preview}
      apply={apply}
      onStale={onStale}
      onEnded={onEnded}
      {...more}
    />,
    locale,
  );
  return { client, user: userEvent.setup({ delay: null }), dialog: await screen.findByRole('dialog') };
}
const rows = (...names: string[]) => ({
  results: names.map((domain_name, index) =>
    sampleRoute({ id: `${ROUTE_ID.slice(0, -1)}${index + 2}`, domain_name, domain_name_unicode: domain_name }),
  ),
  count: names.length,
  page: 1,
  perpage: 10,
});

beforeEach(() => {
  for (const mock of [...Object.values(api), preview, apply, onStale, onEnded]) mock.mockReset();
  api.listRoutes.mockResolvedValue(rows('a.example', 'b.example', 'c.example'));
  api.getBatch.mockResolvedValue({ result: { ...running, state: 'successful', succeeded: 2 } });
  api.listBatchItems.mockResolvedValue({ results: [] });
  preview.mockResolvedValue({ results: [previewOf('a.example'), previewOf('c.example')], count: 2 });
  api.replayDraft.mockResolvedValue(replayOf(0));
});

it('goes from picked domains over what changes on each to the batch', async () => {
  const { user, dialog } = await open();
  const inside = within(dialog);
  expect((inside.getByRole('button', { name: 'Continue' }) as HTMLButtonElement).disabled).toBe(true);
  await user.click(await inside.findByRole('checkbox', { name: /c\.example/ }));
  await user.click(inside.getByRole('checkbox', { name: /a\.example/ }));
  expect(inside.getByText('2 domains chosen')).toBeTruthy();
  expect(inside.queryByText('2 selected')).toBeNull();
  expect(api.listRoutes.mock.calls[0]?.[0].query).toMatchObject({ cname: 's1.vip01.edge.cordon.test' });
  await user.click(inside.getByRole('button', { name: 'Continue' }));
  expect(await inside.findByText('2 domains')).toBeTruthy();
  expect(preview.mock.calls[0]?.[0]).toEqual({ names: ['a.example', 'c.example'] });
  expect((await inside.findAllByText('8.8.8.8')).length).toBe(2);
  expect(inside.getAllByText('1 change').length).toBe(2);
  apply.mockResolvedValue(running);
  await user.click(inside.getByRole('button', { name: 'Apply and deploy' }));
  await waitFor(() => expect(apply).toHaveBeenCalledTimes(1));
  expect(apply.mock.calls[0]).toEqual([{ names: ['a.example', 'c.example'] }, { deploy: true, note: '' }]);
  expect(await inside.findByText('Template applied to 2 domains')).toBeTruthy();
  await waitFor(() => expect(onEnded).toHaveBeenCalled());
});

it.each([
  [
    'en',
    'Apply and deploy',
    'Deploy anyway',
    '419 of the last 458 requests (91%) would be newly blocked.',
    'Last 458 requests: none newly blocked or challenged.',
  ],
  [
    'zh',
    '应用并部署',
    '仍然部署',
    '最近 458 个请求中有 419 个（91%）会新增拦截。',
    '最近 458 个请求中：没有请求会新增拦截或人机验证。',
  ],
] as const)(
  'says in %s what each domain would have stopped, and asks once more before it closes one',
  async (locale, deploy, anyway, many, none) => {
    api.replayDraft.mockImplementation(async ({ params }) =>
      replayOf(params.id === previewOf('a.example').route_id ? 419 : 0),
    );
    apply.mockResolvedValue(running);
    const { user, dialog } = await open({ only: { names: ['a.example', 'c.example'] } }, locale);
    expect((await within(dialog).findByText(many)).className).toContain('text-warning');
    expect((await within(dialog).findByText(none)).className).toContain('text-muted');
    // As it would be deployed: with what is brought, and what waits in the draft.
    expect(api.replayDraft.mock.calls[0]?.[0].body).toEqual({ brought });
    await user.click(within(dialog).getByRole('button', { name: deploy }));
    expect(apply).not.toHaveBeenCalled();
    expect(within(dialog).getByRole('alert')).toBeTruthy();
    await user.click(within(dialog).getByRole('button', { name: anyway }));
    await waitFor(() => expect(apply).toHaveBeenCalledTimes(1));
  },
);

it.each([
  [
    'en',
    'Apply and deploy',
    ['1 rule cannot be checked. Not in the log: header Accept.', 'Last 458 requests: 458 could not be checked.'],
    /^It could not be checked whether/,
  ],
  [
    'zh',
    '应用并部署',
    ['1 条规则无法检查，日志中没有：请求头 Accept。', '最近 458 个请求中：458 个无法检查。'],
    /无法检查，不能确定是否会被拦截或须验证/,
  ],
] as const)(
  'says in %s that a rule cannot be checked, and asks once more before it may close a domain',
  async (locale, deploy, [rules, counts], question) => {
    api.replayDraft.mockResolvedValue(replayOf(0, { unknown: 458 }));
    apply.mockResolvedValue(running);
    const { user, dialog } = await open({ only: { names: ['a.example'] } }, locale);
    const [said] = await within(dialog).findAllByText(rules);
    expect(said?.className).toContain('text-warning');
    expect(within(dialog).getAllByText(counts)).toHaveLength(2);
    await user.click(within(dialog).getByRole('button', { name: deploy }));
    expect(apply).not.toHaveBeenCalled();
    expect(within(dialog).getByRole('alert').textContent).toMatch(question);
  },
);

it.each([
  ['a small part', { unknown: 91 }],
  ['a rule that lets pass', { unknown: 458, verdict: 'allow' }],
])('asks nothing more for what could not be checked of %s', async (_which, unknown) => {
  api.replayDraft.mockResolvedValue(replayOf(0, unknown));
  apply.mockResolvedValue(running);
  const { user, dialog } = await open({ only: { names: ['a.example'] } });
  await within(dialog).findAllByText(/^1 rule cannot be checked/);
  await user.click(within(dialog).getByRole('button', { name: 'Apply and deploy' }));
  await waitFor(() => expect(apply).toHaveBeenCalledTimes(1));
});

it('says how many would be challenged and pass, and which rules could not be checked', async () => {
  api.replayDraft.mockResolvedValue(replayOf(0, { waiting: 400, passed: 3, unknown: 55 }));
  const { dialog } = await open({ only: { names: ['a.example'] } });
  expect(
    (await within(dialog).findAllByText('400 of the last 458 requests (87%) would be newly made to wait.')).length,
  ).toBeGreaterThan(0);
  expect(within(dialog).getAllByText(/^1 rule cannot be checked/).length).toBeGreaterThan(0);
  expect(
    within(dialog).getAllByText(
      'Last 458 requests: 400 newly made to wait, 3 no longer stopped, 55 could not be checked.',
    ).length,
  ).toBeGreaterThan(0);
});

it.each([
  ['of what decides nothing', { changed: ['custom-header'] }, 0],
  ['of what is live already', { changed: [], is_live: true }, 0],
  ['of what stays off', { deploys: false }, 0],
  ['of what waits in the draft beside it', { changed: ['custom-header'], also_deploys: 1 }, 1],
  ['of a plugin that decides', {}, 1],
])('asks about recent requests %s as often as there is something to tell', async (_which, change, calls) => {
  preview.mockResolvedValue({ results: [previewOf('a.example', change)], count: 1 });
  const { dialog } = await open({ only: { names: ['a.example'] } });
  await within(dialog).findByText('a.example');
  await waitFor(() => expect(api.replayDraft).toHaveBeenCalledTimes(calls));
});

it('says of a domain whose requests could not be looked at that they were not', async () => {
  api.replayDraft.mockRejectedValue(new Error('no'));
  const { dialog } = await open({ only: { names: ['a.example'] } });
  expect(await within(dialog).findAllByText('Recent requests could not be checked.')).toHaveLength(2);
});

it('says that the work goes on for as long as it does', async () => {
  apply.mockResolvedValue(running);
  api.getBatch.mockResolvedValueOnce({ result: running });
  const { user, dialog } = await open({ only: { names: ['a.example'] } });
  await user.click(await within(dialog).findByRole('button', { name: 'Apply as drafts' }));
  await waitFor(() => expect(accessibleDescription(dialog)).toContain('the work continues'));
});

it('says no more that the work goes on once it is done', async () => {
  apply.mockResolvedValue(running);
  const { user, dialog } = await open({ only: { names: ['a.example'] } });
  await user.click(await within(dialog).findByRole('button', { name: 'Apply as drafts' }));
  await waitFor(() => expect(accessibleDescription(dialog)).toContain('Results for each domain.'));
  // The button that was pressed is gone.
  expect(document.activeElement).toBe(dialog);
});

it('leaves all that was picked by one press', async () => {
  const { user, dialog } = await open();
  await user.click(await within(dialog).findByRole('checkbox', { name: /c\.example/ }));
  await user.click(within(dialog).getByRole('button', { name: 'Clear selection' }));
  expect(within(dialog).getByText('Nothing chosen yet')).toBeTruthy();
});

it('takes no more names than 1800 characters hold', async () => {
  const long = Array.from(
    { length: 8 },
    (_, index) => `${index}${'x'.repeat(60)}.${'y'.repeat(60)}.${'z'.repeat(60)}.${'w'.repeat(60)}.example`,
  );
  api.listRoutes.mockResolvedValue(rows(...long));
  const { user, dialog } = await open();
  // Rows come in turns, after the skeleton.
  await within(dialog).findByText(/^0x+/);
  await user.click(await within(dialog).findByRole('checkbox', { name: /Select all/i }));
  expect(await within(dialog).findByText(/Remove 1 domain,/)).toBeTruthy();
  expect((within(dialog).getByRole('button', { name: 'Continue' }) as HTMLButtonElement).disabled).toBe(true);
});

it('takes all that match a search without naming them', async () => {
  const { user, dialog } = await open();
  await user.click(within(dialog).getByRole('radio', { name: /All that match/ }));
  await user.type(within(dialog).getByRole('searchbox'), 'shop');
  await waitFor(() => expect(api.listRoutes.mock.calls.at(-1)?.[0].query).toMatchObject({ q: 'shop' }));
  await user.click(within(dialog).getByRole('radio', { name: 'Running' }));
  expect(await within(dialog).findByText('3 domains match.')).toBeTruthy();
  await user.click(within(dialog).getByRole('button', { name: 'Continue' }));
  await waitFor(() => expect(preview).toHaveBeenCalled());
  expect(preview.mock.calls[0]?.[0]).toEqual({ filter: { q: 'shop', status: 'running' } });
});

it('offers a template where it was applied, and only what differs', async () => {
  const { user, dialog } = await open({ applied: 4, differing: 2 });
  expect(within(dialog).getByRole('radio', { name: 'Domains that differ 2 domains' })).toBeTruthy();
  await user.click(within(dialog).getByRole('radio', { name: /Domains that differ/ }));
  await user.click(within(dialog).getByRole('button', { name: 'Continue' }));
  await waitFor(() => expect(preview).toHaveBeenCalled());
  expect(preview.mock.calls[0]?.[0]).toEqual({ applied: 'differing' });
});

it('neither lists nor counts the domain that is copied from', async () => {
  const without = `${ROUTE_ID.slice(0, -1)}3`;
  const { results } = rows('a.example', 'b.example', 'c.example');
  api.listRoutes.mockImplementation(async ({ query }) => {
    const left = results.filter(({ id }) => id !== query.without);
    return { results: left, count: left.length };
  });
  const { user, dialog } = await open({ without });
  expect(await within(dialog).findByText('a.example')).toBeTruthy();
  expect(within(dialog).queryByText('b.example')).toBeNull();
  expect(within(dialog).getByText('1\u20132 of 2')).toBeTruthy();
  await user.click(within(dialog).getByRole('radio', { name: /All that match/ }));
  expect(await within(dialog).findByText('2 domains match.')).toBeTruthy();
});

it('says why a domain cannot take it, what stays off, and what else a deploy takes along', async () => {
  const error = {
    code: null,
    message: '',
    fields: { 'plugins.0.config.redirect_url': 'REDIRECT_LOOP' },
    params: {},
  };
  const same = { before: { traffic_action: 'upstream' as const, plugins: [] } };
  preview.mockResolvedValue({
    results: [
      previewOf('a.example', { error, changed: [], deploys: false }),
      previewOf('b.example', { deploys: false }),
      previewOf('c.example', { also_deploys: 3 }),
      previewOf('d.example', { ...same, after: same.before, changed: [], is_live: true }),
    ],
    count: 4,
  });
  const { dialog } = await open({ only: { applied: 'differing' } });
  const item = async (name: string) => (await within(dialog).findByText(name)).closest('li') as HTMLElement;
  const refused = await item('a.example');
  expect(within(refused).getByText('Not possible')).toBeTruthy();
  expect(within(refused).getByText(/^This address redirects back to the domain itself/)).toBeTruthy();
  expect(within(await item('b.example')).getByText('Not running: draft only')).toBeTruthy();
  expect(within(await item('c.example')).getByText(/Also deploys 3 pending changes/)).toBeTruthy();
  expect(within(await item('d.example')).getByText('Nothing changes')).toBeTruthy();
  expect(within(dialog).getByText(/1 domain shown cannot be changed/)).toBeTruthy();
  expect(within(dialog).queryByRole('button', { name: 'Back' })).toBeNull();
});

it.each([
  [
    'replace',
    'replace each domain’s lists',
    ['198.41.128.7', '9.9.9.9'],
    ['8.8.8.8'],
    'Replaces 2 list entries with 1',
  ],
  ['merge', 'are added to each domain’s lists', ['9.9.9.9'], ['9.9.9.9', '8.8.8.8'], 'Adds 1 list entry, keeps 1'],
  [
    'merge',
    'are added',
    ['9.9.9.9', '8.8.8.8'],
    ['9.9.9.9', '8.8.8.0/24'],
    'Adds 1 list entry, keeps 1, drops 1 inside wider ranges',
  ],
] as const)('says whether lists %s, and how many entries it changes', async (lists, words, before, after, counts) => {
  const part = (deny: readonly string[]) => ({ traffic_action: 'upstream' as const, plugins: [restriction(...deny)] });
  preview.mockResolvedValue({
    results: [previewOf('a.example', { before: part(before), after: part(after) })],
    count: 1,
  });
  const { dialog } = await open({ only: { applied: 'all' }, lists });
  expect(await within(dialog).findByText(counts)).toBeTruthy();
  expect(accessibleDescription(dialog)).toContain(words);
});

const ruleOf = (name: string) => {
  const conditions = [{ field: 'header', name, test: 'exists', not: false }];
  return { name, action: 'block', enabled: true, when: { match: 'all', not: false, conditions } };
};
it.each([
  ['en', 'blackrules', 'black_rules', [], ['a', 'b'].map(ruleOf), 'Adds 2 rules'],
  ['en', 'blackrules', 'black_rules', ['a', 'b', 'c'].map(ruleOf), ['d'].map(ruleOf), 'Removes 3 rules, adds 1'],
  ['zh', 'blackrules', 'black_rules', [], ['a', 'b'].map(ruleOf), '新增 2 条规则'],
  ['zh', 'blackrules', 'black_rules', ['a', 'b'].map(ruleOf), ['d'].map(ruleOf), '移除 2 条规则，新增 1 条'],
  ['en', 'custom-header', 'add', [], [{ name: 'X-A', value: '1' }], 'Adds 1 header'],
  [
    'zh',
    'custom-header',
    'add',
    [{ name: 'X-A', value: '1' }],
    [{ name: 'X-A', value: '2' }],
    '移除 1 个头字段，新增 1 个',
  ],
] as const)('says in %s of the entries of %s what they are', async (locale, plugin, field, before, after, counts) => {
  const part = (entries: readonly unknown[]) => ({
    traffic_action: 'upstream' as const,
    plugins: [entryOf(plugin, { [field]: entries })],
  });
  preview.mockResolvedValue({
    results: [previewOf('a.example', { before: part(before), after: part(after), changed: [plugin] })],
    count: 1,
  });
  const { dialog } = await open({ only: { applied: 'all' }, lists: 'merge' }, locale);
  expect(await within(dialog).findByText(counts)).toBeTruthy();
});

it('counts all entries of lists that are too long to be sent whole', async () => {
  const part = (deny: string[]) => ({ traffic_action: 'upstream' as const, plugins: [restriction(...deny)] });
  const fifty = (block: number) => Array.from({ length: 50 }, (_, at) => `9.9.${block}.${at}`);
  const counts = { plugin: 'ip-restriction', path: 'deny', before: 9_000, after: 9_500, added: 2_500, removed: 2_000 };
  preview.mockResolvedValue({
    results: [previewOf('a.example', { before: part(fifty(1)), after: part(fifty(2)), lists: [counts] })],
    count: 1,
  });
  const { dialog } = await open({ only: { applied: 'all' }, lists: 'replace' });
  expect(await within(dialog).findByText('Replaces 9,000 list entries with 9,500')).toBeTruthy();
  expect(within(dialog).getByText('1 change')).toBeTruthy();
  expect(await within(dialog).findByText('2,492 more added')).toBeTruthy();
  expect(within(dialog).getByText('1,992 more removed')).toBeTruthy();
});

it.each([
  ['en', 'Turns off IP restriction; each domain keeps its own settings.'],
  ['zh', '关闭以下设置，保留各域名自己的配置：IP 黑白名单。'],
] as const)('says what is only switched off in %s', async (locale, words) => {
  const { dialog } = await open({ only: { applied: 'all' }, onlyOff: ['ip-restriction'] }, locale);
  await waitFor(() => expect(accessibleDescription(dialog)).toContain(words));
});

it('applies nothing before it was shown what changes, nor where it cannot be', async () => {
  let fail: (error: Error) => void = () => {};
  preview.mockReturnValueOnce(
    new Promise((_resolve, reject) => {
      fail = reject;
    }),
  );
  const { user, dialog } = await open({ only: { names: ['a.example'] } });
  const areOff = () =>
    ['Apply as drafts', 'Apply and deploy'].map(
      (name) => (within(dialog).getByRole('button', { name }) as HTMLButtonElement).disabled,
    );
  await waitFor(() => expect(preview).toHaveBeenCalled());
  expect(areOff()).toEqual([true, true]);
  fail(new ApiError(0, undefined, undefined, ['Request error']));
  const retry = await within(dialog).findByRole('button', { name: 'Retry' });
  expect(areOff()).toEqual([true, true]);
  await user.click(retry);
  expect(await within(dialog).findByText('2 domains')).toBeTruthy();
  expect(areOff()).toEqual([false, false]);
});

it('keeps what it has shown when that cannot be read again', async () => {
  const { dialog, client } = await open({ only: { names: ['a.example'] } });
  expect(await within(dialog).findByText('2 domains')).toBeTruthy();
  preview.mockRejectedValue(new ApiError(0, undefined, undefined, ['Request error']));
  await client.invalidateQueries();
  await waitFor(() => expect(preview).toHaveBeenCalledTimes(2));
  expect(within(dialog).getByText('2 domains')).toBeTruthy();
});

it('applies nothing that was not looked at: a changed template is read anew', async () => {
  const { user, dialog } = await open({ only: { names: ['a.example'] } });
  const stale = { success: false as const, code: 'STALE_REVISION' as const, message: '', request_id: 'r' };
  apply.mockRejectedValue(new ApiError(409, 'STALE_REVISION', stale, ['code.STALE_REVISION']));
  await user.click(await within(dialog).findByRole('button', { name: 'Apply as drafts' }));
  expect(await within(dialog).findByText(/settings you are applying have changed/)).toBeTruthy();
  expect(onStale).toHaveBeenCalledTimes(1);
  expect(apply.mock.calls[0]?.[1]).toMatchObject({ deploy: false });
});

describe('where nothing changes', () => {
  const names = (dialog: HTMLElement) =>
    within(dialog)
      .getAllByRole('button')
      .map((button) => button.getAttribute('aria-label') ?? button.textContent);
  const live = { changed: [], is_live: true };
  const error = { code: 'DOMAIN_SUSPENDED', message: '', fields: {}, params: {} };

  it.each([
    ['all of them have it live', [live, live]],
    ['those that do not have it cannot take it', [live, { changed: [], deploys: false, error }]],
    ['they are not running, and the draft has it', [{ changed: [], deploys: false }]],
  ])('there is nothing to press but Close: %s', async (_which, previews) => {
    const results = previews.map((change, index) => previewOf(`${'ab'[index]}.example`, change as never));
    preview.mockResolvedValue({ results, count: results.length });
    const { dialog } = await open({ only: { applied: 'all' } });
    await waitFor(() => expect(accessibleDescription(dialog)).toBe('Nothing to apply.'));
    expect(names(dialog)).toEqual(['Close', 'Close']);
    // No higher than what is in it.
    expect(dialog.style.height).toBe('');
  });

  it.each([
    ['a draft has it that is not live', [live, { changed: [] }], 2],
    ['there are more than were read', [live, live], 40],
  ])('it can be applied all the same: %s', async (_which, previews, count) => {
    const results = previews.map((change, index) => previewOf(`${'ab'[index]}.example`, change));
    preview.mockResolvedValue({ results, count });
    const { dialog } = await open({ only: { applied: 'all' } });
    await within(dialog).findByText('a.example');
    const deploy = within(dialog).getByRole('button', { name: 'Apply and deploy' }) as HTMLButtonElement;
    expect(deploy.disabled).toBe(false);
    expect(within(dialog).queryAllByText('Not live yet').length).toBe(count === 2 ? 1 : 0);
  });
});
