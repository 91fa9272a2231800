import type { PrefetchSummary, Route } from '@cordon/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { failureTexts } from '../../../app/failure';
import { useListQuery } from '../../../app/list-query';
import { useStandingError } from '../../../domain/form/use-standing-error';
import { useListed } from '../../../domain/words/use-listed';
import { StatusBadge, type Tone } from '../../../ui/badge';
import { Button } from '../../../ui/button';
import { useFormat } from '../../../ui/format';
import { CacheHistory, HistoryEntry } from '../cache-history';
import { useCacheDoer } from '../use-cache-doer';
import { type Counts, doneOf, outcomeTone, sumOf, useCounts } from './counts';
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
    const what = listed(shown, count);
    return refresh ? t('refreshed', { what }) : what;
  };
}

function toneOf({ state, nodes, left_out: leftOut }: PrefetchSummary, counts: Counts): Tone {
  if (state === 'running') return 'primary';
  if (state === 'cancelled') return 'neutral';
  const tone = outcomeTone(counts);
  return tone === 'success' && (leftOut > 0 || nodes.some((node) => node.state !== 'done')) ? 'warning' : tone;
}

/** Where it stands, and how much has come of it. */
function Standing({ run }: { run: PrefetchSummary }) {
  const t = useTranslations('caching.prefetch');
  const countsOf = useCounts();
  // Who hears how it goes hears of its end, too.
  const [isWatched] = useState(() => isRunning(run));
  const sum = sumOf(run);
  const counts = countsOf(sum);
  if (run.nodes.length === 0) return <span className="text-muted">{t('noNodes')}</span>;
  const tone = toneOf(run, sum);
  const isInVain = run.state === 'done' && tone === 'danger';
  const isInPart = run.state === 'done' && tone === 'warning';
  return (
    <span
      className="flex flex-wrap items-center gap-x-2 gap-y-1 text-muted tabular"
      role={isWatched ? 'status' : undefined}
    >
      <StatusBadge tone={tone} busy={isRunning(run)}>
        {isInVain
          ? t('state.inVain', { all: run.visits * run.nodes.length })
          : t(`state.${isInPart ? 'inPart' : run.state}`)}
      </StatusBadge>{' '}
      {counts}
      {run.left_out > 0 && <span>{t('leftOut', { count: run.left_out })}</span>}
    </span>
  );
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
  const whoOf = useCacheDoer();
  const what = useWhat()(run);
  const cancel = useCancelPrefetch(routeId);
  const failure = useStandingError(cancel.error, undefined);
  const time = format.dateTime(run.created_at);
  return (
    <HistoryEntry
      what={what}
      outcome={<Standing run={run} />}
      progress={isRunning(run) && <Bar run={run} label={t('progress', { what })} />}
      when={
        run.version === null
          ? t('when', { time, who: whoOf(run.created_by) })
          : t('afterVersion', { time, version: run.version })
      }
      actions={
        <>
          {isRunning(run) && (
            <Button size="sm" loading={cancel.isPending} onClick={() => cancel.mutate(run.id)}>
              {t('cancel')}
            </Button>
          )}
          <Button
            size="sm"
            variant="ghost"
            className="-mr-2"
            aria-expanded={isOpen}
            onClick={() => onOpenChange(!isOpen)}
          >
            {t(isOpen ? 'hideDetails' : 'showDetails')}
          </Button>
        </>
      }
    >
      {failure &&
        failureTexts(failure).map((reason) => (
          <p key={reason} role="alert" className="text-danger">
            {reason}
          </p>
        ))}
      {isOpen && <PrefetchDetails routeId={routeId} id={run.id} />}
    </HistoryEntry>
  );
}

/** The last prefetches of a domain, those that run among them. @param opened Whose details are shown from the beginning. */
export function PrefetchRuns({ route, opened }: { route: Route; opened: string | undefined }) {
  const t = useTranslations('caching.prefetch');
  const [page, setPage] = useState(1);
  const [chosen, setChosen] = useState<Readonly<Record<string, boolean>>>({});
  const list = useListQuery(prefetchesOptions(route.id, page));
  return (
    <CacheHistory
      label={t('runs')}
      list={list}
      page={page}
      perPage={PREFETCHES_PER_PAGE}
      onPageChange={setPage}
      empty={t('noRuns')}
    >
      {(run) => (
        <Run
          key={run.id}
          routeId={route.id}
          run={run}
          isOpen={chosen[run.id] ?? run.id === opened}
          onOpenChange={(isOpen) => setChosen({ ...chosen, [run.id]: isOpen })}
        />
      )}
    </CacheHistory>
  );
}
