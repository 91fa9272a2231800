import { onlineManager, type UseQueryResult } from '@tanstack/react-query';
import type { StaleLineProps } from '../ui/states';
import { failureTexts } from './failure';

/** What `StaleLine` says of data that are shown but could not be read again; undefined while they could. */
export const staleOf = (
  query: Pick<UseQueryResult, 'data' | 'isError' | 'error' | 'dataUpdatedAt' | 'isFetching' | 'refetch'>,
): StaleLineProps | undefined =>
  // Without a network the line over every screen says so, and of when what is shown is.
  query.isError && query.data !== undefined && onlineManager.isOnline()
    ? {
        since: query.dataUpdatedAt,
        reasons: failureTexts(query.error),
        onRetry: () => void query.refetch(),
        isRetrying: query.isFetching,
      }
    : undefined;
