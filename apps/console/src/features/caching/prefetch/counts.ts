import type { PrefetchNode, PrefetchSummary } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { useListed } from '../../../domain/words/use-listed';
import type { Tone } from '../../../ui/badge';

const COUNTS = ['kept', 'fresh', 'unkept', 'failed'] as const;
export type Counts = Pick<PrefetchNode, (typeof COUNTS)[number]>;

export const doneOf = (counts: Counts): number => COUNTS.reduce((sum, count) => sum + counts[count], 0);

/** Of all nodes together. */
export const sumOf = ({ nodes }: Pick<PrefetchSummary, 'nodes'>): Counts =>
  Object.fromEntries(
    COUNTS.map((count) => [count, nodes.reduce((sum, node) => sum + node[count], 0)]),
  ) as unknown as Counts;

/** What is over though something is missing is no success, and what has brought the cache nothing a failure. */
export function outcomeTone({ kept, fresh, unkept, failed }: Counts): Tone {
  if (kept + fresh === 0) return 'danger';
  return unkept + failed > 0 ? 'warning' : 'success';
}

/** "12 kept, 3 already there, 1 failed"; what is none is left out. */
export function useCounts(): (counts: Counts) => string {
  const t = useTranslations('caching.prefetch');
  const listed = useListed();
  return (counts) => {
    const some = COUNTS.filter((count) => counts[count] > 0);
    return listed(some.map((count) => t(`count.${count}`, { count: counts[count] })));
  };
}
