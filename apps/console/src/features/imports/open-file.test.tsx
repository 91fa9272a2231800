// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { needCatalogs } from '../../app/intl-store';
import { renderDomains } from '../../domain/testing/render-domains';
import { sampleSubscription } from '../../domain/testing/sample-route';
import { OpenFileView } from './open-file';
import { EMPTY_CELLS_ID } from './problem-lines';
import type { ImportTableHandle } from './use-import-table';

vi.mock('./preview', () => ({ Preview: () => null }));

const table = {
  close: vi.fn(),
  removeBad: vi.fn(),
  fillEmpty: vi.fn(),
  splitUrls: vi.fn(),
} as unknown as ImportTableHandle;

function File({ total, bad, fillable, urls }: { total: number; bad: number; fillable: number; urls: number }) {
  const [rows, setRows] = useState({ bad, fillable, urls });
  const mended = () => setRows({ bad: 0, fillable: 0, urls: 0 });
  for (const press of ['splitUrls', 'removeBad', 'fillEmpty'] as const)
    vi.mocked(table[press]).mockImplementation(async () => mended());
  const summary = {
    total,
    ...rows,
    removed: 0,
    isStatusAssumed: false,
    columns: [],
    unknownHeaders: [],
  };
  return (
    <OpenFileView
      table={table}
      file={{ name: 'domains.csv', bytes: undefined, encoding: undefined, summary, revision: 1, edition: 1 }}
      check={{ isDone: true, error: undefined, names: undefined, retry: vi.fn() }}
      subscriptions={[sampleSubscription()]}
      cname={sampleSubscription().cname}
      onSubscriptionChange={vi.fn()}
      isStarting={false}
      startError={undefined}
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
