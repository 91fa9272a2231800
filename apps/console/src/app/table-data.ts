import type { UseQueryResult } from '@tanstack/react-query';
import { describeFailure } from './failure';

/** What a table takes from the query of its page: the rows, how many there are in all, what went wrong and how to try again. */
export const tableDataOf = <Row>(
  list: UseQueryResult<{ readonly results: readonly Row[]; readonly count: number }>,
) => ({
  rows: list.data?.results,
  count: list.data?.count,
  isFetching: list.isPlaceholderData,
  error: list.error && describeFailure(list.error),
  onRetry: () => void list.refetch(),
});
