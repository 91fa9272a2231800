import type { PrefetchSummary, Route } from '@cordon/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { describeFailure, failureTexts } from '../../../app/failure';
import { useListQuery } from '../../../app/list-query';
import { useWho } from '../../../app/who';
import { Button } from '../../../ui/button';
import { useFormat } from '../../../ui/format';
import { Pagination } from '../../../ui/pagination';
import { ErrorState, Skeleton } from '../../../ui/states';
import { useListed } from '../use-listed';
import { doneOf, sumOf, useCounts } from './counts';
import { PrefetchDetails } from './prefetch-details';
import { isRunning, PREFETCHES_PER_PAGE, prefetchesOptions, useCancelPrefetch } from './queries';

const SHARES = { kept: 'bg-success', fresh: 'bg-primary', unkept: 'bg-warning', failed: 'bg-danger' } as const;

/** Of the nodes that still work on it, and those that are done. */
function Bar({ run, label }: { run: PrefetchSummary; label: string }) {
  const all = run.visits * run.nodes.filter(({ state }) => state !== 'silent' && state !== 'busy').length;
  const sum = sumOf(run);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={all}
      aria-valuenow={Math.min(doneOf(sum), all)}
      className="flex h-2 basis-full overflow-hidden rounded-full bg-sunken"
    >
      {(Object.keys(SHARES) as (keyof typeof SHARES)[]).map((count) => (
        <span
          key={count}
          style={{ width: `${all === 0 ? 0 : (sum[count] / all) * 100}%` }}
          className={`${SHARES[count]} transition-[width] duration-300`}
        />
      ))}
    </div>
  );
}

function useWhat(): (run: PrefetchSummary) => string {
  const t = useTranslations('caching.prefetch');
  const listed = useListed();
  return ({ first_urls: shown, url_count: count, refresh }) => {
    const rest = count - shown.length;
    const what = listed(rest > 0 ? [...shown, t('more', { count: rest })] : shown);
    return refresh ? t('refreshed', { what }) : what;
  };
}

/** Where it stands, in one line. */
function useStanding(): (run: PrefetchSummary) => string {
  const t = useTranslations('caching.prefetch');
  const countsOf = useCounts();
  return (run) => {
    const counts = countsOf(sumOf(run));
    if (run.nodes.length === 0) return t('noNodes');
    if (counts === '') return t(`state.${run.state}`);
    return t('standing', { state: t(`state.${run.state}`), counts });
  };
}

interface RunProps {
  routeId: string;
  run: PrefetchSummary;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

function Run({ routeId, run, isOpen, onOpenChange }: RunProps) {
  const t = useTranslations('caching.prefetch');
  const format = useFormat();
  const whoOf = useWho();
  const what = useWhat()(run);
  const standing = useStanding()(run);
  const cancel = useCancelPrefetch(routeId);
  const time = format.dateTime(run.created_at);
  return (
    <li className="flex flex-col gap-2 border-b border-line px-3 py-2 last:border-b-0">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm">
        <span className="min-w-0 font-medium wrap-anywhere">{what}</span>
        <span className="text-muted tabular" role={isRunning(run) ? 'status' : undefined}>
          {standing}
        </span>
        {isRunning(run) && <Bar run={run} label={t('progress', { what })} />}
        <span className="min-w-0 flex-1 text-muted wrap-anywhere">
          {run.version === null
            ? t('when', { time, who: whoOf(run.created_by) })
            : t('afterVersion', { time, version: run.version })}
        </span>
        <span className="flex gap-2">
          {isRunning(run) && (
            <Button size="sm" loading={cancel.isPending} onClick={() => cancel.mutate(run.id)}>
              {t('cancel')}
            </Button>
          )}
          <Button size="sm" variant="ghost" aria-expanded={isOpen} onClick={() => onOpenChange(!isOpen)}>
            {t(isOpen ? 'hideDetails' : 'showDetails')}
          </Button>
        </span>
      </div>
      {cancel.isError &&
        failureTexts(cancel.error).map((reason) => (
          <p key={reason} role="alert" className="text-sm text-danger">
            {reason}
          </p>
        ))}
      {isOpen && <PrefetchDetails routeId={routeId} id={run.id} />}
    </li>
  );
}

/** The last prefetches of a domain, those that run among them. @param opened Whose details are shown from the beginning. */
export function PrefetchRuns({ route, opened }: { route: Route; opened: string | undefined }) {
  const t = useTranslations('caching.prefetch');
  const [page, setPage] = useState(1);
  const [chosen, setChosen] = useState<Readonly<Record<string, boolean>>>({});
  const list = useListQuery(prefetchesOptions(route.id, page));
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
  if (count === 0) return <p className="text-sm text-muted">{t('noRuns')}</p>;
  return (
    <div className="overflow-hidden rounded-control border border-line">
      <ul>
        {results.map((run) => (
          <Run
            key={run.id}
            routeId={route.id}
            run={run}
            isOpen={chosen[run.id] ?? run.id === opened}
            onOpenChange={(isOpen) => setChosen({ ...chosen, [run.id]: isOpen })}
          />
        ))}
      </ul>
      {count > PREFETCHES_PER_PAGE && (
        <Pagination of={t('runs')} page={page} perPage={PREFETCHES_PER_PAGE} count={count} onPageChange={setPage} />
      )}
    </div>
  );
}
