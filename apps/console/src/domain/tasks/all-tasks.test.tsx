// @vitest-environment happy-dom
import { ApiError, type Task } from '@cordon/contract';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { needCatalogs } from '../../app/intl-store';
import { batchKeys } from '../batches/queries';
import { renderDomains } from '../testing/render-domains';
import { dismissResults } from './dismissed-results';
import { AllTasks } from './scheduled-tasks';

const api = vi.hoisted(() => ({ listTasks: vi.fn(), cancelTask: vi.fn(), getBatch: vi.fn() }));
vi.mock('../../app/api-client', () => ({ api, queryClient: {} }));

const taskOf = (id: number, change: Partial<Task> = {}): Task => ({
  id: `00000000-0000-4000-8000-00000000000${id}`,
  kind: 'clear cache',
  state: 'task_scheduled',
  ...{ clear_kind: 'all', values: [], entries: 0 },
  soft: false,
  domains: 1,
  first_domain: `shop-${id}.example`,
  domain_names: [`shop-${id}.example`],
  at: `2026-12-0${id}T03:30:00.000Z`,
  created_by: 'ann@example.com',
  batch_id: null,
  failed: 0,
  ...change,
});
const resultOf = (id: number, change: Partial<Task> = {}) =>
  taskOf(id, {
    state: 'successful',
    at: new Date(Date.now() - id * 3_600_000).toISOString(),
    batch_id: `batch-${id}`,
    ...change,
  });
beforeEach(async () => {
  window.localStorage.clear();
  for (const mock of Object.values(api)) mock.mockReset();
  await needCatalogs('domain');
});

it('says in one line how many wait and when the next one runs, and lists them', async () => {
  api.listTasks.mockResolvedValue({ results: [taskOf(1), taskOf(2), taskOf(3, { state: 'running' })] });
  await renderDomains(<AllTasks />);
  const line = await screen.findByText('2 tasks scheduled');
  expect(line.closest('summary')?.textContent).toContain('next: Dec 1, 2026, 03:30:00');
  const names = screen.getAllByRole('listitem', { hidden: true }).map((item) => item.textContent);
  expect(names).toEqual([expect.stringContaining('shop-1.example'), expect.stringContaining('shop-2.example')]);
});

it.each([
  ['en', 'Show domains: Clear cache of a.example and 2 other domains', 'Domains of the task', 'and 1 more'],
  ['zh', '显示域名：清除 a.example 及另外 2 个域名的缓存', '任务的域名', '另有 1 个'],
] as const)('shows in %s the domains that a task only counts, where that is asked for', async (...given) => {
  const [locale, show, domains, rest] = given;
  const names = ['a.example', 'b.example'];
  const several = { domains: 3, first_domain: 'a.example', domain_names: names };
  api.listTasks.mockResolvedValue({ results: [taskOf(1, several), taskOf(2)] });
  await renderDomains(<AllTasks />, locale);
  // Of one, its line says it.
  const button = await screen.findByRole('button', { name: new RegExp(`^${show.slice(0, 4)}`), hidden: true });
  expect(button.getAttribute('aria-label')).toBe(show);
  expect(screen.queryByRole('list', { name: domains, hidden: true })).toBeNull();
  await userEvent.setup({ delay: null }).click(button);
  expect(button.getAttribute('aria-expanded')).toBe('true');
  const list = within(screen.getByRole('list', { name: domains, hidden: true }));
  const shown = list.getAllByRole('listitem', { hidden: true }).map(({ textContent }) => textContent);
  expect(shown).toEqual([...names, rest]);
});

it('takes no room where none waits, and keeps the place it is given until that is known', async () => {
  const place = () => screen.getByTestId('here');
  api.listTasks.mockResolvedValue({ results: [] });
  await renderDomains(<AllTasks />);
  await waitFor(() => expect(api.listTasks).toHaveBeenCalled());
  expect(place().children).toHaveLength(0);
  cleanup();
  api.listTasks.mockResolvedValue({ results: [taskOf(1)] });
  await renderDomains(<AllTasks />);
  await screen.findByText('1 task scheduled');
  cleanup();
  api.listTasks.mockReturnValue(new Promise(() => undefined));
  await renderDomains(<AllTasks place={<p>its place</p>} />);
  expect(place().textContent).toBe('its place');
});

