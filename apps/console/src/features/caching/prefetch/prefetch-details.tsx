import type { Prefetch, PrefetchNode, PrefetchProblem } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../../app/failure';
import { StatusBadge, type Tone } from '../../../ui/badge';
import { useFormat } from '../../../ui/format';
import { ErrorState, Skeleton } from '../../../ui/states';
import { useCostWords } from '../cache-figures/cost-words';
import { doneOf, useCounts } from './counts';
import { prefetchOptions } from './queries';

const TONES: Readonly<Record<PrefetchNode['state'], Tone>> = {
  waiting: 'neutral',
  running: 'primary',
  done: 'success',
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
      <StatusBadge tone={TONES[node.state]} busy={node.state === 'running'}>
        {t(`node.${node.state}`, { done: format.number(doneOf(node)), all: format.number(visits) })}
      </StatusBadge>
      <span className="text-muted tabular">{countsOf(node)}</span>
    </li>
  );
}

/** Of several nodes that met the same, one line. */
function mergeProblems(problems: readonly PrefetchProblem[]) {
  const merged = new Map<string, { problem: PrefetchProblem; nodes: string[] }>();
  for (const problem of problems) {
    const { node, ...what } = problem;
    const key = JSON.stringify(what);
    const known = merged.get(key);
    if (known) known.nodes.push(node);
    else merged.set(key, { problem, nodes: [node] });
  }
  return [...merged.values()];
}

function ProblemLine({ problem, nodes }: { problem: PrefetchProblem; nodes: readonly string[] }) {
  const t = useTranslations('caching.prefetch');
  const format = useFormat();
  const costWords = useCostWords();
  const { url, device, language, status, reason } = problem;
  const why =
    reason !== ''
      ? t('problem.unkept', { why: costWords({ cache: 'bypass', cache_reason: reason, status }).why })
      : status === 0
        ? t('problem.silent')
        : status >= 400
          ? t('problem.status', { status: String(status) })
          : t('problem.unkept', { why: costWords({ cache: 'bypass', cache_reason: '', status }).why });
  const detail = [device === null ? [] : t(`device.${device}`), language ?? [], format.list(nodes)].flat().join(' · ');
  return (
    <li className="border-b border-line py-2 text-sm last:border-b-0">
      <span className="block font-mono wrap-anywhere">{url}</span>
      <span className="text-muted wrap-anywhere">{t('problem.line', { why, detail })}</span>
    </li>
  );
}

function Problems({ prefetch }: { prefetch: Prefetch }) {
  const t = useTranslations('caching.prefetch');
  const counted = prefetch.nodes.reduce((sum, { unkept, failed }) => sum + unkept + failed, 0);
  if (prefetch.problems.length === 0) return null;
  const left = counted - prefetch.problems.length;
  return (
    <section aria-label={t('problem.title')}>
      <h4 className="text-sm font-medium">{t('problem.title')}</h4>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      <ul className="max-h-72 overflow-y-auto" tabIndex={0} aria-label={t('problem.title')}>
        {mergeProblems(prefetch.problems).map(({ problem, nodes }) => (
          <ProblemLine key={JSON.stringify(problem)} problem={problem} nodes={nodes} />
        ))}
      </ul>
      {left > 0 && <p className="text-sm text-muted">{t('problem.more', { count: left })}</p>}
    </section>
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
      <Problems prefetch={data} />
    </div>
  );
}
