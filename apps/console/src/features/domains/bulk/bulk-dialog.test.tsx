// @vitest-environment happy-dom
import { ApiError, type BulkAction, type BulkPreviewItem, type RouteSelection } from '@cordon/contract';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { needCatalogs } from '../../../app/intl-store';
import { taskKeys } from '../../../domain/tasks/queries';
import { networkReturns } from '../../../domain/testing/network-returns';
import { renderDomains } from '../../../domain/testing/render-domains';
import BulkDialog from './bulk-dialog';

const api = vi.hoisted(() => ({
  previewBulk: vi.fn(),
  bulkRoutes: vi.fn(),
  listGroups: vi.fn(),
  createGroup: vi.fn(),
  listDomainTraffic: vi.fn(),
  runTask: vi.fn(),
}));
vi.mock('../../../app/api-client', () => ({ api, queryClient: {} }));

const item = (name: string, change: Partial<BulkPreviewItem>): BulkPreviewItem => ({
  route_id: null,
  name,
  effect: 'deploy',
  status: 'running',
  pending_changes: 0,
  version_live: 12,
  group_id: null,
  changed_since: false,
  ...change,
});
const counted = (items: BulkPreviewItem[], more = 0, tasks = { cancelled: 0, left: 0 }) => ({
  result: {
    total: items.length + more,
    included: items.filter(({ effect }) => effect !== 'nothing').length + more,
    counts: [...new Set(items.map(({ effect }) => effect))].map((effect, index) => ({
      effect,
      count: items.filter((one) => one.effect === effect).length + (index === 0 ? more : 0),
    })),
    changed_since: items.filter(({ changed_since }) => changed_since).length,
    tasks,
    items,
    digest: 'of what is shown',
  },
});

beforeEach(() => {
  vi.resetAllMocks();
  api.listGroups.mockResolvedValue({ results: [] });
  api.bulkRoutes.mockResolvedValue({ result: { id: 'batch' } });
});

const NAMED: RouteSelection = { names: ['a.example'] };
async function open(action: BulkAction, locale: 'en' | 'zh' = 'en', selection = NAMED) {
  await needCatalogs('bulk');
  const onStarted = vi.fn();
  const onOpenChange = vi.fn();
  const onScheduled = vi.fn();
  const { client } = await renderDomains(
    <BulkDialog
      action={action}
      selection={selection}
      count={5}
      open
      onOpenChange={onOpenChange}
      onStarted={onStarted}
      onScheduled={onScheduled}
    />,
    locale,
  );
  const dialog = within(await screen.findByRole('alertdialog'));
  const rowOf = async (name: string) => (await dialog.findByText(name)).closest('li')?.textContent;
  return { user: userEvent.setup(), dialog, rowOf, onStarted, onScheduled, onOpenChange, client };
}

it('has as many rows before its preview has come, with the names that are known', async () => {
  api.previewBulk.mockReturnValue(new Promise(() => {}));
  const { dialog } = await open('deploy');
  expect(dialog.getByText('a.example').closest('[aria-hidden]')?.querySelectorAll('li')).toHaveLength(5);
});

it('a deploy names what happens to each domain, and counts what it deploys', async () => {
  api.previewBulk.mockResolvedValue(
    counted([
      item('held.example', { effect: 'suspended' }),
      item('new.example', { version_live: null, status: 'deactivated', pending_changes: 4 }),
      item('changed.example', { pending_changes: 2 }),
      item('off.example', { status: 'deactivated' }),
      item('same.example', { effect: 'nothing' }),
    ]),
  );
  const { user, dialog, rowOf, onStarted } = await open('deploy');
  expect(await rowOf('held.example')).toContain('suspended by the provider');
  expect(await rowOf('new.example')).toContain('never deployed: goes live');
  expect(await rowOf('changed.example')).toContain('2 pending changes → v13');
  expect(await rowOf('off.example')).toContain('deactivated: live again → v13');
  expect(await rowOf('same.example')).toContain('nothing to deploy');
  for (const text of ['3 will change', '1 will fail', '1 skipped']) dialog.getByText(text);
  dialog.getByRole('heading', { name: 'Deploy 3 domains?' });
  await user.click(dialog.getByRole('button', { name: 'Deploy 3 domains' }));
  await waitFor(() => expect(onStarted).toHaveBeenCalledWith('batch'));
  expect(api.bulkRoutes).toHaveBeenCalledWith({
    body: { action: 'deploy', selection: { names: ['a.example'] }, digest: 'of what is shown' },
  });
});

