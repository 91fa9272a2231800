import type { UseQueryResult } from '@tanstack/react-query';
import { describeFailure } from './failure';
import { staleOf } from './stale-data';

/** What a table takes from the query of its page: the rows, how many there are in all, what went wrong and how to try again. */
export const tableDataOf = <Row>(
  list: UseQueryResult<{ readonly results: readonly Row[]; readonly count: number }>,
) => ({
  rows: list.data?.results,
  count: list.data?.count,
  isFetching: list.isPlaceholderData || (list.isLoadingError && list.isFetching),
  error: list.error && describeFailure(list.error),
  stale: staleOf(list),
  onRetry: () => void list.refetch(),
});

interface TableSearch {
  page?: number;
  perpage?: number;
  q?: string;
}

/** Page and search of a `DataTable` that lie in the address: the first page is not named, and typing leaves no history. */
export const tableSearch = (
  { page, perpage, q }: TableSearch & { page: number; perpage: number },
  onSearchChange: (change: TableSearch, how?: { replace?: boolean }) => void,
) => ({
  page,
  perPage: perpage,
  onPageChange: (next: number) => onSearchChange({ page: next === 1 ? undefined : next }),
  onPerPageChange: (next: number) => onSearchChange({ perpage: next, page: undefined }),
  search: q ?? '',
  onSearchChange: (text: string) => onSearchChange({ q: text.trim() || undefined, page: undefined }, { replace: true }),
});
