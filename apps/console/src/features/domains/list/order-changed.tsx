import type { ApiError } from '@cordon/contract';
import type { UseQueryResult } from '@tanstack/react-query';
import { ArrowUpDown, RefreshCw } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { failureTexts } from '../../../app/failure';
import { Button } from '../../../ui/button';
import { findLostFocus } from '../../../ui/lost-focus';
import { joinSentences } from '../../../ui/sentences';

/** What has no order by traffic asks for it again by itself. */
const ASK_AGAIN_MS = 15_000;

interface OrderChangedProps {
  isOnPhone: boolean;
  /** Its order may be another one than was asked for. */
  list: Pick<UseQueryResult<{ instead: { why: ApiError } | undefined }>, 'data' | 'isFetching' | 'refetch'>;
  order: { sortAgain: () => void };
}

/** That the rows are sorted by name instead, and why: above them, on every device. */
function OrderRefused({ list }: Pick<OrderChangedProps, 'list'>) {
  const t = useTranslations();
  const { refetch } = list;
  useEffect(() => {
    const timer = window.setInterval(() => void (document.hidden || refetch()), ASK_AGAIN_MS);
    return () => window.clearInterval(timer);
  }, [refetch]);
  return (
    <div role="status" className="flex flex-wrap items-center gap-2 bg-warning-soft px-4 py-2 text-sm text-warning">
      <span className="min-w-0 flex-1">
        {joinSentences([...failureTexts(list.data?.instead?.why), t('domain.list.order.byName')])}
      </span>
      <Button
        size="sm"
        icon={<RefreshCw size={14} aria-hidden />}
        loading={list.isFetching}
        onClick={() => void list.refetch()}
      >
        {t('ui.retry')}
      </Button>
    </div>
  );
}

/** That the rows would stand in another order by now: among the tools of the list, where no row moves, and at the lower edge of a phone. */
export default function OrderChanged({ isOnPhone, list, order }: OrderChangedProps) {
  const t = useTranslations('domain.list.order');
  if (list.data?.instead) return isOnPhone ? null : <OrderRefused list={list} />;
  const button = (
    <Button
      size="sm"
      title={t('changed')}
      className={isOnPhone ? undefined : 'bg-soft! text-primary-ink!'}
      icon={<ArrowUpDown size={14} aria-hidden />}
      onClick={({ currentTarget }) => {
        // It goes, and the focus stays among the tools.
        const next = currentTarget.parentElement?.nextElementSibling;
        order.sortAgain();
        requestAnimationFrame(() => {
          if (next instanceof HTMLButtonElement) next.focus();
          findLostFocus();
        });
      }}
    >
      {t('sortAgain')}
    </Button>
  );
  if (!isOnPhone)
    return (
      <span role="status">
        <span className="sr-only">{t('changed')}</span>
        {button}
      </span>
    );
  return (
    <div
      role="status"
      className="flex min-h-14 items-center gap-2 rounded-b-card border-t border-line bg-card px-4 py-2 text-sm text-muted sm:hidden"
    >
      <span className="min-w-0 flex-1">{t('changed')}</span>
      {button}
    </div>
  );
}