it.each([
  [
    'en',
    'never deployed: goes live, with later changes',
    '1 changed again later',
    /^Some of these domains were changed again/,
  ],
  ['zh', '从未部署：首次生效，含之后的更改', '1 个之后又有更改', /^部分域名之后又有更改/],
] as const)('says in %s which domains of a batch were changed again later', async (locale, effect, count, words) => {
  const fresh = { version_live: null, status: 'deactivated', pending_changes: 4 } as const;
  api.previewBulk.mockResolvedValue(
    counted([item('kept.example', fresh), item('later.example', { ...fresh, changed_since: true })]),
  );
  const { dialog, rowOf } = await open('deploy', locale, { filter: { batch: 'b', changes: 'pending' } });
  expect(await rowOf('later.example')).toContain(effect);
  expect(await rowOf('kept.example')).not.toMatch(/later changes|之后/);
  dialog.getByText(count);
  dialog.getByText(words);
});

it.each([
  ['names', NAMED],
  ['a filter', { filter: { q: 'a' } }],
] as const)('confirms nothing of %s before it was shown, nor where it cannot be', async (_what, selection) => {
  let fail: (error: Error) => void = () => {};
  api.previewBulk.mockReturnValue(
    new Promise((_resolve, reject) => {
      fail = reject;
    }),
  );
  const { dialog } = await open('deploy', 'en', selection);
  const isOff = () => (dialog.getByRole('button', { name: 'Deploy 5 domains' }) as HTMLButtonElement).disabled;
  expect(isOff()).toBe(true);
  fail(new ApiError(0, undefined, undefined, ['Request error']));
  await dialog.findByRole('button', { name: 'Retry' });
  expect(isOff()).toBe(true);
});

it('keeps what was shown when the network is lost, and says so until it is back', async () => {
  api.previewBulk.mockResolvedValueOnce(counted([item('a.example', { pending_changes: 2 })]));
  const lost = new ApiError(0, undefined, undefined, ['Request error']);
  api.previewBulk.mockRejectedValue(lost);
  api.bulkRoutes.mockRejectedValue(lost);
  const { user, dialog, rowOf } = await open('deploy');
  await user.click(await dialog.findByRole('button', { name: 'Deploy 1 domain' }));
  await waitFor(() => expect(api.previewBulk).toHaveBeenCalledTimes(2));
  expect(await rowOf('a.example')).toContain('2 pending changes');
  dialog.getByRole('heading', { name: 'Deploy 1 domain?' });
  expect(dialog.queryByRole('button', { name: 'Retry' })).toBeNull();
});

it('sends the same request again where nothing answered, though its domains have changed since', async () => {
  const shown = counted([item('a.example', { pending_changes: 2 })]);
  api.previewBulk.mockResolvedValueOnce(shown);
  const read = { ...counted([item('a.example', { effect: 'nothing' })]).result, digest: 'of what it did' };
  api.previewBulk.mockResolvedValue({ result: read });
  api.bulkRoutes.mockRejectedValueOnce(new ApiError(0, undefined, undefined, ['Request error']));
  const { user, dialog, onStarted } = await open('deploy');
  const button = await dialog.findByRole('button', { name: 'Deploy 1 domain' });
  await user.click(button);
  await waitFor(() => expect(api.previewBulk).toHaveBeenCalledTimes(2));
  await waitFor(() => expect(button).toHaveProperty('disabled', false));
  await user.click(button);
  await waitFor(() => expect(onStarted).toHaveBeenCalledWith('batch'));
  expect(api.bulkRoutes.mock.calls[1]).toEqual(api.bulkRoutes.mock.calls[0]);
});

it('has the focus on its button to close where there turns out to be nothing to do', async () => {
  let answer: (preview: unknown) => void = () => {};
  api.previewBulk.mockReturnValue(new Promise((resolve) => (answer = resolve)));
  const { dialog } = await open('deploy');
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByRole('textbox')));
  answer(counted([item('a.example', { effect: 'nothing' })]));
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Close' })));
});

