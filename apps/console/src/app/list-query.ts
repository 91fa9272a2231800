import { type QueryKey, type UseQueryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { isTransient } from './failure';

const ASK_AGAIN_MS = 15_000;

/**
 * The page of a list. One that could not be read is asked for again by itself where that may help: now and then, and once
 * the window has the focus. Meanwhile it stays as it failed, where the library would show the page before it each time; as
 * being fetched counts only what was asked for by hand.
 */
export function useListQuery<Page, Key extends QueryKey>(
  options: UseQueryOptions<Page, Error, Page, Key>,
): UseQueryResult<Page> {
  const list = useQuery(options);
  const { refetch, errorUpdatedAt: failedAt } = list;
  const [pressedAt, setPressedAt] = useState(0);
  const failed = useRef<typeof list>(undefined);
  if (list.isLoadingError) failed.current = list;
  else if (list.isSuccess && !list.isPlaceholderData) failed.current = undefined;
  // The time is that of the question: another one has not failed then.
  const failure = failed.current?.errorUpdatedAt === failedAt ? failed.current : undefined;
  const isHopeful = isTransient((failure ?? list).error);
  useEffect(() => {
    if (!isHopeful) return;
    const ask = () => void (document.hidden || refetch());
    const timer = window.setInterval(ask, ASK_AGAIN_MS);
    window.addEventListener('focus', ask);
    return () => {
      window.clearInterval(timer);
      window.removeEventListener('focus', ask);
    };
  }, [isHopeful, refetch]);
  if (!failure) return list;
  const retry: typeof refetch = (how) => {
    setPressedAt(failedAt);
    return refetch(how);
  };
  return { ...failure, refetch: retry, isFetching: list.isFetching && pressedAt === failedAt };
}
