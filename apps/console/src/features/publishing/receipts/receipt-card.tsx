import type { Receipt, Route } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { ReceiptText } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../../app/failure';
import { useLiveInterval } from '../../../app/live-events';
import { receiptOptions } from '../../../domain/data/queries';
import { FoldingCard } from '../../../domain/display/folding-card';
import { StatusBadge, type Tone } from '../../../ui/badge';
import { Card } from '../../../ui/card';
import { useFormat } from '../../../ui/format';
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states';

const TONES: Record<Receipt['nodes'][number]['state'], Tone> = {
  waiting: 'primary',
  live: 'success',
  failed: 'danger',
  offline: 'neutral',
};
/** While nodes report, the receipt is read this often besides the websocket's events. */
const RUNNING_POLLING_MS = 1000;

function Node({
  node,
  action,
  isSuspended,
}: {
  node: Receipt['nodes'][number];
  action: Receipt['action'];
  isSuspended: boolean;
}) {
  const t = useTranslations('domain.receipt');
  const format = useFormat();
  const isRemoval = action === 'deactivate' || action === 'delete';
  const isHeldBack = isSuspended && node.state === 'live' && !isRemoval;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 sm:px-5">
      <span className="min-w-0 flex-1 font-mono text-sm wrap-anywhere">{node.node}</span>
      <span className="tabular text-sm whitespace-nowrap text-muted">
        {[
          node.live_ms === null ? undefined : format.duration(Math.round(node.live_ms)),
          node.version === null || isRemoval ? undefined : t('version', { version: node.version }),
          node.probe_status === null ? undefined : t('probe', { status: String(node.probe_status) }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
      <StatusBadge tone={isHeldBack ? 'neutral' : TONES[node.state]} busy={node.state === 'waiting'}>
        {t(
          isHeldBack ? 'state.held_back' : node.state === 'live' && isRemoval ? 'state.removed' : `state.${node.state}`,
        )}
      </StatusBadge>
    </li>
  );
}

/** The proof of the last deploy: each node, its version, milliseconds from commit to live, and what its probe answered. */
export function ReceiptCard({ route }: { route: Route }) {
  const t = useTranslations('domain.receipt');
  const format = useFormat();
  const interval = useLiveInterval();
  const query = useQuery({
    ...receiptOptions(route.id),
    refetchInterval: ({ state }) =>
      state.data?.state === 'running' ? (interval === false ? 2 * RUNNING_POLLING_MS : RUNNING_POLLING_MS) : false,
  });
  const receipt = query.data;
  if (receipt === undefined) {
    return (
      <Card title={t('title')}>
        {query.isError ? (
          <ErrorState
            {...describeFailure(query.error)}
            onRetry={() => void query.refetch()}
            isRetrying={query.isFetching}
            className="py-4!"
          />
        ) : (
          <div className="flex flex-col gap-3">
            <Skeleton className="h-5 w-48" />
            <Skeleton className="h-10 w-full" />
          </div>
        )}
      </Card>
    );
  }
  if (receipt === null) {
    return (
      <Card title={t('title')}>
        <EmptyState
          icon={<ReceiptText size={22} aria-hidden />}
          title={t('empty')}
          description={t('emptyBody')}
          className="py-4!"
        />
      </Card>
    );
  }
  return (
    <FoldingCard
      title={t('title')}
      aside={
        <span className="text-sm text-muted" title={format.dateTime(receipt.committed_at)}>
          {t(`action.${receipt.action}`, { version: receipt.version })} · {format.relative(receipt.committed_at)}
        </span>
      }
      // That all went well is said in the head of the page.
      isOpen={receipt.nodes.some(({ state }) => state !== 'live')}
    >
      {receipt.nodes.length === 0 ? (
        <p className="px-4 pb-4 text-muted sm:px-5">{t('noNodes')}</p>
      ) : (
        <ul className="divide-y divide-line border-t border-line">
          {receipt.nodes.map((node) => (
            <Node key={node.node} node={node} action={receipt.action} isSuspended={route.suspension !== null} />
          ))}
        </ul>
      )}
    </FoldingCard>
  );
}
