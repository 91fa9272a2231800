import type { ReactNode } from 'react';
import type { MenuGroup } from './menu-types';
import type { PaginationProps } from './pagination';
import type { ErrorStateProps, StaleLineProps } from './states';

/** One column; give cells from module scope or memoize them, so that a re-sort redraws only what changed. */
export interface DataTableColumn<Row> {
  id: string;
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  align?: 'start' | 'end';
  /** Numbers of which more matters descending on the first press, all else ascending. */
  sortable?: boolean | 'descending';
  /** Track of the table's grid, `minmax(0, 1fr)` if absent; by the rows where its content decides. A text that may be longer must wrap or cut itself. */
  width?: string | ((rows: readonly Row[]) => string);
  /** Hidden under this width on tables (cards show it unless `card` says otherwise). */
  hideBelow?: 'md' | 'lg';
  /** Place in a card under 760 px: the card's heading, a labelled line (default), beside the others with its label (`fact`) or without (`bare`), or left out. */
  card?: 'title' | 'line' | 'fact' | 'bare' | 'hidden';
  /** More classes of the cell in a card, for its order and width there. */
  cardClass?: string;
}

export interface DataTableSort {
  id: string;
  direction: 'ascending' | 'descending';
}

export interface DataTableProps<Row> {
  /** Accessible name. */
  label: string;
  columns: readonly DataTableColumn<Row>[];
  /** Undefined while the first page loads: skeleton rows. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  /** A page is being fetched while an older one is shown. */
  isFetching?: boolean;
  error?: Pick<ErrorStateProps, 'reasons' | 'isOffline' | 'requestId' | 'help'> | null;
  /** The rows that are shown could not be read again. */
  stale?: StaleLineProps | undefined;
  onRetry?: () => void;
  /** Of the rows, at the lower edge of what is in sight, where it moves none of them. */
  below?: ReactNode;
  /** Between the tools and the head. */
  above?: ReactNode;
  /** Server-side paging. */
  page: number;
  perPage: number;
  count: number | undefined;
  onPageChange: (page: number) => void;
  onPerPageChange?: (perPage: number) => void;
  rangeText?: PaginationProps['rangeText'];
  sort?: DataTableSort;
  onSortChange?: (sort: DataTableSort) => void;
  /** Adds the search field; `onSearchChange` comes 250 ms after the last key. */
  search?: string;
  onSearchChange?: (text: string) => void;
  searchLabel?: string;
  /** Filters, right of the search field. */
  filters?: ReactNode;
  /** In place of filters and sorting on a phone, beside the search; gets the ways to sort. */
  phoneFilters?: (sort: readonly MenuGroup[]) => ReactNode;
  /** Adds check boxes and, once something is selected, a bar with these actions. */
  selected?: ReadonlySet<string>;
  onSelectedChange?: (selected: ReadonlySet<string>) => void;
  bulkActions?: (selected: ReadonlySet<string>) => ReactNode;
  /** Says how many are selected, where that is not what `selected` holds. */
  selectedLabel?: string;
  /** Name of a row, for check boxes. */
  rowLabel?: (row: Row) => string;
  /** Enter, and a press on what is no control, open the row. */
  onRowOpen?: (row: Row) => void;
  /** Last column: menu or buttons. */
  rowActions?: (row: Row) => ReactNode;
  /** They are buttons with a border: a card's first line is as high as these. */
  hasRowButtons?: boolean;
  /** Track of that column; has room for one icon if absent. */
  actionsWidth?: string;
  /** Below a row, over its whole width; undefined for nothing. */
  rowNote?: (row: Row) => ReactNode;
  /** Shown when there are no rows: before a search the invitation, after a search "nothing matches". */
  empty: ReactNode;
  /** How many lines high that is; five if absent. */
  emptyRows?: number;
  isFiltered?: boolean;
  onClearFilters?: () => void;
  /** What can be searched for, where nothing matches. */
  noMatchesHint?: string;
}
