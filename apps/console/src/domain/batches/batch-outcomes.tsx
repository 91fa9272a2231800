import { type Batch, type BatchItem, PAGE_SIZE_MAX } from '@cordon/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Fragment, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { StatusBadge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { useFormat } from '../../ui/format';
import { Skeleton } from '../../ui/states';
import { BatchItemName } from './batch-item-name';
import { firstItemsOptions } from './first-items';
import { SUCCESSES_SHOWN, successesOptions } from './item-queries';

const NAMES_SHOWN = 3;

/** Kinds whose domains did not exist before. */
const ADDING: readonly string[] = ['import', 'clone'];

const TONES = { live: 'success', unchanged: 'neutral', added: 'warning', draft: 'warning', done: 'success' } as const;

/** What became of a domain: `added` and `draft` are not live yet. */
function outcomeOf(kind: string, { deployed, result }: BatchItem): keyof typeof TONES {
  if (deployed) return 'live';
  if (result?.changed === false) return 'unchanged';
  if (ADDING.includes(kind)) return 'added';
  return 'deployed' in (result ?? {}) ? 'draft' : 'done';
}

function Outcome({ kind, item }: { kind: string; item: BatchItem }) {
  const t = useTranslations('batches.outcome');
  if (item.state === 'waiting') return <span className="text-sm text-muted">{t('waiting')}</span>;
  if (item.state === 'running')
    return (
      <StatusBadge tone="primary" busy>
        {t('running')}
      </StatusBadge>
    );
  if (item.state === 'failed') return <StatusBadge tone="danger">{t('failed')}</StatusBadge>;
  const outcome = outcomeOf(kind, item);
  return <StatusBadge tone={TONES[outcome]}>{t(outcome)}</StatusBadge>;
}

function Row({ kind, item }: { kind: string; item: BatchItem }) {
  const t = useTranslations('batches.outcome');
  const format = useFormat();
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-t border-line">
      <span className="min-w-0 flex-1 wrap-anywhere">
        <BatchItemName kind={kind} item={item} />
      </span>
      {item.deployed && (
        <span className="tabular text-sm whitespace-nowrap text-muted">
          {[
            t('version', { version: item.deployed.version }),
            item.deployed.live_ms !== null && format.duration(Math.round(item.deployed.live_ms)),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      )}
      <Outcome kind={kind} item={item} />
    </li>
  );
}

/** The first that succeeded, in one line. */
export function BatchNames({ batch }: { batch: Batch }) {
  const t = useTranslations('batches');
  const { data } = useQuery(successesOptions(batch.id, batch.succeeded));
  const shown = data?.slice(0, NAMES_SHOWN) ?? [];
  const hidden = batch.succeeded - shown.length;
  if (shown.length === 0) return null;
  return (
    <>
      <span className="truncate" title={shown.map(({ name_unicode }) => name_unicode).join(t('between'))}>
        {shown.map((item, index) => (
          <Fragment key={item.position}>
            {index > 0 && t('between')}
            <BatchItemName kind={batch.kind} item={item} isInline />
          </Fragment>
        ))}
      </span>
      {hidden > 0 && <span className="shrink-0">{t('moreNames', { count: hidden })}</span>}
    </>
  );
}

/** All that succeeded, as far as they are told, where they are asked for; the others are counted. */
export function AllBatchNames({ batch }: { batch: Batch }) {
  const t = useTranslations('batches');
  const { data } = useQuery(successesOptions(batch.id, batch.succeeded, PAGE_SIZE_MAX));
  if (!data) return <Skeleton className="h-[1lh] w-64 max-w-full" />;
  const hidden = batch.succeeded - data.length;
  return (
    <ul aria-label={t('outcomes')} className="flex max-h-60 flex-wrap gap-x-3 gap-y-1 overflow-y-auto">
      {data.map((item) => (
        <li key={item.position} className="min-w-0 wrap-anywhere">
          <BatchItemName kind={batch.kind} item={item} isInline />
        </li>
      ))}
      {hidden > 0 && <li className="text-muted">{t('moreNames', { count: hidden })}</li>}
    </ul>
  );
}

/** What succeeded, by name. Its place is kept from the start: what stands below does not move when it comes. */
export function BatchOutcomes({ batch, onLeave }: { batch: Batch; onLeave: (() => void) | undefined }) {
  const t = useTranslations('batches');
  const navigate = useNavigate();
  const hasEnded = batch.state !== 'running';
  const [shown, setShown] = useState(SUCCESSES_SHOWN);
  const { data, isFetching } = useQuery({
    ...successesOptions(batch.id, batch.succeeded, shown),
    enabled: hasEnded,
    placeholderData: keepPreviousData,
  });
  const { data: first, refetch } = useQuery({ ...firstItemsOptions(batch.id, !hasEnded), enabled: !hasEnded });
  const counted = batch.succeeded + batch.failed;
  // Further ones are counted: some of them may be shown.
  const isBehind =
    !hasEnded && counted > 0 && first?.some(({ state }) => state === 'waiting' || state === 'running') === true;
  // biome-ignore lint/correctness/useExhaustiveDependencies: Asked once for each count.
  useEffect(() => {
    if (isBehind) void refetch({ cancelRefetch: false });
  }, [isBehind, counted, refetch]);
  if (hasEnded && batch.succeeded === 0) return null;
  if (!data && first)
    return (
      <>
        <ul className="mt-3" aria-label={t('outcomes')}>
          {first.map((item) => (
            <Row key={item.position} kind={batch.kind} item={item} />
          ))}
        </ul>
        {batch.total > first.length && (
          <p className="mt-2 text-sm text-muted">{t('moreNames', { count: batch.total - first.length })}</p>
        )}
      </>
    );
  if (!data)
    return (
      <div className="mt-3">
        {Array.from({ length: Math.min(batch.total, SUCCESSES_SHOWN) }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: They are all alike.
          <div key={index} className="flex min-h-11 items-center border-t border-line" data-waiting-row>
            <Skeleton className="h-4 w-48" />
          </div>
        ))}
      </div>
    );
  const hidden = batch.succeeded - data.length;
  const outcomes = data.map((item) => outcomeOf(batch.kind, item));
  // A file may have left some of them out on purpose.
  const isPartlyLive = outcomes.includes('live');
  return (
    <>
      <ul className="mt-3" aria-label={t('outcomes')}>
        {data.map((item) => (
          <Row key={item.position} kind={batch.kind} item={item} />
        ))}
      </ul>
      {hidden > 0 && (
        <div className="mt-2 flex flex-wrap items-center gap-3">
          {shown < PAGE_SIZE_MAX && (
            <Button size="sm" loading={isFetching} onClick={() => setShown(PAGE_SIZE_MAX)}>
              {t('showMore', { count: Math.min(batch.succeeded, PAGE_SIZE_MAX) - data.length })}
            </Button>
          )}
          {batch.succeeded > PAGE_SIZE_MAX && <p className="text-sm text-muted">{t('more', { count: hidden })}</p>}
        </div>
      )}
      {outcomes.some((outcome) => outcome === 'added' || outcome === 'draft') && (
        <p className="mt-3 flex flex-wrap items-center gap-3 border-t border-line pt-3">
          <span className="min-w-0 flex-1 text-sm text-muted">{t(isPartlyLive ? 'someNotLive' : 'notLive')}</span>
          <Button
            variant={isPartlyLive ? 'secondary' : 'primary'}
            size="sm"
            onClick={() => {
              onLeave?.();
              void navigate({ to: '/domain/list', search: { deploy: batch.id } as never });
            }}
          >
            {t('deploy')}
          </Button>
        </p>
      )}
    </>
  );
}
