import type { PrefetchNode } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../../app/failure';
import { StatusBadge, type Tone } from '../../../ui/badge';
import { useFormat } from '../../../ui/format';
import { ErrorState, Skeleton } from '../../../ui/states';
import { doneOf, outcomeTone, useCounts } from './counts';
import { PrefetchProblems } from './prefetch-problems';
import { prefetchOptions } from './queries';

/** Of nodes that are done, what has come of it says it. */
const TONES: Readonly<Record<Exclude<PrefetchNode['state'], 'done'>, Tone>> = {
  waiting: 'neutral',
  running: 'primary',
  cancelled: 'neutral',
  timed_out: 'warning',
  busy: 'warning',
  silent: 'warning',
};

function NodeLine({ node, visits }: { node: PrefetchNode; visits: number }) {
  const t = useTranslations('caching.prefetch');
  const format = useFormat();
  const countsOf = useCounts();
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2 text-sm last:border-b-0">
      <span className="min-w-0 font-medium wrap-anywhere">{node.name}</span>
      <StatusBadge tone={node.state === 'done' ? outcomeTone(node) : TONES[node.state]} busy={node.state === 'running'}>
        {t(`node.${node.state}`, { done: format.number(doneOf(node)), all: format.number(visits) })}
      </StatusBadge>
      <span className="text-muted tabular">{countsOf(node)}</span>
    </li>
  );
}

/** Each node, and what was not kept. */
export function PrefetchDetails({ routeId, id }: { routeId: string; id: string }) {
  const t = useTranslations('caching.prefetch');
  const { data, error, isLoadingError, isFetching, refetch } = useQuery(prefetchOptions(routeId, id));
  if (isLoadingError)
    return (
      <ErrorState
        {...describeFailure(error)}
        onRetry={() => void refetch()}
        isRetrying={isFetching}
        className="py-4!"
      />
    );
  if (!data) return <Skeleton className="h-16 w-full" />;
  return (
    <div className="flex flex-col gap-3">
      {data.nodes.length === 0 ? (
        <p className="text-sm text-muted">{t('noNodes')}</p>
      ) : (
        <ul aria-label={t('nodes')}>
          {data.nodes.map((node) => (
            <NodeLine key={node.name} node={node} visits={data.visits} />
          ))}
        </ul>
      )}
      <PrefetchProblems prefetch={data} />
    </div>
  );
}
