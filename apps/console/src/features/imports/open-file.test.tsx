// @vitest-environment happy-dom
import { ApiError } from '@cordon/contract';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { needCatalogs } from '../../app/intl-store';
import { renderDomains } from '../../domain/testing/render-domains';
import { sampleSubscription } from '../../domain/testing/sample-route';
import { OpenFileView } from './open-file';
import { EMPTY_CELLS_ID } from './problem-lines';
import type { ImportTableHandle } from './use-import-table';
import type { RemoteCheck } from './use-remote-check';

vi.mock('./preview', () => ({ Preview: () => <p>rows</p> }));
const api = vi.hoisted(() => ({ createGroup: vi.fn() }));
vi.mock('../../app/api-client', () => ({ api, queryClient: {} }));

const table = {
  close: vi.fn(),
  removeBad: vi.fn(),
  fillEmpty: vi.fn(),
  splitUrls: vi.fn(),
} as unknown as ImportTableHandle;

interface FileProps {
  total: number;
  bad: number;
  fillable: number;
  urls: number;
  missingGroups?: string[];
  check?: Partial<RemoteCheck>;
  isMended?: boolean;
  startError?: unknown;
}
const retry = vi.fn();

function File({ total, bad, fillable, urls, missingGroups = [], check, isMended = false, startError }: FileProps) {
  const [rows, setRows] = useState({ bad, fillable, urls });
  const mended = () => setRows({ bad: 0, fillable: 0, urls: 0 });
  for (const press of ['splitUrls', 'removeBad', 'fillEmpty'] as const)
    vi.mocked(table[press]).mockImplementation(async () => mended());
  const summary = {
    total,
    ...rows,
    removed: 0,
    missingGroups,
    isStatusAssumed: false,
    columns: [],
    unknownHeaders: [],
  };
  return (
    <OpenFileView
      table={table}
      file={{ name: 'domains.csv', bytes: undefined, encoding: undefined, summary, revision: 1, edition: 1, isMended }}
      check={{ isDone: true, error: undefined, names: undefined, turn: 1, retry, ...check }}
      subscriptions={[sampleSubscription()]}
      cname={sampleSubscription().cname}
      onSubscriptionChange={vi.fn()}
      isStarting={false}
      startError={startError}
      onStart={vi.fn()}
    />
  );
}

async function open(total: number, bad: number, fillable = 0, urls = 0) {
  await needCatalogs('imports');
  await renderDomains(<File total={total} bad={bad} fillable={fillable} urls={urls} />);
}

