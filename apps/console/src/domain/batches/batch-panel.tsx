import { type Batch, type BatchItem, isNotFound } from '@cordon/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import clsx from 'clsx';
import { Download, Play, Undo2, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../app/api-client';
import { downloadCsv } from '../../app/download';
import { describeFailure, isTransient } from '../../app/failure';
import { subscriptionKeys } from '../../app/keys';
import { StatusBadge } from '../../ui/badge';
import { Button, IconButton } from '../../ui/button';
import { useFormat } from '../../ui/format';
import { ErrorState, Skeleton } from '../../ui/states';
import { domainKeys } from '../data/keys';
import { createPacer } from '../data/live-domains';
import { useBatchItemError } from '../words/item-error';
import { ActionFailure } from './action-failure';
import { BatchItemName } from './batch-item-name';
import { AllBatchNames, BatchNames, BatchOutcomes } from './batch-outcomes';
import { BatchOutline } from './batch-outline';
import type { BatchProgressProps } from './batch-progress-props';
import { useBatchTitle } from './batch-words';
import { failuresOptions } from './item-queries';
import { useLiveBatches, useLiveUndo } from './live-batch';
import { batchOptions } from './queries';

/** As rarely as the list of domains is asked for while many of them change. */
const PLANS_PAUSE_MS_MAX = 5000;

/** What plans have left is asked for as domains are deleted, beside their list and how many there are, and once that has ended. */
function useFreshPlans(batch: Batch | undefined) {
  const client = useQueryClient();
  const [pacer] = useState(() =>
    createPacer(() => {
      void client.invalidateQueries({ queryKey: subscriptionKeys.list() });
      return false;
    }, PLANS_PAUSE_MS_MAX),
  );
  useEffect(() => pacer.stop, [pacer]);
  const deleted = batch?.kind === 'delete' ? batch.succeeded : 0;
  useEffect(() => {
    if (deleted > 0) pacer.ask();
  }, [deleted, pacer]);
}

function Bar({ batch, label }: { batch: Batch; label: string }) {
  const share = (count: number) => `${batch.total === 0 ? 0 : (count / batch.total) * 100}%`;
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={batch.total}
      aria-valuenow={batch.succeeded + batch.failed}
      className="mt-3 flex h-2 overflow-hidden rounded-full bg-sunken"
    >
      <span style={{ width: share(batch.succeeded) }} className="bg-success transition-[width] duration-300" />
      <span style={{ width: share(batch.failed) }} className="bg-danger transition-[width] duration-300" />
    </div>
  );
}

function Failures({ batch, isBare = false }: { batch: Batch; isBare?: boolean }) {
  const t = useTranslations('batches');
  const texts = useBatchItemError();
  const failures = useQuery(failuresOptions(batch.id, batch.failed));
  if (failures.error)
    return <ErrorState {...describeFailure(failures.error)} onRetry={() => void failures.refetch()} />;
  if (!failures.data) return <Skeleton className="mt-4 h-16" />;
  const hidden = batch.failed - failures.data.length;
  const byReasons = new Map<string, BatchItem[]>();
  for (const item of failures.data) {
    const reasons = texts(item).join('\n');
    byReasons.set(reasons, [...(byReasons.get(reasons) ?? []), item]);
  }
  return (
    <section className={isBare ? undefined : 'mt-4 border-t border-line pt-3'} aria-label={t('failures')}>
      {!isBare && <h3 className="text-sm font-medium">{t('failures')}</h3>}
      <ul className={clsx('grid max-h-72 gap-2 overflow-y-auto', !isBare && 'mt-2')}>
        {[...byReasons].map(([reasons, items]) => (
          <li key={reasons} className="text-sm wrap-anywhere">
            <span className="flex flex-wrap gap-x-3 gap-y-1">
              {items.map((item) => (
                <span key={item.position} className={item.route_id === null ? 'font-medium' : undefined}>
                  <BatchItemName kind={batch.kind} item={item} />
                </span>
              ))}
            </span>
            {reasons.split('\n').map((reason) => (
              <span key={reason} className="block text-muted">
                {reason}
              </span>
            ))}
          </li>
        ))}
      </ul>
      {hidden > 0 && <p className="mt-2 text-sm text-muted">{t('more', { count: hidden })}</p>}
    </section>
  );
}

