import type { ReactNode } from 'react';
import { describeFailure } from '../../app/failure';
import type { useListQuery } from '../../app/list-query';
import { Pagination } from '../../ui/pagination';
import { ErrorState, Skeleton } from '../../ui/states';

interface HistoryPage<Entry> {
  readonly results: readonly Entry[];
  readonly count: number;
}

interface CacheHistoryProps<Entry> {
  /** Name of the list, for its pages. */
  label: string;
  list: ReturnType<typeof useListQuery<HistoryPage<Entry>, readonly unknown[]>>;
  page: number;
  perPage: number;
  onPageChange: (page: number) => void;
  /** Said where nothing was done. */
  empty: string;
  children: (entry: Entry) => ReactNode;
}

/** What was done to the cache of a domain, the newest first; each entry is a `HistoryEntry`. */
export function CacheHistory<Entry>(props: CacheHistoryProps<Entry>) {
  const { label, list, page, perPage, onPageChange, empty, children } = props;
  if (list.isLoadingError)
    return (
      <ErrorState
        {...describeFailure(list.error)}
        onRetry={() => void list.refetch()}
        isRetrying={list.isFetching}
        className="py-4!"
      />
    );
  if (!list.data) return <Skeleton className="h-24 w-full" />;
  const { results, count } = list.data;
  if (count === 0) return <p className="text-sm text-muted">{empty}</p>;
  return (
    <div className="overflow-hidden rounded-control border border-line">
      <ul>{results.map(children)}</ul>
      {count > perPage && (
        <Pagination of={label} page={page} perPage={perPage} count={count} onPageChange={onPageChange} />
      )}
    </div>
  );
}

interface HistoryEntryProps {
  /** What it was done to. */
  what: string;
  /** What came of it. */
  outcome: ReactNode;
  /** When, and who did it. */
  when: string;
  /** Between the two lines. */
  progress?: ReactNode;
  actions?: ReactNode;
  /** Below it all. */
  children?: ReactNode;
}

/** What and what came of it, then when, by whom, and what can be done with it. */
export function HistoryEntry({ what, outcome, when, progress, actions, children }: HistoryEntryProps) {
  return (
    <li className="flex flex-col gap-2 border-b border-line px-3 py-2 text-sm last:border-b-0">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="min-w-0 font-medium wrap-anywhere">{what}</span>
        {outcome}
        {progress}
        <span className="flex basis-full items-center justify-between gap-x-4">
          <span className="min-w-0 text-muted wrap-anywhere">{when}</span>
          {actions && <span className="flex shrink-0 gap-2">{actions}</span>}
        </span>
      </div>
      {children}
    </li>
  );
}
