// @vitest-environment happy-dom
import { ApiError, type Batch, type BatchItem } from '@cordon/contract';
import { useQueryClient } from '@tanstack/react-query';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { needCatalogs } from '../../app/intl-store';
import { subscriptionKeys } from '../../app/keys';
import { renderDomains } from '../testing/render-domains';
import BatchPanel from './batch-panel';
import { seedBatch } from './first-items';

const api = vi.hoisted(() => ({
  getBatch: vi.fn(),
  undoBatch: vi.fn(),
  resumeBatch: vi.fn(),
  listBatchItems: vi.fn(),
  exportBatch: vi.fn(),
}));
const live = vi.hoisted(() => {
  const handlers: ((event: unknown) => void)[] = [];
  return {
    handlers,
    emit(event: unknown) {
      for (const handle of [...handlers]) handle(event);
    },
  };
});
vi.mock('../../app/api-client', () => ({ api, queryClient: {} }));
vi.mock('../../app/live-events', () => ({
  useLiveEvents: (_slot: string, handler: typeof live.emit) => void live.handlers.push(handler),
}));

const ID = '0190f3a0-0000-7000-8000-000000000001';
const batch = (change: Partial<Batch> = {}): Batch => ({
  id: ID,
  kind: 'deploy',
  state: 'running',
  total: 40,
  succeeded: 10,
  failed: 0,
  created_by: 'ann@example.com',
  created_at: '2026-11-20T10:00:00.000Z',
  finished_at: null,
  is_undoable: false,
  is_resumable: false,
  undoes: null,
  clear: null,
  scheduled_for: null,
  ...change,
});
const failed = (name: string, error: Partial<BatchItem['error']>): BatchItem => ({
  position: name.length,
  route_id: ID,
  name,
  name_unicode: name,
  state: 'failed',
  error: { code: null, message: 'for users of the API', fields: {}, params: {}, ...error },
  operation_id: null,
  deployed: null,
  row: null,
  result: null,
});
beforeEach(() => {
  for (const mock of Object.values(api)) mock.mockReset();
  live.handlers.length = 0;
  api.listBatchItems.mockResolvedValue({ results: [] });
});

it('has what a plan has left read again as domains are deleted, in the rhythm of their list, and at its end', async () => {
  await needCatalogs('batches');
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const deletion = batch({ kind: 'delete', succeeded: 0, total: 100 });
  api.getBatch.mockResolvedValue({ result: deletion });
  const { client } = await renderDomains(<BatchPanel batchId={ID} />);
  await screen.findByRole('progressbar');
  const read = vi.spyOn(client, 'invalidateQueries');
  const readPlans = () =>
    read.mock.calls.filter(([filters]) => `${filters?.queryKey}` === `${subscriptionKeys.list()}`).length;
  const { undoes: _, ...progress } = deletion;
  for (let succeeded = 1; succeeded < 100; succeeded++) {
    await act(() => live.emit({ id: ID, batch: { ...progress, succeeded } }));
    await act(() => vi.advanceTimersByTimeAsync(30));
  }
  expect(readPlans()).toBeGreaterThan(1);
  expect(readPlans()).toBeLessThan(6);
  await act(() => vi.advanceTimersByTimeAsync(20_000));
  const before = readPlans();
  await act(() => live.emit({ id: ID, batch: { ...progress, state: 'successful', succeeded: 100 } }));
  await act(() => vi.advanceTimersByTimeAsync(100));
  expect(readPlans()).toBeGreaterThan(before);
});

it('shows how far it is, and moves on with the events', async () => {
  await needCatalogs('batches');
  api.getBatch.mockResolvedValue({ result: batch() });
  await renderDomains(<BatchPanel batchId={ID} />);
  const bar = await screen.findByRole('progressbar');
  expect(bar.getAttribute('aria-valuenow')).toBe('10');
  expect(bar.getAttribute('aria-label')).toBe('10 of 40 done');
  expect(screen.getByRole('heading', { name: 'Deploy 40 domains' })).toBeTruthy();
  expect(screen.getByText('30 left')).toBeTruthy();
  const { id, kind, total } = batch();
  act(() =>
    live.emit({ batch: { id, kind, total, state: 'successful', succeeded: 40, failed: 0, is_undoable: false } }),
  );
  expect(await screen.findByText('Successful')).toBeTruthy();
  expect(screen.queryByText('0 left')).toBeNull();
});

