import type { CacheClear, Route } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useListQuery } from '../../app/list-query';
import { useClearedValues } from '../../domain/clears/cleared-values';
import { useCleared } from '../../domain/clears/use-cleared';
import { tasksOptions } from '../../domain/tasks/queries';
import { useFormat } from '../../ui/format';
import { CacheHistory, HistoryEntry } from './cache-history';
import { useClearSummary } from './clear-nodes';
import { CLEARS_PER_PAGE, clearsOptions } from './queries';
import { useCacheDoer } from './use-cache-doer';

/** Calls once a task that waited is gone from the list: it runs now, unless it was cancelled. */
function useTaskBegun(routeId: string, onBegun: () => void) {
  const { data: tasks } = useQuery(tasksOptions(routeId));
  const before = useRef(tasks);
  useEffect(() => {
    const isGone = before.current?.some(({ id }) => tasks?.every((task) => task.id !== id)) ?? false;
    before.current = tasks;
    if (isGone) onBegun();
  });
}

/** One clear; values that its line only counts are shown below it where that is asked for. */
function Entry({ clear }: { clear: CacheClear }) {
  const t = useTranslations('caching');
  const format = useFormat();
  const whoOf = useCacheDoer();
  const what = useCleared()(clear);
  const summaryOf = useClearSummary();
  const values = useClearedValues(what, clear.values, clear.entries);
  return (
    <HistoryEntry
      what={what}
      outcome={<span className="text-muted tabular">{summaryOf(clear)}</span>}
      when={t('when', { time: format.dateTime(clear.created_at), who: whoOf(clear.created_by) })}
      actions={values.button && <span className="-mr-2">{values.button}</span>}
    >
      {values.text}
    </HistoryEntry>
  );
}

/** The last clears of a domain: what, when, by whom, and how fast. */
export function ClearList({ route }: { route: Route }) {
  const t = useTranslations('caching');
  const [page, setPage] = useState(1);
  const list = useListQuery(clearsOptions(route.id, page));
  useTaskBegun(route.id, () => void list.refetch());
  return (
    <CacheHistory
      label={t('lastClears')}
      list={list}
      page={page}
      perPage={CLEARS_PER_PAGE}
      onPageChange={setPage}
      empty={t('noClears')}
    >
      {(clear) => <Entry key={clear.id} clear={clear} />}
    </CacheHistory>
  );
}
