import type { CacheClear, Route } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../app/failure';
import { useListQuery } from '../../app/list-query';
import { useWho } from '../../app/who';
import { scheduledTasksOptions } from '../../domain/tasks/queries';
import { useFormat } from '../../ui/format';
import { Pagination } from '../../ui/pagination';
import { ErrorState, Skeleton } from '../../ui/states';
import { useClearSummary } from './clear-nodes';
import { CLEARS_PER_PAGE, clearsOptions } from './queries';
import { useListed } from './use-listed';

const VALUES_SHOWN = 2;

function useWhat(): (clear: CacheClear) => string {
  const t = useTranslations('caching');
  const listed = useListed();
  return ({ kind, values, soft }) => {
    const shown = values.slice(0, VALUES_SHOWN);
    const rest = values.length - shown.length;
    const what = kind === 'all' ? t('kind.all') : listed(rest > 0 ? [...shown, t('more', { count: rest })] : shown);
    return soft ? t('softly', { what }) : what;
  };
}

/** Calls once a task that waited is gone from the list: it runs now, unless it was cancelled. */
function useTaskBegun(routeId: string, onBegun: () => void) {
  const { data: tasks } = useQuery(scheduledTasksOptions(routeId));
  const before = useRef(tasks);
  useEffect(() => {
    const isGone = before.current?.some(({ id }) => tasks?.every((task) => task.id !== id)) ?? false;
    before.current = tasks;
    if (isGone) onBegun();
  });
}

/** The last clears of a domain: what, when, by whom, and how fast. */
export function ClearList({ route }: { route: Route }) {
  const t = useTranslations('caching');
  const format = useFormat();
  const whoOf = useWho();
  const whatOf = useWhat();
  const summaryOf = useClearSummary();
  const [page, setPage] = useState(1);
  const list = useListQuery(clearsOptions(route.id, page));
  useTaskBegun(route.id, () => void list.refetch());
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
  if (count === 0) return <p className="text-sm text-muted">{t('noClears')}</p>;
  return (
    <div className="overflow-hidden rounded-control border border-line">
      <ul>
        {results.map((clear) => (
          <li
            key={clear.id}
            className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 border-b border-line px-3 py-2 text-sm last:border-b-0"
          >
            <span className="min-w-0 font-medium wrap-anywhere">{whatOf(clear)}</span>
            <span className="text-muted tabular">{summaryOf(clear)}</span>
            <span className="basis-full text-muted wrap-anywhere">
              {t('when', { time: format.dateTime(clear.created_at), who: whoOf(clear.created_by) })}
            </span>
          </li>
        ))}
      </ul>
      {count > CLEARS_PER_PAGE && (
        <Pagination of={t('lastClears')} page={page} perPage={CLEARS_PER_PAGE} count={count} onPageChange={setPage} />
      )}
    </div>
  );
}
