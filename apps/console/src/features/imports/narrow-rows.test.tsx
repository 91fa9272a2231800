// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { needCatalogs } from '../../app/intl-store';
import { renderDomains } from '../../domain/testing/render-domains';
import { readFile } from './file/read-file';
import { Preview } from './preview';
import { readTable } from './read-table';
import { type TableQuery, TableState } from './table-state';
import type { ImportTableHandle, OpenFile } from './use-import-table';

vi.mock('../../app/api-client', () => ({ api: {}, queryClient: {} }));
vi.mock('./queries', () => ({
  importRowsOptions: (table: { state: TableState }, _file: unknown, query: TableQuery) => ({
    queryKey: ['rows', query],
    queryFn: () => table.state.view(query),
  }),
}));
afterEach(() => vi.unstubAllGlobals());

const TEXT =
  'domain_name,protocol,upstreams,status\nwww.right.example,http,198.41.128.7,running\nwrong,http,198.41.128.7,running';

async function open(windowPx: number) {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: windowPx <= Number(/max-width: ([\d.]+)px/.exec(query)?.[1]),
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
  }));
  await needCatalogs('imports');
  const state = new TableState(readTable(readFile(new TextEncoder().encode(TEXT))));
  const table = { state, edit: vi.fn(), remove: vi.fn() } as unknown as ImportTableHandle;
  const file = { name: 'a.csv', summary: state.summary, revision: 1, edition: 1 } as OpenFile;
  await renderDomains(<Preview table={table} file={file} />);
  await screen.findByLabelText('Domain name, row 3');
}
const showAll = () => userEvent.setup().click(screen.getByRole('radio', { name: 'All (2)' }));
const cell = (row: number) => screen.queryByLabelText(`Status, row ${row}`);

it.each([390, 1000, 1279])(
  'gives a valid row a line in a window of %i px, with its cells behind a press',
  async (windowPx) => {
    await open(windowPx);
    await showAll();
    expect(cell(2)).toBeNull();
    const line = await screen.findByRole('button', { name: /www\. ?right\. ?example 198\.41\.128\.7/ });
    await userEvent.setup().click(line);
    expect(line.getAttribute('aria-expanded')).toBe('true');
    expect(cell(2)).toBeTruthy();
  },
);

it('shows there the cells that are wrong at once, the others of their row behind a press', async () => {
  await open(1000);
  expect(screen.getByLabelText('Domain name, row 3')).toBeTruthy();
  expect(cell(3)).toBeNull();
  await userEvent.setup().click(screen.getByRole('button', { name: / 3 *$/, expanded: false }));
  expect(cell(3)).toBeTruthy();
});

it('shows all cells where there is room for columns', async () => {
  await open(1280);
  await showAll();
  expect(await screen.findByLabelText('Status, row 2')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /www\. ?right\. ?example/ })).toBeNull();
});

it('begins with the rows that have to be mended', async () => {
  await open(1280);
  expect(cell(2)).toBeNull();
  expect((screen.getByRole('radio', { name: 'Only errors (1)' }) as HTMLInputElement).checked).toBe(true);
});