it('says that they could not be read, and reads them again where that is asked for', async () => {
  api.listTasks.mockRejectedValue(new ApiError(400, 'BAD_REQUEST', { success: false } as never, []));
  await renderDomains(<AllTasks />);
  const retry = await screen.findByRole('button', { name: 'Retry' });
  screen.getByText('Scheduled tasks could not be loaded');
  api.listTasks.mockResolvedValue({ results: [taskOf(1)] });
  await userEvent.setup({ delay: null }).click(retry);
  expect(await screen.findByText('1 task scheduled')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
});

it('looks for what runs once a task is cancelled too late, and says that it has begun', async () => {
  api.listTasks.mockResolvedValue({ results: [taskOf(1)] });
  api.cancelTask.mockRejectedValue(
    new ApiError(404, 'NOT_FOUND', { success: false, code: 'NOT_FOUND' } as never, ['code.NOT_FOUND']),
  );
  const { client } = await renderDomains(<AllTasks />);
  const invalidate = vi.spyOn(client, 'invalidateQueries');
  const user = userEvent.setup({ delay: null });
  await user.click(await screen.findByText('1 task scheduled'));
  await user.click(screen.getByRole('button', { name: 'Cancel task: Clear cache of shop-1.example', hidden: true }));
  const question = within(await screen.findByRole('alertdialog'));
  await user.click(question.getByRole('button', { name: 'Cancel task' }));
  await waitFor(() => expect(invalidate).toHaveBeenCalledWith({ queryKey: batchKeys.running() }));
});

it('leads the focus to the next task once one is cancelled', async () => {
  api.listTasks.mockResolvedValue({ results: [taskOf(1), taskOf(2)] });
  api.cancelTask.mockResolvedValue({ success: true });
  await renderDomains(<AllTasks />);
  const user = userEvent.setup({ delay: null });
  await user.click(await screen.findByText('2 tasks scheduled'));
  const button = (id: number) =>
    screen.queryByRole('button', { name: `Cancel task: Clear cache of shop-${id}.example`, hidden: true });
  await user.click(button(1) as HTMLElement);
  api.listTasks.mockResolvedValue({ results: [taskOf(2)] });
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Cancel task' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(button(1)).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(button(2)));
});

it('says how scheduled tasks ended: a success for a day, a failure until it is dismissed', async () => {
  const failed = { state: 'failed', failed: 2, domains: 3, at: '2026-11-01T03:30:00.000Z' } as const;
  api.listTasks.mockResolvedValue({ results: [resultOf(1), resultOf(30), resultOf(4, failed)] });
  await renderDomains(<AllTasks />);
  // The line has room for no name of several.
  const line = await screen.findByText('2 results, 1 failed');
  expect(line.closest('summary')?.textContent).toBe('Results2 results, 1 failed');
  const results = within(screen.getByRole('region', { name: 'Results', hidden: true }));
  const names = results.getAllByRole('listitem', { hidden: true }).map((item) => item.textContent);
  expect(names).toEqual([
    expect.stringMatching(/^Clear cache of shop-1.example.*Successful/),
    expect.stringMatching(/^Clear cache of shop-4.example and 2 other domains.*2 failed/),
  ]);
  await userEvent.setup({ delay: null }).click(results.getByRole('button', { name: 'Dismiss results', hidden: true }));
  await waitFor(() => expect(screen.getByTestId('here').children).toHaveLength(0));
  cleanup();
  // It stays so.
  await renderDomains(<AllTasks />);
  await waitFor(() => expect(api.listTasks).toHaveBeenCalledTimes(2));
  expect(screen.getByTestId('here').children).toHaveLength(0);
});

it('says beside how many wait that an outcome is of results', async () => {
  api.listTasks.mockResolvedValue({ results: [taskOf(1), resultOf(2)] });
  await renderDomains(<AllTasks />);
  const line = (await screen.findByText('1 task scheduled')).closest('summary');
  expect(line?.textContent).toMatch(/^1 task scheduled · next: .+ResultsSuccessful$/);
});

it('does not tell a result that stands beside it, nor a batch that runs', async () => {
  api.listTasks.mockResolvedValue({ results: [taskOf(1), resultOf(2), resultOf(3, { state: 'running' })] });
  await renderDomains(<AllTasks shownBatches={['batch-2']} />);
  await screen.findByText('1 task scheduled');
  expect(screen.queryByRole('region', { name: 'Results', hidden: true })).toBeNull();
  expect(screen.getAllByRole('listitem', { hidden: true })).toHaveLength(1);
});

it('shows what became of each domain where that is asked for', async () => {
  api.listTasks.mockResolvedValue({ results: [resultOf(5)] });
  api.getBatch.mockReturnValue(new Promise(() => undefined));
  await renderDomains(<AllTasks />);
  const button = await screen.findByRole('button', {
    name: 'Show details: Clear cache of shop-5.example',
    hidden: true,
  });
  expect(api.getBatch).not.toHaveBeenCalled();
  await userEvent.setup({ delay: null }).click(button);
  await waitFor(() => expect(api.getBatch.mock.calls[0]?.[0]).toMatchObject({ params: { id: 'batch-5' } }));
});

it('leads the focus that goes with dismissed results to the heading of the screen', async () => {
  api.listTasks.mockResolvedValue({ results: [taskOf(1), resultOf(6)] });
  await renderDomains(
    <main>
      <h1 tabIndex={-1}>Domains</h1>
      <AllTasks />
    </main>,
  );
  const user = userEvent.setup({ delay: null });
  await user.click(await screen.findByText('1 task scheduled'));
  await user.click(screen.getByRole('button', { name: 'Dismiss results', hidden: true }));
  expect(screen.queryByRole('button', { name: 'Dismiss results', hidden: true })).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Domains' })));
});

it('keeps dismissed what another window has dismissed meanwhile', async () => {
  const key = 'tasks.dismissed';
  window.localStorage.setItem(key, JSON.stringify(['batch-of-another-window']));
  dismissResults(['batch-of-this-one']);
  const stored: unknown = JSON.parse(window.localStorage.getItem(key) ?? '');
  expect(stored).toEqual(expect.arrayContaining(['batch-of-another-window', 'batch-of-this-one']));
});

it('says on a phone what a task is in a whole line, beside which nothing stands', async () => {
  const media = vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) =>
      ({
        matches: query.includes('max-width'),
        addEventListener() {},
        removeEventListener() {},
      }) as unknown as MediaQueryList,
  );
  onTestFinished(() => media.mockRestore());
  api.listTasks.mockResolvedValue({ results: [taskOf(1)] });
  await renderDomains(<AllTasks />);
  const line = await screen.findByText('Clear cache of shop-1.example', { ignore: 'summary *' });
  expect(line.className).toContain('basis-full');
  expect(line.parentElement?.querySelector('button')).toBeTruthy();
});