it('names the alias that an imported row failed for', async () => {
  await needCatalogs('batches');
  api.getBatch.mockResolvedValue({ result: batch({ kind: 'import', state: 'failed', succeeded: 39, failed: 1 }) });
  api.listBatchItems.mockResolvedValue({
    results: [
      failed('main.example', {
        fields: { 'shadow_domains.1': 'DOMAIN_NAME_YOURS' },
        params: { 'shadow_domains.1': { name: 'shop.example' } },
      }),
    ],
  });
  await renderDomains(<BatchPanel batchId={ID} />);
  expect(await screen.findByText('Alias shop.example: You have already added this name')).toBeTruthy();
});

it('names all that succeeded where it is bare, each leading to its domain, and counts what is not told', async () => {
  await needCatalogs('batches');
  const done = (name: string): BatchItem => ({ ...failed(name, {}), state: 'successful', error: null });
  api.getBatch.mockResolvedValue({
    result: batch({ kind: 'clear_cache', state: 'successful', total: 6, succeeded: 6 }),
  });
  api.listBatchItems.mockResolvedValue({
    results: ['a.example', 'bb.example', 'ccc.example', 'dddd.example']
      .map(done)
      .with(1, { ...done('bb.example'), route_id: null }),
  });
  await renderDomains(<BatchPanel isBare batchId={ID} />);
  const list = within(await screen.findByRole('list', { name: 'What was done' }));
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    ...['a.example', 'bb.example', 'ccc.example', 'dddd.example'],
    'and 2 more',
  ]);
  expect(list.getAllByRole('link')).toHaveLength(3);
});

it('tells what failed by name, in the words of the same call for that domain alone', async () => {
  await needCatalogs('batches');
  api.getBatch.mockResolvedValue({ result: batch({ state: 'failed', succeeded: 37, failed: 3 }) });
  api.listBatchItems.mockResolvedValue({
    results: [
      failed('one.example', { fields: { 'upstreams.targets.0.port': 'PORT_FORBIDDEN' } }),
      failed('second.example', { code: 'DOMAIN_NOT_DEPLOYED' }),
      failed('the-third.example', { code: 'NO_NODE_LIVE' }),
    ],
  });
  await renderDomains(<BatchPanel batchId={ID} />);
  expect(await screen.findByRole('link', { name: 'second.example' })).toBeTruthy();
  expect(screen.getByText('Deploy the domain first.')).toBeTruthy();
  expect(screen.getByText(/^No node could be reached/)).toBeTruthy();
  expect(screen.queryByText(/PORT_FORBIDDEN|for users of the API/)).toBeNull();
  expect(screen.getAllByText('3 failed')).toHaveLength(2);
});

it('says a reason that many have once, below all of their names', async () => {
  await needCatalogs('batches');
  api.getBatch.mockResolvedValue({ result: batch({ state: 'failed', succeeded: 37, failed: 3, is_resumable: true }) });
  api.listBatchItems.mockResolvedValue({
    results: [
      failed('one.example', { code: 'BATCH_STOPPED' }),
      failed('second.example', { code: 'DOMAIN_NOT_DEPLOYED' }),
      failed('the-third.example', { code: 'BATCH_STOPPED' }),
    ],
  });
  await renderDomains(<BatchPanel batchId={ID} />);
  const reason = await screen.findByText('Stopped after several failed attempts. Press Continue to try again.');
  const group = within(reason.closest('li') as HTMLElement);
  expect(group.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    'one.example',
    'the-third.example',
  ]);
  expect(screen.getAllByRole('listitem')).toHaveLength(2);
});

it('that can be undone is undone, and the batch that does it shown in its place', async () => {
  await needCatalogs('batches');
  const onStarted = vi.fn();
  const onDismiss = vi.fn();
  api.getBatch.mockResolvedValue({ result: batch({ kind: 'deactivate', state: 'successful', is_undoable: true }) });
  api.undoBatch.mockResolvedValue({ result: batch({ id: 'other', kind: 'resume' }) });
  await renderDomains(<BatchPanel batchId={ID} onDismiss={onDismiss} onStarted={onStarted} />);
  await userEvent.setup().click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(onStarted).toHaveBeenCalledWith('other'));
  expect(api.undoBatch).toHaveBeenCalledWith({ params: { id: ID } });
  expect(onDismiss).toHaveBeenCalledOnce();
});

