import { ApiError } from '@cordon/contract';
import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import clsx from 'clsx';
import { RefreshCw } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { failureTexts } from '../../../app/failure';
import { groupsOptions } from '../../../domain/data/group-queries';
import { domainKeys } from '../../../domain/data/keys';
import { useAway } from '../../../ui/away';
import { Button } from '../../../ui/button';
import { joinSentences } from '../../../ui/sentences';

interface ListNoteProps {
  /** At the lower edge; else among the tools. */
  isBelow: boolean;
  /** The rows have been on their way for long. */
  isLong: boolean;
  /** What the rows say of their last 24 hours. */
  traffic: Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'>;
}

/**
 * That rows are late, at the lower edge of the list, or why they have no numbers, among its tools, above these, and at the lower
 * edge of a phone: where no row moves.
 */
export default function ListNote({ isBelow, isLong, traffic }: ListNoteProps) {
  const t = useTranslations();
  const client = useQueryClient();
  // The line over the screen says so.
  if (useAway()) return null;
  const isOwnWords = traffic.error instanceof ApiError && traffic.error.code === 'TRAFFIC_UNAVAILABLE';
  async function retry() {
    if (!isLong) return void traffic.refetch();
    for (const queryKey of [domainKeys.lists(), groupsOptions.queryKey]) {
      // One that never answered would only be waited for again.
      await client.cancelQueries({ queryKey });
      void client.invalidateQueries({ queryKey });
    }
  }
  const said = isLong
    ? t('domain.list.slow')
    : joinSentences([...(isOwnWords ? [] : [t('domain.list.noTraffic')]), ...failureTexts(traffic.error)]);
  const again = (
    <Button
      size="sm"
      icon={<RefreshCw size={14} aria-hidden />}
      loading={!isLong && traffic.isFetching}
      onClick={() => void retry()}
      {...(!isBelow && { title: said, 'aria-label': t('domain.list.noNumbersRetry'), className: 'text-warning' })}
    >
      {isBelow ? t('ui.retry') : <span className="max-lg:hidden">{t('domain.list.noNumbers')}</span>}
    </Button>
  );
  if (!isBelow)
    return (
      <span role="status">
        <span className="sr-only">{said}</span>
        {again}
      </span>
    );
  return (
    <div
      role="status"
      className={clsx(
        'flex min-h-14 flex-wrap items-center gap-2 rounded-card bg-warning-soft px-4 py-2 text-sm text-warning',
        !isLong && 'sm:hidden',
      )}
    >
      <span className="min-w-0 flex-1">{said}</span>
      {again}
    </div>
  );
}