it.each([
  ['en', 'from Shops', '2 domains', 'Choose a group', 'Move 2 domains'],
  ['zh', '来自 Shops', '2 个域名', '选择分组', '移动 2 个域名'],
] as const)(
  'a move says where each domain is before a group is chosen (%s)',
  async (locale, from, count, choose, confirm) => {
    api.listGroups.mockResolvedValue({
      results: ['Shops', 'Blogs'].map((name) => ({ id: name, name, default_group: false, domains: 5 })),
    });
    api.previewBulk.mockImplementation(async ({ body }) =>
      counted(
        ['Shops', 'Blogs'].map((group_id, index) =>
          item(`${'ab'[index]}.example`, { group_id, effect: body.group_id === group_id ? 'nothing' : 'move_group' }),
        ),
      ),
    );
    const { user, dialog, rowOf } = await open('move_group', locale);
    await dialog.findByText(from);
    expect(await rowOf('a.example')).toBe(`a.example${from}`);
    dialog.getByText(count);
    const button = dialog.getByRole('button', { name: confirm }) as HTMLButtonElement;
    expect(button.disabled).toBe(true);
    const group = dialog.getByRole('combobox');
    expect(group.textContent).toBe(choose);
    expect(api.previewBulk.mock.calls.map(([{ body }]) => body.group_id)).toEqual([undefined]);
    await user.click(group);
    await user.click(await screen.findByRole('option', { name: 'Blogs' }));
    await waitFor(() => expect(api.previewBulk.mock.lastCall?.[0].body.group_id).toBe('Blogs'));
    await waitFor(() => expect(button.disabled).toBe(false));
    expect(await rowOf('a.example')).toBe(`a.example${from}`);
  },
);

it('a move says why there is no group to move to, and asks again', async () => {
  api.listGroups.mockRejectedValueOnce(new ApiError(0, undefined, undefined, ['Please check your network']));
  api.listGroups.mockResolvedValue({ results: [{ id: 'one', name: 'Shops', default_group: false, domains: 5 }] });
  api.previewBulk.mockResolvedValue(counted([item('a.example', { effect: 'move_group' })]));
  const { user, dialog } = await open('move_group');
  await dialog.findByText('Please check your network');
  await user.click(dialog.getByRole('button', { name: 'Retry' }));
  expect(await dialog.findByRole('button', { name: 'Move 1 domain' })).toBeTruthy();
});

it.each(['preview', 'start'])(
  'a move says at its group that somebody has deleted it (%s), and offers the others',
  async (at) => {
    const groups = ['Shops', 'Blogs', 'News'].map((name) => ({ id: name, name, default_group: false, domains: 5 }));
    api.listGroups.mockResolvedValue({ results: groups });
    const gone = new ApiError(404, 'NOT_FOUND', undefined, ['code.NOT_FOUND']);
    api.previewBulk.mockImplementation(async ({ body }) => {
      if (at === 'preview' && body.group_id === 'Blogs') throw gone;
      return counted([item('a.example', { effect: 'move_group' })]);
    });
    api.bulkRoutes.mockRejectedValueOnce(gone);
    const { user, dialog } = await open('move_group');
    const group = await dialog.findByRole('combobox');
    const choose = async (name: string) => {
      await user.click(group);
      await user.click(await screen.findByRole('option', { name }));
    };
    await choose('Blogs');
    if (at === 'start') await user.click(await dialog.findByRole('button', { name: 'Move 1 domain' }));
    const words = await dialog.findByText('This group no longer exists. Choose another one');
    expect(group.getAttribute('aria-describedby')).toContain(words.closest('[id]')?.id);
    expect(group.textContent).toBe('Choose a group');
    await user.click(group);
    expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual(['Shops', 'News']);
    await user.click(screen.getByRole('option', { name: 'News' }));
    expect(dialog.queryByText('This group no longer exists. Choose another one')).toBeNull();
    await user.click(await dialog.findByRole('button', { name: 'Move 1 domain' }));
    await waitFor(() => expect(api.bulkRoutes.mock.lastCall?.[0].body.group_id).toBe('News'));
  },
);

it('a move asks where to for all of them, whatever is there already', async () => {
  api.listGroups.mockResolvedValue({ results: [{ id: 'one', name: 'Shops', default_group: false, domains: 5 }] });
  api.previewBulk.mockResolvedValue(counted([item('a.example', { effect: 'nothing' })]));
  const { dialog } = await open('move_group');
  await dialog.findByText('a.example');
  expect(dialog.getByRole('heading').textContent).toBe('Move 5 domains to a group');
});