it.each([
  ['undo', 'Undo', 'This was not undonePlease check your network'],
  ['resume', 'Continue', 'This was not continuedPlease check your network'],
] as const)('says beside it that it could not %s, until that is tried again', async (action, name, text) => {
  await needCatalogs('batches');
  const onStarted = vi.fn();
  const ended = batch({ kind: 'deactivate', state: 'failed', succeeded: 38, failed: 2 });
  api.getBatch.mockResolvedValue({
    result: { ...ended, is_undoable: action === 'undo', is_resumable: action === 'resume' },
  });
  const call = api[`${action}Batch`];
  call.mockRejectedValueOnce(new ApiError(0, undefined, undefined, ['Request error']));
  await renderDomains(<BatchPanel batchId={ID} onStarted={onStarted} />);
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name }));
  expect((await screen.findByRole('alert')).textContent).toContain(text);
  call.mockResolvedValue({ result: batch({ succeeded: 38 }) });
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  expect(call.mock.calls).toEqual([[{ params: { id: ID } }], [{ params: { id: ID } }]]);
});

it('offers no Undo any more once another window has undone it', async () => {
  await needCatalogs('batches');
  const off = batch({ kind: 'deactivate', state: 'successful', succeeded: 40, is_undoable: true });
  api.getBatch.mockResolvedValue({ result: off });
  await renderDomains(<BatchPanel batchId={ID} onStarted={vi.fn()} />);
  await screen.findByRole('button', { name: 'Undo' });
  act(() => live.emit({ batch: { ...off, is_undoable: false } }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull());
});

it('that undoes another says that the rest is as it was, and why', async () => {
  await needCatalogs('batches');
  api.getBatch.mockResolvedValue({
    result: batch({ kind: 'resume', state: 'failed', succeeded: 38, failed: 2, undoes: 'before' }),
  });
  api.listBatchItems.mockResolvedValue({ results: [failed('one.example', { code: 'CHANGED_SINCE' })] });
  await renderDomains(<BatchPanel batchId={ID} onStarted={vi.fn()} />);
  expect(await screen.findByText('2 domains were not undone. The reasons are below.')).toBeTruthy();
  expect(await screen.findByText('Changed in the meantime, so left as it is.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

function answerInVain(undone: Partial<Batch>) {
  const inVain = batch({ kind: 'resume', state: 'failed', succeeded: 0, failed: 40, undoes: 'before' });
  const before = batch({ id: 'before', kind: 'deactivate', state: 'successful', succeeded: 40, ...undone });
  api.getBatch.mockImplementation(async ({ params }) => ({ result: params.id === 'before' ? before : inVain }));
  api.listBatchItems.mockResolvedValue({ results: [failed('one.example', { code: 'CHANGED_SINCE' })] });
}

it('that undid nothing offers no Undo where the domains were changed since', async () => {
  await needCatalogs('batches');
  answerInVain({ is_undoable: false });
  await renderDomains(<BatchPanel batchId={ID} onStarted={vi.fn()} />);
  expect(await screen.findByText('Changed in the meantime, so left as it is.')).toBeTruthy();
  await waitFor(() => expect(api.getBatch).toHaveBeenCalledTimes(2));
  expect(screen.getByText(/^Nothing was undone, and nothing can be/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

it('offers no Undo any more once a change of its domains has made it vain', async () => {
  await needCatalogs('batches');
  const off = batch({ kind: 'deactivate', state: 'successful', succeeded: 40, is_undoable: true });
  api.getBatch.mockResolvedValueOnce({ result: off });
  api.getBatch.mockResolvedValue({ result: { ...off, is_undoable: false } });
  await renderDomains(<BatchPanel batchId={ID} onStarted={vi.fn()} />);
  await screen.findByRole('button', { name: 'Undo' });
  act(() => live.emit({}));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull(), { timeout: 3000 });
});

it('that undid nothing can be tried again: what it undoes is undone', async () => {
  await needCatalogs('batches');
  const onStarted = vi.fn();
  answerInVain({ is_undoable: true });
  api.undoBatch.mockResolvedValue({ result: batch({ id: 'other', kind: 'resume' }) });
  await renderDomains(<BatchPanel batchId={ID} onStarted={onStarted} />);
  expect(await screen.findByRole('heading', { name: 'Undo: bring 40 domains back' })).toBeTruthy();
  await userEvent.setup().click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(onStarted).toHaveBeenCalledWith('other'));
  expect(api.undoBatch).toHaveBeenCalledWith({ params: { id: 'before' } });
  expect(screen.getByText(/^Nothing was undone/)).toBeTruthy();
});

it.each([
  ['en', 'Continue'],
  ['zh', '继续执行'],
] as const)('that was given up is resumed in its place, in %s', async (locale, name) => {
  await needCatalogs('batches');
  api.getBatch.mockResolvedValue({ result: batch({ state: 'failed', succeeded: 38, failed: 2, is_resumable: true }) });
  api.resumeBatch.mockResolvedValue({ result: batch({ succeeded: 38 }) });
  await renderDomains(<BatchPanel batchId={ID} />, locale);
  await userEvent.setup().click(await screen.findByRole('button', { name }));
  await waitFor(() => expect(screen.queryByRole('button', { name })).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 2 }));
  expect(api.resumeBatch).toHaveBeenCalledWith({ params: { id: ID } });
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('38');
});

it('names what succeeded where it is asked to, with the version that is live', async () => {
  await needCatalogs('batches');
  const done = (position: number, change: Partial<BatchItem>): BatchItem => ({
    ...failed(`d${position}.example`, {}),
    position,
    state: 'successful',
    error: null,
    ...change,
  });
  api.getBatch.mockResolvedValue({
    result: batch({ kind: 'apply-rule', state: 'successful', total: 12, succeeded: 12 }),
  });
  api.listBatchItems.mockResolvedValue({
    results: [
      done(1, { deployed: { version: 2, live_ms: 74.4 }, result: { changed: true, deployed: true } }),
      done(2, { result: { changed: true, deployed: false } }),
      done(3, { result: { changed: false, deployed: false } }),
    ],
  });
  await renderDomains(<BatchPanel named batchId={ID} />);
  const list = await screen.findByRole('list', { name: 'What was done' });
  expect(
    within(list)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent?.replace('\u00a0', ' ')),
  ).toEqual(['d1.examplev2 · 74 msLive', 'd2.exampleNot live', 'd3.exampleUnchanged']);
  expect(within(list).getByRole('link', { name: 'd1.example' })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Show 9 more' }));
  await waitFor(() =>
    expect(api.listBatchItems.mock.lastCall?.[0]).toMatchObject({ query: { state: 'successful', perpage: 100 } }),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Review and deploy' }));
  await waitFor(() => expect(screen.queryByRole('list')).toBeNull());
});

it('names domains as people read them', async () => {
  api.getBatch.mockResolvedValue({ result: batch({ state: 'successful', total: 1, succeeded: 1 }) });
  const item = { ...failed('xn--fiq228c.example', {}), name_unicode: '中文.example', state: 'successful', error: null };
  api.listBatchItems.mockResolvedValue({ results: [item] });
  await renderDomains(<BatchPanel batchId={ID} />);
  expect(await screen.findByRole('link', { name: '中文.example' })).toBeTruthy();
});

it('leads to no domain that it has deleted', async () => {
  await needCatalogs('batches');
  api.getBatch.mockResolvedValue({
    result: batch({ kind: 'delete', state: 'failed', total: 2, succeeded: 1, failed: 1 }),
  });
  const kept = failed('kept.example', { code: 'NO_NODE_LIVE' });
  const gone: BatchItem = { ...failed('gone.example', {}), state: 'successful', error: null };
  api.listBatchItems.mockImplementation(async ({ query }) => ({ results: [query.state === 'failed' ? kept : gone] }));
  await renderDomains(<BatchPanel named batchId={ID} />);
  await screen.findByText('gone.example');
  expect((await screen.findAllByRole('link')).map(({ textContent }) => textContent)).toEqual(['kept.example']);
});

it('counts what its rows show as done, and shows as done what it counts', async () => {
  await needCatalogs('batches');
  const running = batch({ kind: 'import', total: 2, succeeded: 0 });
  const item = (position: number, state: BatchItem['state']) => ({
    ...failed(`d${position}.example`, {}),
    position,
    state,
    error: null,
  });
  api.getBatch.mockResolvedValueOnce({ result: running });
  // Done between the two readings.
  api.getBatch.mockResolvedValue({ result: { ...running, succeeded: 1 } });
  api.listBatchItems.mockResolvedValue({ results: [item(1, 'successful'), item(2, 'running')] });
  await renderDomains(<BatchPanel named batchId={ID} />);
  expect(await screen.findByText('d1.example')).toBeTruthy();
  expect(screen.getByText('1 successful')).toBeTruthy();
  api.listBatchItems.mockResolvedValue({ results: [item(1, 'successful'), item(2, 'failed')] });
  const { id, kind, total } = running;
  act(() => live.emit({ batch: { id, kind, total, state: 'running', succeeded: 1, failed: 1, is_undoable: false } }));
  expect(await within(screen.getByRole('list')).findByText('Failed', {}, { timeout: 900 })).toBeTruthy();
});

function Started() {
  const client = useQueryClient();
  useState(() => seedBatch(client, batch({ kind: 'import', total: 2, succeeded: 0 }), ['a.example', '中文.example']));
  return <BatchPanel named batchId={ID} />;
}

it('names the rows of what was just started before the first answer', async () => {
  await needCatalogs('batches');
  api.getBatch.mockReturnValue(new Promise(() => {}));
  api.listBatchItems.mockReturnValue(new Promise(() => {}));
  await renderDomains(<Started />);
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'a.exampleWaiting',
    '中文.exampleWaiting',
  ]);
  await waitFor(() => expect(api.listBatchItems).toHaveBeenCalledOnce());
});

it('keeps a line for each row until the rows are there', async () => {
  await needCatalogs('batches');
  api.getBatch.mockResolvedValue({ result: batch({ kind: 'import', total: 4, succeeded: 0 }) });
  api.listBatchItems.mockReturnValue(new Promise(() => {}));
  await renderDomains(<BatchPanel named batchId={ID} />);
  await screen.findByRole('progressbar');
  expect(document.querySelectorAll('[data-waiting-row]')).toHaveLength(4);
});

it.each([
  ['en', { kind: 'apply-rule', total: 5, succeeded: 5 }, 'Template applied to 5 domains'],
  ['en', { kind: 'import' }, '40 domains imported'],
  ['en', { kind: 'deploy', state: 'failed', succeeded: 38, failed: 2 }, '38 of 40 domains deployed'],
  ['en', { kind: 'deploy', state: 'failed', succeeded: 0, failed: 40 }, 'Deploy 40 domains'],
  ['en', { kind: 'resume', undoes: 'before', total: 1, succeeded: 1 }, 'Undone: 1 domain brought back'],
  ['en', { kind: 'of later', total: 1, succeeded: 1 }, '1 domain changed'],
  ['zh', { kind: 'apply-rule', total: 5, succeeded: 5 }, '已将模板应用到 5 个域名'],
  ['zh', { kind: 'import' }, '已导入 40 个域名'],
  ['zh', { kind: 'deploy', state: 'failed', succeeded: 38, failed: 2 }, '已部署 38 个域名（共 40 个）'],
] as const)('tells in %s what was done, not what was to do: %j', async (locale, change, title) => {
  await needCatalogs('batches');
  api.getBatch.mockResolvedValue({
    result: batch({ state: 'successful', succeeded: 40, ...change } as Partial<Batch>),
  });
  await renderDomains(<BatchPanel batchId={ID} />, locale);
  expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
});

it.each([
  ['successful', [[ID]]],
  ['failed', []],
  ['running', []],
] as const)('says that it has succeeded, once it has: %s', async (state, calls) => {
  await needCatalogs('batches');
  const onSucceeded = vi.fn();
  api.getBatch.mockResolvedValue({ result: batch({ state }) });
  await renderDomains(<BatchPanel batchId={ID} onSucceeded={onSucceeded} />);
  await screen.findByRole('heading', { level: 2 });
  expect(onSucceeded.mock.calls).toEqual(calls);
});

it.each([
  ['en', 'a.example, b.example, c.example', 'and 37 more'],
  ['zh', 'a.example、b.example、c.example', '另有 37 个'],
] as const)(
  'names in %s the first domains where there is a line for them, once it has ended, and leads to no deploy of what is live',
  async (locale, line, more) => {
    api.getBatch.mockResolvedValue({ result: batch({ state: 'successful', succeeded: 40 }) });
    const names = ['a.example', 'b.example', 'c.example', 'd.example'];
    api.listBatchItems.mockResolvedValue({
      results: names.map((name, position) => ({ ...failed(name, {}), position, state: 'successful', error: null })),
    });
    await renderDomains(<BatchPanel batchId={ID} />, locale);
    const links = await screen.findAllByRole('link');
    expect(links.map(({ textContent }) => textContent)).toEqual(['a.example', 'b.example', 'c.example']);
    expect(screen.getByTitle(line).textContent).toBe(line);
    expect(screen.getByText(more)).toBeTruthy();
  },
);

it.each([
  [{ kind: 'all', values: [], entries: 0, soft: false }, 'Cache cleared: 3 domains'],
  [
    { kind: 'all', values: [], entries: 0, soft: true },
    'Cache cleared: 3 domains · Everything (served while refreshed)',
  ],
  [
    { kind: 'prefixes', values: ['/a', '/b', '/c'], entries: 12, soft: false },
    'Cache cleared: 3 domains · Prefixes: /a, /b, and 10 more',
  ],
] as const)('names what one clears of caches: %j', async (clear, title) => {
  await needCatalogs('batches');
  const ended = { state: 'successful', total: 3, succeeded: 3, finished_at: '2026-11-20T10:00:01.000Z' } as const;
  api.getBatch.mockResolvedValue({
    result: batch({ kind: 'clear_cache', ...ended, clear: { ...clear, values: [...clear.values] } }),
  });
  await renderDomains(<BatchPanel batchId={ID} />);
  expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
});