it.each([
  [4, 4, 'Import 0 domains', true],
  [4, 3, 'Import 1 domain', true],
  [4, 0, 'Import 4 domains', false],
])('of %i rows with %i wrong ones the button says "%s"', async (total, bad, name, isDisabled) => {
  await open(total, bad);
  expect(screen.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(isDisabled);
});

it('says once that cells are empty, beside the press that fills them', async () => {
  await open(8, 8, 20);
  const words = screen.getByText('20 cells are empty. A row needs all of its cells: - stands for none.');
  // The cells are described by it.
  expect(words.id).toBe(EMPTY_CELLS_ID);
  await userEvent.setup().click(screen.getByRole('button', { name: 'Enter - in 20 cells' }));
  expect(table.fillEmpty).toHaveBeenCalledOnce();
});

it.each(['Split the URLs in 2 rows', 'Enter - in 3 cells', 'Remove 2 rows with errors'])(
  'leads the focus to how the rows stand once "%s" is gone with what it mended',
  async (name) => {
    await open(4, 2, 3, 2);
    await userEvent.setup().click(screen.getByRole('button', { name }));
    await waitFor(() => expect(screen.queryByRole('button', { name })).toBeNull());
    await waitFor(() => expect(document.activeElement?.textContent).toBe('All 4 rows are ready'));
  },
);

async function openWith(more: Partial<FileProps>, locale: 'en' | 'zh' = 'en') {
  await needCatalogs('imports', 'domain');
  await renderDomains(<File total={3} bad={0} fillable={0} urls={0} {...more} />, locale);
}

it('makes the groups that are missing by one press, then has the rows checked again', async () => {
  retry.mockReset();
  api.createGroup.mockResolvedValue({ result: { id: 'g' } });
  await openWith({ bad: 2, missingGroups: ['North', 'South'] });
  screen.getByText('There are no groups “North” and “South” yet.');
  await userEvent.setup().click(screen.getByRole('button', { name: 'Create 2 groups' }));
  await waitFor(() => expect(retry).toHaveBeenCalledTimes(1));
  expect(api.createGroup.mock.calls.map(([{ body }]) => body.name)).toEqual(['North', 'South']);
});

const nameRefused = (name: string) =>
  new ApiError(422, 'VALIDATION_FAILED', { success: false, message: 'm', request_id: 'r', name }, [`name.${name}`]);

it('makes those that can be made where one cannot', async () => {
  retry.mockReset();
  api.createGroup.mockReset();
  api.createGroup.mockRejectedValueOnce(nameRefused('GROUP_NAME_TAKEN'));
  api.createGroup.mockResolvedValueOnce({ result: { id: 'g' } });
  await openWith({ bad: 2, missingGroups: ['North', 'South'] });
  await userEvent.setup().click(screen.getByRole('button', { name: 'Create 2 groups' }));
  expect((await screen.findByRole('alert')).textContent).toContain('You already have a group with this name');
  expect(api.createGroup.mock.calls.map(([{ body }]) => body.name)).toEqual(['North', 'South']);
  expect(retry).toHaveBeenCalledTimes(1);
});

it('says of each group that was not made why', async () => {
  api.createGroup.mockReset();
  api.createGroup.mockRejectedValueOnce(nameRefused('GROUP_NAME_TAKEN'));
  api.createGroup.mockRejectedValue(new ApiError(409, 'GROUPS_FULL', undefined, ['code.GROUPS_FULL']));
  await openWith({ bad: 3, missingGroups: ['North', 'South', 'West'] });
  await userEvent.setup().click(screen.getByRole('button', { name: 'Create 3 groups' }));
  const told = [...(await screen.findByRole('alert')).querySelectorAll('li')].map(({ textContent }) => textContent);
  // Once there is no room for groups, no more are asked for.
  expect(api.createGroup).toHaveBeenCalledTimes(2);
  expect(told).toEqual([
    '“North”: You already have a group with this name',
    '“South” and “West”: Group limit reached. Delete one you no longer use.',
  ]);
});

it('makes no more groups once the rows are left, and names ten of very many', async () => {
  api.createGroup.mockReset();
  let made: (answer: unknown) => void = () => undefined;
  api.createGroup.mockImplementation(() => new Promise((resolve) => (made = resolve)));
  await needCatalogs('imports', 'domain');
  const names = Array.from({ length: 700 }, (_, index) => `g${index}`);
  await renderDomains(<File total={700} bad={700} fillable={0} urls={0} missingGroups={names} />);
  expect(screen.getByText(/^There are no groups/).textContent).toBe(
    'There are no groups “g0”, “g1”, “g2”, “g3”, “g4”, “g5”, “g6”, “g7”, “g8”, “g9”, and 690 others yet.',
  );
  await userEvent.setup().click(screen.getByRole('button', { name: 'Create 700 groups' }));
  await waitFor(() => expect(api.createGroup).toHaveBeenCalledTimes(1));
  cleanup();
  await act(async () => made({ result: { id: 'g' } }));
  expect(api.createGroup).toHaveBeenCalledTimes(1);
});

it('says why a group was not made', async () => {
  api.createGroup.mockRejectedValue(new ApiError(0, undefined, undefined, ['Request error']));
  await openWith({ bad: 1, missingGroups: ['North'] });
  await userEvent.setup().click(screen.getByRole('button', { name: 'Create the group' }));
  expect((await screen.findByRole('alert')).textContent).toContain('network');
});

it.each([
  ['en', '3 names too many. Remove rows, or get a larger plan.', '46 names needed, 43 left'],
  ['zh', '超出 3 个域名额度，请移除部分行，或升级套餐。', '需要 46 个域名额度，剩余 43 个'],
] as const)('says in %s how many names are too many', async (locale, words, numbers) => {
  await openWith({ check: { names: { needed: 46, left: 43 } } }, locale);
  screen.getByText(words);
  expect(screen.getByText(numbers).className).toContain('text-danger');
});

it('says that nothing answers, with a way on, once that takes long', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  retry.mockReset();
  await openWith({ check: { isDone: false } });
  expect(screen.queryByRole('button', { name: 'Check again' })).toBeNull();
  await act(async () => vi.advanceTimersByTime(10_000));
  screen.getByText(/^Nothing has answered for a while/);
  screen.getByRole('button', { name: 'Check again' }).click();
  expect(retry).toHaveBeenCalled();
  vi.useRealTimers();
});

it('asks before another file takes the place of rows that were mended, and of no others', async () => {
  const user = userEvent.setup({ delay: null });
  await openWith({ isMended: true });
  await user.click(screen.getByRole('button', { name: 'Another file' }));
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }));
  expect(table.close).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Another file' }));
  await user.click(await screen.findByRole('button', { name: 'Discard changes' }));
  await waitFor(() => expect(table.close).toHaveBeenCalledOnce());
  cleanup();
  await openWith({});
  await user.click(screen.getByRole('button', { name: 'Another file' }));
  expect(table.close).toHaveBeenCalledTimes(2);
});

it('holds the rows where the answer of the start was lost, so that it is tried again with the same', async () => {
  const lost = new ApiError(0, undefined, undefined, ['Please check your network']);
  await openWith({ startError: lost });
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Please check your network');
  expect(alert.textContent).toContain('Whether the import was started is not known.');
  expect(screen.getByText('rows').closest('[inert]')).not.toBeNull();
  expect(screen.getByRole('button', { name: 'Another file' }).hasAttribute('disabled')).toBe(true);
  expect(screen.getByRole('button', { name: 'Import 3 domains' }).hasAttribute('disabled')).toBe(false);
  cleanup();
  const full = { success: false, code: 'QUOTA_REACHED', message: '', request_id: 'r' } as const;
  await openWith({ startError: new ApiError(422, full.code, full, []) });
  expect((await screen.findByRole('alert')).textContent).not.toContain('Whether');
  expect(screen.getByText('rows').closest('[inert]')).toBeNull();
});