it.each([
  ['deactivate', 'Deactivate 1 domain'],
  ['resume', 'Resume 1 domain'],
  ['delete', 'Delete 1 domain'],
  ['move_group', 'Move 1 domain'],
] as const)(
  'a %s counts on its button what will change, and names the rest with the reason',
  async (action, button) => {
    api.listGroups.mockResolvedValue({ results: [{ id: 'one', name: 'Shops', default_group: false, domains: 0 }] });
    api.previewBulk.mockResolvedValue(
      counted([
        item('held.example', { effect: 'suspended' }),
        item('going.example', { effect: 'deleting' }),
        item('a.example', { effect: action }),
      ]),
    );
    const { dialog, rowOf } = await open(action);
    expect(await rowOf('held.example')).toContain('suspended by the provider');
    expect(await rowOf('going.example')).toContain('is being deleted');
    dialog.getByText('2 will fail');
    dialog.getByRole('button', { name: button });
  },
);

it('asks nothing where every domain would fail', async () => {
  api.previewBulk.mockResolvedValue(counted([item('held.example', { effect: 'suspended' })]));
  const { dialog, rowOf } = await open('deactivate');
  expect(await rowOf('held.example')).toContain('suspended by the provider');
  dialog.getByRole('heading', { name: 'Nothing to deactivate' });
  expect(dialog.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Close']);
});

it.each([
  ['deploy', 'nothing to deploy', 'Nothing to deploy'],
  ['deactivate', 'not served', 'Nothing to deactivate'],
] as const)('a %s that has nothing to do asks nothing and can only be closed', async (action, why, heading) => {
  api.previewBulk.mockResolvedValue(counted([item('same.example', { effect: 'nothing' })]));
  const { dialog, rowOf } = await open(action);
  expect(await rowOf('same.example')).toContain(why);
  dialog.getByRole('heading', { name: heading });
  expect(dialog.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Close']);
  expect(dialog.queryByRole('textbox')).toBeNull();
});

it('reads the plan anew once it was refused, and says so where that cannot be read', async () => {
  api.previewBulk.mockResolvedValueOnce(counted([item('a.example', { pending_changes: 2 })]));
  api.previewBulk.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  api.bulkRoutes.mockRejectedValue(new ApiError(409, 'STALE_REVISION', undefined, ['code.STALE_REVISION']));
  const { user, dialog, rowOf, onStarted } = await open('deploy');
  expect(await rowOf('a.example')).toContain('2 pending changes');
  await user.click(dialog.getByRole('button', { name: 'Deploy 1 domain' }));
  const retry = await dialog.findByRole('button', { name: 'Retry' });
  expect(dialog.queryByText('a.example')).toBeNull();
  api.previewBulk.mockResolvedValueOnce(counted([item('a.example', { effect: 'nothing' })]));
  await user.click(retry);
  expect(await rowOf('a.example')).toContain('nothing to deploy');
  expect(onStarted).not.toHaveBeenCalled();
});

it('is closed by the batch that a lost answer tells of when it is asked for again', async () => {
  api.previewBulk.mockResolvedValue(counted([item('a.example', {})]));
  api.bulkRoutes.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  const { user, dialog, onStarted, onOpenChange, client } = await open('deploy');
  await user.click(await dialog.findByRole('button', { name: 'Deploy 1 domain' }));
  await waitFor(() => expect(api.previewBulk).toHaveBeenCalledTimes(2));
  expect(onOpenChange).not.toHaveBeenCalled();
  // As the notice of the failure does.
  await client.getMutationCache().getAll()[0]?.execute(undefined);
  expect(onStarted).toHaveBeenCalledWith('batch');
  expect(onOpenChange).toHaveBeenCalledWith(false);
});

it.each([
  ['deactivate', 'en', 'While DNS still points here, visitors get an error page'],
  ['delete', 'en', 'While DNS still points here, visitors get an error page'],
  ['deactivate', 'zh', 'DNS 仍指向本平台时，访客会看到错误页面'],
  ['delete', 'zh', 'DNS 仍指向本平台时，访客会看到错误页面'],
] as const)('a %s says in %s what visitors get', async (action, locale, words) => {
  api.previewBulk.mockResolvedValue(counted([item('a.example', { effect: action })]));
  const { dialog } = await open(action, locale);
  expect((await dialog.findByText(new RegExp(words))).tagName).toBe('P');
});

it('a move where there is one group makes another, which is then the one moved to', async () => {
  const one = { id: 'one', name: 'Default', default_group: true, domains: 1 };
  const two = { id: 'two', name: 'Shops', default_group: false, domains: 0 };
  api.listGroups.mockResolvedValueOnce({ results: [one] });
  api.listGroups.mockResolvedValue({ results: [one, two] });
  api.createGroup.mockResolvedValue({ result: two });
  api.previewBulk.mockImplementation(async ({ body }) =>
    counted([item('a.example', { effect: body.group_id === 'two' ? 'move_group' : 'nothing' })]),
  );
  const { user, dialog } = await open('move_group');
  await user.type(await dialog.findByRole('textbox', { name: 'New group' }), 'Shops{Enter}');
  await user.click(await dialog.findByRole('button', { name: 'Move 1 domain' }));
  expect(api.createGroup).toHaveBeenCalledWith({ body: { name: 'Shops' } });
  await waitFor(() => expect(api.bulkRoutes.mock.calls[0]?.[0].body).toMatchObject({ group_id: 'two' }));
});

it('in Chinese, what is more than a hundred is counted', async () => {
  api.previewBulk.mockResolvedValue(counted([item('a.example', { effect: 'resume' })], 4_000));
  const { dialog } = await open('resume', 'zh');
  await dialog.findByText('另有 4,000 个');
  dialog.getByText('以 v12 重新生效');
  expect(dialog.getByRole('button', { name: '恢复 4,001 个域名' }).getAttribute('type')).toBe('submit');
});

it('says how many requests of the last day go where a domain goes offline, and of others nothing', async () => {
  const route_id = '0190f3a0-0000-7000-8000-000000000001';
  api.listDomainTraffic.mockResolvedValue({ result: [{ route_id, requests: 3699 }] });
  api.previewBulk.mockResolvedValue(
    counted([
      item('busy.example', { route_id, effect: 'deactivate' }),
      item('held.example', { route_id: null, effect: 'not_found', status: null }),
    ]),
  );
  const { dialog, rowOf } = await open('deactivate');
  await dialog.findByText('1 will go offline');
  await dialog.findByText('3,699 requests in 24 h');
  expect(await rowOf('busy.example')).toBe('busy.example3,699 requests in 24 h');
  expect(await rowOf('held.example')).toBe('held.examplenot found');
  expect(api.listDomainTraffic.mock.calls[0]?.[0].query).toEqual({ route_ids: route_id });
});

it.each([
  ['en', '2 will be deleted', 'live', 'not served'],
  ['zh', '将删除 2 个', '已生效', '未提供服务'],
] as const)('counts what is deleted, and says which of it is live (%s)', async (locale, count, live, off) => {
  api.previewBulk.mockResolvedValue(
    counted([item('a.example', { effect: 'delete' }), item('b.example', { effect: 'delete', status: 'deactivated' })]),
  );
  const { dialog, rowOf } = await open('delete', locale);
  await dialog.findByText(count);
  expect(await rowOf('a.example')).toBe(`a.example${live}`);
  expect(await rowOf('b.example')).toBe(`b.example${off}`);
});

it.each([
  ['en', { cancelled: 1, left: 0 }, ['1 scheduled task has no other domains and will be cancelled.']],
  [
    'en',
    { cancelled: 2, left: 3 },
    [
      '2 scheduled tasks have no other domains and will be cancelled.',
      '3 scheduled tasks will run for their other domains only.',
    ],
  ],
  ['en', { cancelled: 0, left: 1 }, ['1 scheduled task will run for its other domains only.']],
  ['en', { cancelled: 0, left: 0 }, []],
  ['zh', { cancelled: 2, left: 1 }, ['2 个计划任务没有其他域名，将被取消。', '1 个计划任务将只对其余域名执行。']],
] as const)('says in %s what a deletion makes of scheduled tasks: %o', async (locale, tasks, sentences) => {
  api.previewBulk.mockResolvedValue(counted([item('a.example', { effect: 'delete' })], 0, tasks));
  const { dialog } = await open('delete', locale);
  await dialog.findByText('a.example');
  await dialog.findByText(locale === 'zh' ? '将删除 1 个' : '1 will be deleted');
  const word = locale === 'zh' ? '计划任务' : 'scheduled task';
  expect(dialog.queryAllByText(word, { exact: false }).map(({ textContent }) => textContent)).toEqual(sentences);
});

it('has lists of scheduled tasks read anew once domains are being deleted, which leave them', async () => {
  api.previewBulk.mockResolvedValue(counted([item('a.example', { effect: 'delete' })]));
  const { user, dialog, client, onStarted } = await open('delete');
  client.setQueryData(taskKeys.list(undefined), []);
  await dialog.findByText('1 will be deleted');
  await user.type(dialog.getByRole('textbox'), 'delete');
  await user.click(dialog.getByRole('button', { name: 'Delete 1 domain' }));
  await waitFor(() => expect(onStarted).toHaveBeenCalled());
  expect(client.getQueryState(taskKeys.list(undefined))?.isInvalidated).toBe(true);
});

it('tells once why nothing is done to any of them', async () => {
  const same = ['a.example', 'b.example'].map((name) => item(name, { effect: 'nothing' }));
  api.previewBulk.mockResolvedValue(counted(same));
  const { dialog, rowOf } = await open('deploy');
  await dialog.findByText('2 domains: nothing to deploy');
  expect(await rowOf('a.example')).toBe('a.example');
});

it('clears the caches of those that may be, softly where that is chosen, and says which plan does not allow it', async () => {
  api.previewBulk.mockResolvedValue(
    counted([
      item('free.example', { effect: 'needs_plan' }),
      item('a.example', { effect: 'clear_cache' }),
      item('new.example', { effect: 'nothing', version_live: null }),
    ]),
  );
  const { user, dialog, rowOf, onStarted } = await open('clear_cache');
  expect(await rowOf('free.example')).toContain('free plan: upgrade to clear cache');
  expect(await rowOf('new.example')).toContain('never deployed');
  expect(dialog.getByRole('status').textContent).toContain('1 will be cleared');
  await user.click(
    await dialog.findByRole('checkbox', { name: /^Keep serving cached copies while they are refreshed/ }),
  );
  await user.click(dialog.getByRole('button', { name: 'Clear 1 cache' }));
  await waitFor(() => expect(onStarted).toHaveBeenCalledWith('batch'));
  const body = { action: 'clear_cache', selection: NAMED, digest: 'of what is shown', soft: true };
  expect(api.bulkRoutes).toHaveBeenCalledExactlyOnceWith({ body });
});

it.each([
  ['en', 'Clear 2 caches', 'Schedule for 2 domains', 'At a set time', /^Visitors get the cached copy/],
  ['zh', '清除 2 个域名的缓存', '创建计划任务：清除 2 个域名的缓存', '指定时间', /^源站响应之前，访客仍获得缓存副本/],
] as const)(
  'names the cache as what is cleared, in red where copies go at once, and says what a soft clear is (%s)',
  async (locale, now, later, atATime, hint) => {
    api.previewBulk.mockResolvedValue(
      counted(['a.example', 'b.example'].map((name) => item(name, { effect: 'clear_cache' }))),
    );
    const { user, dialog, rowOf } = await open('clear_cache', locale);
    await rowOf('a.example');
    const isRed = (name: string) => dialog.getByRole('button', { name }).className.includes('bg-danger-fill');
    expect(isRed(now)).toBe(true);
    await user.click(await dialog.findByText(hint));
    expect(isRed(now)).toBe(false);
    await user.click(dialog.getByText(hint));
    await user.click(await dialog.findByRole('radio', { name: atATime }));
    expect(isRed(later)).toBe(false);
  },
);

it.each([
  [
    ...(['en', /^Visitors get the cached copy/, /^Everything cached of them is cleared on all nodes/] as const),
    /^Everything cached of them is refreshed from your origins.+ Visitors keep getting cached copies meanwhile\.$/,
  ],
  [
    'zh',
    /^源站响应之前，访客/,
    /将全部清除/,
    /^所选域名在所有节点上的全部缓存将从源站更新，更新期间访客仍获得缓存副本。$/,
  ],
] as const)('says in %s of a soft clear that copies are served on', async (locale, hint, hard, soft) => {
  const items = ['a.example', 'b.example'].map((name) => item(name, { effect: 'clear_cache' }));
  api.previewBulk.mockResolvedValue(counted(items));
  const { user, dialog, rowOf } = await open('clear_cache', locale);
  await rowOf('a.example');
  expect(dialog.getByText(hard)).toBeTruthy();
  await user.click(await dialog.findByText(hint));
  expect(dialog.getByText(soft)).toBeTruthy();
  expect(dialog.queryByText(hard)).toBeNull();
});

const choose = async ({ user, dialog }: Pick<Awaited<ReturnType<typeof open>>, 'user' | 'dialog'>, kind: string) => {
  await user.click(await dialog.findByRole('radio', { name: kind }));
  return dialog.getByRole<HTMLTextAreaElement>('textbox', { name: kind });
};

it.each([
  ['en', 'Prefixes', 'these prefixes', 'Clear 2 caches', 'One per line, 500 at most.'],
  ['zh', '前缀', '所填前缀', '清除 2 个域名的缓存', '每行一个，最多 500 个。'],
] as const)('clears prefixes of many at once as a task, and says so of each (%s)', async (...given) => {
  const [locale, kind, effect, confirm, perLine] = given;
  api.previewBulk.mockResolvedValue(
    counted(['a.example', 'b.example'].map((name) => item(name, { effect: 'clear_cache' }))),
  );
  api.runTask.mockResolvedValue({ result: { state: 'running', batch_id: 'batch' } });
  const { user, dialog, rowOf, onStarted, onScheduled, onOpenChange } = await open('clear_cache', locale);
  await rowOf('a.example');
  const text = await choose({ user, dialog }, kind);
  expect(await rowOf('a.example')).toContain(effect);
  expect(dialog.getByText(perLine)).toBeTruthy();
  const button = dialog.getByRole<HTMLButtonElement>('button', { name: confirm });
  expect([button.disabled, button.className.includes('bg-danger-fill')]).toEqual([true, false]);
  await user.type(text, '/img/{Enter}/css/');
  await user.click(button);
  await waitFor(() => expect(onStarted).toHaveBeenCalledExactlyOnceWith('batch'));
  const body = {
    ...{ kind: 'clear cache', selection: NAMED, at: undefined, digest: 'of what is shown' },
    ...{ clear_kind: 'prefixes', values: ['/img/', '/css/'], soft: false },
  };
  expect(api.runTask).toHaveBeenCalledExactlyOnceWith({ body, idempotencyKey: expect.any(String) });
  expect(onOpenChange).toHaveBeenCalledWith(false);
  expect([onScheduled, api.bulkRoutes].map((mock) => mock.mock.calls.length)).toEqual([0, 0]);
});

it('says of values of many which line is wrong once one leaves them, and takes paths alone', async () => {
  api.previewBulk.mockResolvedValue(counted([item('a.example', { effect: 'clear_cache' })], 1));
  const { user, dialog, rowOf } = await open('clear_cache');
  await rowOf('a.example');
  const text = await choose({ user, dialog }, 'URLs');
  await user.type(text, '/a{Enter}https://a.example/b');
  expect(text.getAttribute('aria-invalid')).toBeNull();
  await user.tab();
  expect(text.getAttribute('aria-invalid')).toBe('true');
  expect(dialog.getByText('Line 2: Enter a path, such as /news/: it is cleared on every selected domain')).toBeTruthy();
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Clear 2 caches' }).disabled).toBe(true);
  await user.clear(text);
  expect(dialog.getByText('Required')).toBeTruthy();
  await user.type(text, '/a');
  expect(text.getAttribute('aria-invalid')).toBeNull();
});

it('shows at the values what the API refuses of them, and asks of one domain for its URLs', async () => {
  api.previewBulk.mockResolvedValue(counted([item('a.example', { effect: 'clear_cache' })]));
  const body = {
    ...{ success: false as const, message: '', request_id: '', 'values.0': 'CACHE_URL_FOREIGN' },
    params: { 'values.0': { name: 'b.example' } },
  } as const;
  api.runTask.mockRejectedValue(new ApiError(422, 'VALIDATION_FAILED', body, ['values.0.CACHE_URL_FOREIGN']));
  const { user, dialog, rowOf, onStarted } = await open('clear_cache');
  await rowOf('a.example');
  const text = await choose({ user, dialog }, 'URLs');
  await user.type(text, 'https://b.example/b');
  await user.click(dialog.getByRole('button', { name: 'Clear 1 cache' }));
  expect(await dialog.findByText('Line 1: Not a name of this domain: b.example')).toBeTruthy();
  expect(api.previewBulk).toHaveBeenCalledOnce();
  expect(onStarted).not.toHaveBeenCalled();
});

it('counts the values for each of the domains, and takes no part of more than 5,000', async () => {
  const one = item('a.example', { effect: 'clear_cache' });
  api.previewBulk.mockResolvedValue(counted([one], 2_499));
  const { user, dialog, rowOf } = await open('clear_cache');
  await rowOf('a.example');
  const text = await choose({ user, dialog }, 'Tags');
  expect(dialog.getByText('Separated by line breaks, commas or spaces, 2 at most.')).toBeTruthy();
  await user.type(text, 'a b c');
  await user.tab();
  expect(dialog.getByText('At most 2 are allowed')).toBeTruthy();
  cleanup();
  api.previewBulk.mockResolvedValue(counted([one], 5_000));
  const many = await open('clear_cache');
  await many.rowOf('a.example');
  const confirm = () => many.dialog.getByRole<HTMLButtonElement>('button', { name: /^(Clear|Schedule for) 5,?001 / });
  await many.user.click(await many.dialog.findByRole('radio', { name: 'At a set time' }));
  expect(confirm().disabled).toBe(false);
  await choose(many, 'Tags');
  expect(confirm().disabled).toBe(true);
  expect(many.dialog.getByRole('alert').textContent).toMatch(/5,000 domains at most/);
});

it('schedules what was shown or nothing, and shows anew what it has become', async () => {
  api.previewBulk.mockResolvedValueOnce(counted([item('a.example', { effect: 'clear_cache' })]));
  api.runTask.mockRejectedValue(
    new ApiError(422, undefined, { success: false, selection: 'SELECTION_CHANGED' } as never, []),
  );
  const { user, dialog, rowOf, onScheduled } = await open('clear_cache');
  await rowOf('a.example');
  await user.click(await dialog.findByRole('radio', { name: 'At a set time' }));
  api.previewBulk.mockResolvedValueOnce(
    counted([item('a.example', { effect: 'clear_cache' }), item('b.example', { effect: 'clear_cache' })]),
  );
  await user.click(dialog.getByRole('button', { name: 'Schedule for 1 domain' }));
  await rowOf('b.example');
  expect(dialog.getByRole('button', { name: 'Schedule for 2 domains' })).toBeTruthy();
  expect(onScheduled).not.toHaveBeenCalled();
});

it('clears caches at a time, where that is chosen', async () => {
  api.previewBulk.mockResolvedValue(counted([item('a.example', { effect: 'clear_cache' })]));
  const { user, dialog, rowOf, onStarted, onScheduled, onOpenChange } = await open('clear_cache');
  await rowOf('a.example');
  await user.click(await dialog.findByRole('radio', { name: 'At a set time' }));
  const fill = async (label: string, text: string) => {
    const field = dialog.getByRole('textbox', { name: label });
    await user.clear(field);
    await user.type(field, text);
  };
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  await fill('Day', '2020-01-01');
  await fill('Time', '03:30');
  expect(dialog.getByText('Choose a time in the future')).toBeTruthy();
  const confirm = dialog.getByRole<HTMLButtonElement>('button', { name: 'Schedule for 1 domain' });
  expect(confirm.disabled).toBe(true);
  await fill('Day', tomorrow);
  const at = `${tomorrow}T03:30:00.000Z`;
  api.runTask.mockResolvedValue({ result: { at, state: 'task_scheduled', batch_id: null } });
  await user.click(confirm);
  await waitFor(() => expect(onScheduled).toHaveBeenCalledOnce());
  const body = {
    ...{ kind: 'clear cache', selection: NAMED, at, digest: 'of what is shown' },
    ...{ clear_kind: 'all', values: [], soft: false },
  };
  expect(api.runTask).toHaveBeenCalledExactlyOnceWith({ body, idempotencyKey: expect.any(String) });
  expect(await screen.findByText(/^Scheduled for .+, 03:30:00$/)).toBeTruthy();
  expect(onOpenChange).toHaveBeenCalledWith(false);
  expect([onStarted, api.bulkRoutes].map((mock) => mock.mock.calls.length)).toEqual([0, 0]);
});

it('says of a group made here that there was no network until there is one again', async () => {
  const one = { id: 'one', name: 'Default', default_group: true, domains: 1 };
  api.listGroups.mockResolvedValue({ results: [one] });
  api.createGroup.mockRejectedValue(new ApiError(0, undefined, undefined, ['Please check your network']));
  api.previewBulk.mockResolvedValue(counted([item('a.example', { effect: 'nothing' })]));
  const { user, dialog } = await open('move_group');
  await user.type(await dialog.findByRole('textbox', { name: 'New group' }), 'Shops{Enter}');
  expect(await dialog.findByText(/^Please check your network/)).toBeTruthy();
  networkReturns();
  expect(dialog.queryByText(/^Please check your network/)).toBeNull();
});
