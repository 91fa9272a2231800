import type { Receipt, Route } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
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

interface NodeProps {
  node: Receipt['nodes'][number];
  receipt: Receipt;
  isSuspended: boolean;
}

/** The sum of all nodes is said in the head of the page: of one alone its time, of each the version are not told again. */
function Node({ node, receipt: { action, version, nodes }, isSuspended }: NodeProps) {
  const t = useTranslations('domain.receipt');
  const format = useFormat();
  const isRemoval = action === 'deactivate' || action === 'delete';
  const isHeldBack = isSuspended && node.state === 'live' && !isRemoval;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
      <span className="min-w-0 flex-1 font-mono text-sm wrap-anywhere">{node.node}</span>
      <span className="tabular text-sm whitespace-nowrap text-muted">
        {[
          node.live_ms === null || nodes.length === 1 ? undefined : format.duration(Math.round(node.live_ms)),
          node.version === null || node.version === version || isRemoval
            ? undefined
            : t('version', { version: node.version }),
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
      {node.refusal !== null && (
        <span className="w-full text-sm text-danger wrap-anywhere">{t('refusal', { reason: node.refusal })}</span>
      )}
    </li>
  );
}

/** What the head of the page tells of itself, with who and when; on a phone it leaves out when. */
const TOLD_IN_HEAD: ReadonlySet<Receipt['action']> = new Set(['deploy', 'deactivate']);

function Happened({ receipt: { action, version, committed_at: at } }: { receipt: Receipt }) {
  const t = useTranslations('domain.receipt');
  const format = useFormat();
  const isTold = TOLD_IN_HEAD.has(action);
  return (
    <span className={clsx('text-sm text-muted', isTold && 'sm:hidden')} title={format.dateTime(at)}>
      {!isTold && `${t(`action.${action}`, { version })} · `}
      {format.relative(at)}
    </span>
  );
}

/** The proof of the last deploy: each node, milliseconds from commit to live, and what its probe answered. */
export function ReceiptCard({ route }: { route: Route }) {
  const t = useTranslations('domain.receipt');
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
      aside={<Happened receipt={receipt} />}
      // That all went well is said in the head of the page.
      isOpen={receipt.nodes.some(({ state }) => state !== 'live')}
    >
      {receipt.nodes.length === 0 ? (
        <p className="px-4 pb-4 text-muted">{t('noNodes')}</p>
      ) : (
        <ul className="divide-y divide-line border-t border-line">
          {receipt.nodes.map((node) => (
            <Node key={node.node} node={node} receipt={receipt} isSuspended={route.suspension !== null} />
          ))}
        </ul>
      )}
    </FoldingCard>
  );
}