/** See `BatchProgress`, which loads this with its words. */
export default function BatchPanel(props: BatchProgressProps) {
  const { batchId, named = false, isBare = false, onDismiss, onLeave, onStarted, onSucceeded } = props;
  const t = useTranslations('batches');
  const format = useFormat();
  const titleOf = useBatchTitle();
  const texts = useBatchItemError();
  const client = useQueryClient();
  const heading = useRef<HTMLHeadingElement>(null);
  useLiveBatches();
  const query = useQuery(batchOptions(batchId));
  const batch = query.data;
  useFreshPlans(batch);
  const hasEnded = batch !== undefined && batch.state !== 'running';
  const isUndo = hasEnded && batch.undoes !== null;
  // An undo that undid nothing can be tried again, of the same batch, where that would do anything.
  const isInVain = isUndo && batch.succeeded === 0 && !batch.is_resumable;
  const undone = useQuery({ ...batchOptions(batch?.undoes ?? ''), enabled: isInVain }).data;
  useLiveUndo(hasEnded ? [batchId, batch.undoes] : []);
  useEffect(() => {
    if (!hasEnded) return;
    void client.invalidateQueries({ queryKey: domainKeys.all });
    void client.invalidateQueries({ queryKey: subscriptionKeys.list() });
  }, [hasEnded, client]);
  const isSuccessful = batch?.state === 'successful';
  useEffect(() => {
    if (isSuccessful) onSucceeded?.(batchId);
  }, [isSuccessful, batchId, onSucceeded]);
  // Of another account, or no longer kept: there is nothing to follow.
  const isGone = isNotFound(query.error);
  useEffect(() => {
    if (isGone) onDismiss?.();
  }, [isGone, onDismiss]);
  const download = useMutation({
    mutationFn: async (of: Batch) => {
      const { readResultCsv } = await import('./result-file');
      const text = await readResultCsv(of.id, {
        row: t('file.row'),
        header: [t('file.name'), t('file.result'), t('file.reason')],
        stateOf: ({ state }) => t(`file.state.${state}`),
        reasonsOf: texts,
      });
      downloadCsv(`${of.kind}-${of.created_at.slice(0, 10)}.csv`, text);
    },
  });
  const [notDone, setNotDone] = useState<{ action: 'undo' | 'resume'; error: unknown }>();
  const undo = useMutation({
    mutationFn: async (id: string) => (await api.undoBatch({ params: { id } })).result,
    meta: { isSilent: true },
    onError: (error) => setNotDone({ action: 'undo', error }),
    onSuccess: ({ id }) => {
      setNotDone(undefined);
      onDismiss?.();
      onStarted?.(id);
    },
  });
  const resume = useMutation({
    mutationFn: async (id: string) => (await api.resumeBatch({ params: { id } })).result,
    meta: { isSilent: true },
    onError: (error) => setNotDone({ action: 'resume', error }),
    onSuccess: (resumed) => {
      setNotDone(undefined);
      // The button that was pressed goes.
      heading.current?.focus({ preventScroll: true });
      client.setQueryData(batchOptions(resumed.id).queryKey, resumed);
    },
  });
  if (query.error) return <ErrorState {...describeFailure(query.error)} onRetry={() => void query.refetch()} />;
  if (!batch) return <BatchOutline isBare={isBare} />;
  const title = titleOf(batch);
  const waiting = batch.total - batch.succeeded - batch.failed;
  const undoable = [batch, undone].find((one) => one?.is_undoable && one.succeeded > 0)?.id;
  // Done in another window meanwhile, there is nothing to try again.
  const retry = { undo, resume }[notDone?.action ?? 'undo'];
  const isOver = isTransient(notDone?.error) && (notDone?.action === 'resume' ? !batch.is_resumable : !undoable);
  if (isBare && hasEnded)
    return (
      <section aria-label={title}>
        {batch.succeeded > 0 && (
          <>
            <p className="text-muted">{t('succeeded', { count: batch.succeeded })}</p>
            <AllBatchNames batch={batch} />
          </>
        )}
        {batch.failed > 0 && <Failures batch={batch} isBare />}
      </section>
    );
  return (
    <section aria-label={title} className="rounded-card border border-line bg-card p-4">
      <div className="flex min-h-9 touch:min-h-10 flex-wrap items-center gap-x-3 gap-y-2">
        <h2 ref={heading} tabIndex={-1} className="min-w-0 font-semibold wrap-anywhere outline-none phone:w-full">
          {title}
        </h2>
        <span role="status">
          {batch.state === 'running' ? (
            <StatusBadge tone="primary" busy>
              {t('state.running')}
            </StatusBadge>
          ) : batch.state === 'successful' ? (
            <StatusBadge tone="success">{t('state.successful')}</StatusBadge>
          ) : (
            <StatusBadge tone="danger">{t('state.failed', { count: batch.failed })}</StatusBadge>
          )}
        </span>
        {/* Below the title on a phone from the start: with Undo there is no room beside it. */}
        <span className="ml-auto flex items-center justify-end gap-1">
          <IconButton
            label={t('download')}
            icon={<Download size={16} aria-hidden />}
            aria-busy={download.isPending}
            onClick={() => download.isPending || download.mutate(batch)}
          />
          {batch.is_resumable && (
            <Button
              size="sm"
              icon={<Play size={16} aria-hidden />}
              loading={resume.isPending}
              onClick={() => resume.mutate(batch.id)}
            >
              {t('resume')}
            </Button>
          )}
          {onStarted && hasEnded && undoable !== undefined && (
            <Button
              size="sm"
              variant="ghost"
              icon={<Undo2 size={16} aria-hidden />}
              loading={undo.isPending}
              onClick={() => undo.mutate(undoable)}
            >
              {t('undo')}
            </Button>
          )}
          {onDismiss && hasEnded && (
            <IconButton label={t('dismiss')} icon={<X size={18} aria-hidden />} onClick={onDismiss} />
          )}
        </span>
      </div>
      {notDone && !isOver && (
        <ActionFailure
          {...notDone}
          isRetrying={retry.isPending}
          onRetry={() => retry.variables && retry.mutate(retry.variables)}
        />
      )}
      <Bar
        batch={batch}
        label={t('progress', { done: format.number(batch.total - waiting), total: format.number(batch.total) })}
      />
      <p className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted tabular">
        <span>{t('succeeded', { count: batch.succeeded })}</span>
        <span className={clsx(batch.failed > 0 && 'text-danger')}>{t('failed', { count: batch.failed })}</span>
        {!hasEnded && <span>{t('waiting', { count: waiting })}</span>}
        {!hasEnded && named && <span>{t('keepsGoing')}</span>}
      </p>
      {!named && (
        // Of one height from the start, also without names: the list below stays in its place.
        <div className="mt-1 flex h-[1lh] min-w-0 items-center gap-x-3 overflow-hidden text-sm text-muted">
          {hasEnded ? (
            <BatchNames batch={batch} />
          ) : (
            <span className="truncate" title={t('keepsGoing')}>
              {t('keepsGoing')}
            </span>
          )}
        </div>
      )}
      {isUndo && batch.failed > 0 && (
        <p className="mt-2 text-sm">
          {isInVain ? t(undoable ? 'undoneNone' : 'undoneNever') : t('undoneSome', { count: batch.failed })}
        </p>
      )}
      {batch.failed > 0 && <Failures batch={batch} />}
      {named && <BatchOutcomes batch={batch} onLeave={onLeave} />}
    </section>
  );
}
