// @vitest-environment happy-dom
import { act, cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { expect, test, vi } from 'vitest';
import { renderWithWords } from '../testing/render-with-words';
import { DataTable } from './data-table';
import type { DataTableColumn, DataTableProps } from './data-table-types';

interface Row {
  id: string;
  name: string;
}
const rows: Row[] = ['a', 'b', 'c'].map((id) => ({ id, name: `${id}.example.com` }));
const columns: DataTableColumn<Row>[] = [
  { id: 'name', header: 'Domain', sortable: true, card: 'title', cell: (row) => row.name },
];

function table(props: Partial<DataTableProps<Row>> = {}) {
  const all: DataTableProps<Row> = {
    label: 'Domains',
    columns,
    rows,
    rowKey: (row) => row.id,
    rowLabel: (row) => row.name,
    page: 1,
    perPage: 10,
    count: 23,
    onPageChange: () => {},
    empty: <p>Add your first domain</p>,
    ...props,
  };
  return <DataTable {...all} />;
}

/** Rows that the test sets from outside React. */
function GivenRows({ given }: { given: { set: (rows: Row[]) => void } }) {
  const [own, setOwn] = useState<Row[]>();
  given.set = setOwn;
  return table({ rows: own });
}
const rowOf = (name: string) => screen.getByText(name).closest('tr') as HTMLElement;

test('the first rows come after the skeleton, in turns with what else the page does; later ones at once', async () => {
  const given: { set: (rows: Row[]) => void } = { set: () => {} };
  renderWithWords(<GivenRows given={given} />);
  // As in a browser, where nothing waits for what is drawn in turns.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  flushSync(() => given.set(rows));
  expect(screen.queryByText('a.example.com')).toBeNull();
  await vi.waitFor(() => screen.getByText('a.example.com'));
  flushSync(() => given.set([{ id: 'd', name: 'd.example.com' }]));
  expect(screen.queryByText('d.example.com')).not.toBeNull();
  vi.unstubAllGlobals();
});

test('an empty list takes no turn: what is above the skeleton would go before it does', async () => {
  const given: { set: (rows: Row[]) => void } = { set: () => {} };
  renderWithWords(<GivenRows given={given} />);
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  flushSync(() => given.set([]));
  expect(screen.queryByRole('table')).toBeNull();
  vi.unstubAllGlobals();
});

test('an empty list is another element than its skeleton, which would be seen to move where the tools above it go', () => {
  const { rerender } = renderWithWords(table({ rows: undefined, search: '', onSearchChange: () => {} }));
  const place = screen.getByRole('table').parentElement;
  expect(place?.isConnected).toBe(true);
  rerender(table({ rows: [], count: 0 }));
  expect(screen.getByText('Add your first domain')).toBeTruthy();
  expect(place?.isConnected).toBe(false);
});

test('a skeleton is as high as what comes: a list that was empty, and buttons in cards', () => {
  window.localStorage.setItem('list-sizes', JSON.stringify({ Domains: 0 }));
  const { rerender } = renderWithWords(table({ rows: undefined, emptyRows: 1 }));
  const lines = () => document.querySelectorAll('tbody > tr');
  expect(lines()).toHaveLength(1);
  rerender(table({ rows: undefined, rowActions: () => 'Unban', hasRowButtons: true }));
  expect(lines()).toHaveLength(5);
  expect(lines()[0]?.lastElementChild?.firstElementChild?.className).toContain('touch:h-10');
  rerender(table({ rowActions: () => 'Unban', hasRowButtons: true }));
  expect(screen.getAllByText('Unban')[0]?.className).not.toContain('-my-');
});

test('a header sorts ascending first, then the other way', async () => {
  const onSortChange = vi.fn();
  const { rerender } = renderWithWords(table({ onSortChange }));
  await userEvent.click(screen.getByRole('button', { name: 'Domain' }));
  expect(onSortChange).toHaveBeenLastCalledWith({ id: 'name', direction: 'ascending' });
  rerender(table({ onSortChange, sort: { id: 'name', direction: 'ascending' } }));
  expect(screen.getByRole('columnheader', { name: 'Domain' }).getAttribute('aria-sort')).toBe('ascending');
  await userEvent.click(screen.getByRole('button', { name: 'Domain' }));
  expect(onSortChange).toHaveBeenLastCalledWith({ id: 'name', direction: 'descending' });
});

test('a header of numbers sorts descending first, then the other way', async () => {
  const onSortChange = vi.fn();
  const numbers: DataTableColumn<Row>[] = [
    { id: 'size', header: 'Size', sortable: 'descending', cell: (row) => row.id },
  ];
  const { rerender } = renderWithWords(table({ columns: numbers, onSortChange }));
  // By the keyboard, as by a press.
  screen.getByRole('button', { name: 'Size' }).focus();
  await userEvent.keyboard('{Enter}');
  expect(onSortChange).toHaveBeenLastCalledWith({ id: 'size', direction: 'descending' });
  rerender(table({ columns: numbers, onSortChange, sort: { id: 'size', direction: 'descending' } }));
  expect(screen.getByRole('columnheader', { name: 'Size' }).getAttribute('aria-sort')).toBe('descending');
  await userEvent.keyboard(' ');
  expect(onSortChange).toHaveBeenLastCalledWith({ id: 'size', direction: 'ascending' });
});

test('a phone sorts by a menu: each column once, and the other way by a switch', async () => {
  const onSortChange = vi.fn();
  const numbers: DataTableColumn<Row> = {
    id: 'size',
    header: 'Size',
    sortable: 'descending',
    cell: (row) => row.id,
  };
  const sorted = (direction: 'ascending' | 'descending') =>
    table({ columns: [...columns, numbers], onSortChange, sort: { id: 'name', direction } });
  const { rerender } = renderWithWords(sorted('ascending'));
  const choose = async (role: string, name: string) => {
    await userEvent.click(screen.getByRole('button', { name: 'Sort' }));
    const item = await screen.findByRole(role, { name });
    const wasChecked = item.getAttribute('aria-checked');
    await userEvent.click(item);
    await userEvent.keyboard('{Escape}');
    return wasChecked;
  };
  expect(await choose('menuitemradio', 'Size')).toBe('false');
  expect(onSortChange).toHaveBeenLastCalledWith({ id: 'size', direction: 'descending' });
  expect(await choose('menuitemradio', 'Domain')).toBe('true');
  expect(onSortChange).toHaveBeenLastCalledWith({ id: 'name', direction: 'ascending' });
  expect(await choose('menuitemcheckbox', 'Descending')).toBe('false');
  expect(onSortChange).toHaveBeenLastCalledWith({ id: 'name', direction: 'descending' });
  rerender(sorted('descending'));
  expect(await choose('menuitemcheckbox', 'Descending')).toBe('true');
  expect(onSortChange).toHaveBeenLastCalledWith({ id: 'name', direction: 'ascending' });
});

test('arrows walk the rows, Enter opens', async () => {
  const onRowOpen = vi.fn();
  renderWithWords(table({ onRowOpen }));
  rowOf('a.example.com').focus();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  expect(document.activeElement).toBe(rowOf('c.example.com'));
  await userEvent.keyboard('{ArrowDown}{Home}{Enter}');
  expect(onRowOpen).toHaveBeenCalledExactlyOnceWith(rows[0]);
});

function Selecting() {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  return table({
    onSearchChange: () => {},
    selected,
    onSelectedChange: setSelected,
    bulkActions: (ids) => <span>{[...ids].join()}</span>,
  });
}

test('Space and check boxes select, and the bulk actions see the selection', async () => {
  renderWithWords(<Selecting />);
  rowOf('b.example.com').focus();
  await userEvent.keyboard(' ');
  expect(screen.getByText('1 selected')).toBeTruthy();
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select all on this page' }).indeterminate).toBe(true);
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all on this page' }));
  expect(screen.getByText('b,a,c')).toBeTruthy();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select a.example.com' }));
  expect(screen.getByText('b,c')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Clear selection' }));
  expect(screen.queryByText(/selected/)).toBeNull();
});

test('the bar of the selection selects all of the page, for a phone that has no heads', async () => {
  renderWithWords(<Selecting />);
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select b.example.com' }));
  await userEvent.click(screen.getByRole('button', { name: 'Select all on this page' }));
  expect(screen.getByText('b,a,c')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Select all on this page' })).toBeNull();
});

test('search and filters stay usable while rows are selected', async () => {
  renderWithWords(<Selecting />);
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select a.example.com' }));
  const search = screen.getByRole<HTMLInputElement>('searchbox');
  await userEvent.type(search, 'exam');
  expect(search.value).toBe('exam');
  const selected = screen.getByText('1 selected');
  // Behind the rows: none of them moves when it comes.
  expect(search.compareDocumentPosition(selected) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  expect(screen.getByRole('table').compareDocumentPosition(selected) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
});

test('a column may be as wide as what its rows hold', () => {
  const fitting: DataTableColumn<Row> = {
    id: 'size',
    header: 'Size',
    cell: (row) => row.id,
    width: (all) => `${all.length * 10}px`,
  };
  const { rerender } = renderWithWords(table({ columns: [...columns, fitting] }));
  const tracks = () => screen.getByRole('table').style.getPropertyValue('--tracks-lg');
  expect(tracks()).toBe('minmax(0, 1fr) 30px');
  rerender(table({ columns: [...columns, fitting], rows: undefined }));
  expect(tracks()).toBe('minmax(0, 1fr) 0px');
});

test('the page is asked of the server', async () => {
  const onPageChange = vi.fn();
  renderWithWords(table({ onPageChange }));
  expect(screen.getByText('1–10 of 23')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }));
  expect(onPageChange).toHaveBeenCalledWith(2);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Previous page' }).disabled).toBe(true);
});

test('loading shows skeleton rows, no text: as many as there were the last time, else as high as an empty list', () => {
  const skeletonRows = () => {
    renderWithWords(table({ rows: undefined, count: undefined }));
    const grid = screen.getByRole('table', { name: 'Domains' });
    expect(grid.getAttribute('aria-busy')).toBe('true');
    const { length } = grid.querySelectorAll('tbody > tr');
    cleanup();
    return length;
  };
  window.localStorage.clear();
  expect(skeletonRows()).toBe(5);
  renderWithWords(table({ rows: rows.slice(0, 2) }));
  cleanup();
  expect(skeletonRows()).toBe(2);
});

test('empty says what to do; empty after a search says that nothing matches', async () => {
  const onClearFilters = vi.fn();
  const { rerender } = renderWithWords(table({ rows: [], count: 0 }));
  expect(screen.getByText('Add your first domain')).toBeTruthy();
  rerender(table({ rows: [], count: 0, isFiltered: true, onClearFilters }));
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(onClearFilters).toHaveBeenCalled();
});

test('an error tells why and offers Retry', async () => {
  const onRetry = vi.fn();
  renderWithWords(
    table({
      rows: undefined,
      count: undefined,
      error: { reasons: ['Please check your network'], requestId: 'r1' },
      onRetry,
    }),
  );
  expect(screen.getByRole('alert').textContent).toContain('Please check your network');
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(onRetry).toHaveBeenCalled();
});

test('a list in error keeps heads and tools, which lead back', async () => {
  const onSortChange = vi.fn();
  renderWithWords(
    table({
      rows: undefined,
      count: undefined,
      error: { reasons: ['The service is not available'] },
      onRetry: () => {},
      onSortChange,
      search: '',
      onSearchChange: () => {},
      filters: <button type="button">Filter</button>,
    }),
  );
  expect(screen.getByRole('table').getAttribute('aria-busy')).toBe('false');
  expect(document.querySelectorAll('.skeleton')).toHaveLength(0);
  screen.getByRole('searchbox');
  screen.getByRole('button', { name: 'Filter' });
  await userEvent.click(screen.getByRole('button', { name: 'Domain' }));
  expect(onSortChange).toHaveBeenCalledOnce();
});

test('typing searches once, after a pause', async () => {
  const onSearchChange = vi.fn();
  renderWithWords(table({ search: '', onSearchChange }));
  await userEvent.type(screen.getByRole('searchbox'), 'shop');
  await vi.waitFor(() => expect(onSearchChange).toHaveBeenCalledExactlyOnceWith('shop'));
});

test('a row whose data did not change is not drawn again', async () => {
  const cell = vi.fn((row: Row) => row.name);
  const stable = [{ ...columns[0], cell } as DataTableColumn<Row>];
  const { rerender } = renderWithWords(table({ columns: stable }));
  cell.mockClear();
  rerender(table({ columns: stable, isFetching: true, rows: [...rows].reverse() }));
  // The focus stop moved from the first row to another: those two may.
  expect(cell.mock.calls.length).toBeLessThanOrEqual(2);
});

test('a column that is hidden where there is little room has no track there', () => {
  const wide: DataTableColumn<Row>[] = [
    ...columns,
    { id: 'tags', header: 'Tags', cell: (row) => row.id, width: '2fr', hideBelow: 'lg' },
    { id: 'size', header: 'Size', cell: (row) => row.id, width: '3fr', hideBelow: 'md' },
  ];
  renderWithWords(table({ columns: wide, selected: new Set(), rowActions: () => 'more', actionsWidth: '90px' }));
  const { style } = screen.getByRole('table');
  expect(style.getPropertyValue('--tracks-lg')).toBe('40px minmax(0, 1fr) 2fr 3fr 90px');
  expect(style.getPropertyValue('--tracks-md')).toBe('40px minmax(0, 1fr) 3fr 90px');
  expect(style.getPropertyValue('--tracks-sm')).toBe('40px minmax(0, 1fr) 90px');
});

test('a page behind the end leads to the last one, and does not say that there is nothing', async () => {
  const onPageChange = vi.fn();
  renderWithWords(table({ rows: [], page: 9, onPageChange }));
  expect(screen.queryByText('Add your first domain')).toBeNull();
  screen.getByText('Page 9 does not exist');
  await userEvent.click(screen.getByRole('button', { name: 'Go to the last page' }));
  expect(onPageChange).toHaveBeenCalledExactlyOnceWith(3);
});

test.each([
  ['rows', rows],
  ['no rows', []],
])('%s of the search before are not taken for those of a search that takes long', async (_, before) => {
  vi.useFakeTimers();
  const searched = { rows: before, isFiltered: true };
  const { rerender } = renderWithWords(table(searched));
  const busy = () => document.querySelector('[aria-busy=true]');
  expect([busy(), screen.getByRole('status').textContent]).toEqual([null, '']);
  rerender(table({ ...searched, isFetching: true }));
  expect(busy()).not.toBeNull();
  act(() => void vi.advanceTimersByTime(290));
  expect(screen.getByRole('status').textContent).toBe('');
  act(() => void vi.advanceTimersByTime(20));
  expect(screen.getByRole('status').textContent).toBe('Loading…');
  rerender(table({ ...searched, isFetching: false }));
  expect([busy(), screen.getByRole('status').textContent]).toEqual([null, '']);
  vi.useRealTimers();
});

test('rows that could not be read again say how old they are, why, and offer Retry', async () => {
  const onRetry = vi.fn();
  const stale = {
    since: Date.UTC(2026, 10, 24, 14, 2),
    reasons: ['Please check your network'],
    onRetry,
    isRetrying: false,
  };
  renderWithWords(table({ stale }));
  expect(screen.getByText('Showing data as of 14:02; refresh failed: Please check your network')).toBeTruthy();
  const row = screen.getByText('a.example.com');
  const button = screen.getByRole('button', { name: 'Retry' });
  // Below the rows, which stay in their place.
  expect(row.compareDocumentPosition(button) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  await userEvent.click(button);
  expect(onRetry).toHaveBeenCalledOnce();
});
