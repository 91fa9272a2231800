import type { CacheClear } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { StatusBadge } from '../../ui/badge';
import { useFormat } from '../../ui/format';

const TONES = { cleared: 'success', waiting: 'warning', silent: 'neutral' } as const;

/** "Cleared on 3 of 3 nodes in 12 ms": in how long the slowest of those that have. */
export function useClearSummary(): (clear: CacheClear) => string {
  const t = useTranslations('caching');
  const format = useFormat();
  return ({ nodes }) => {
    const times = nodes.flatMap(({ milliseconds }) => milliseconds ?? []);
    const values = { done: times.length, total: nodes.length };
    if (nodes.length === 0) return t('noNodes');
    if (times.length === 0) return t('summary.none', values);
    return t('summary.done', { ...values, time: format.duration(Math.ceil(Math.max(...times))) });
  };
}

/** Each node with its milliseconds. */
export function ClearNodes({ clear }: { clear: CacheClear }) {
  const t = useTranslations('caching');
  const format = useFormat();
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1.5" aria-label={t('nodes')}>
      {clear.nodes.map(({ name, state, milliseconds }) => (
        <li key={name} className="flex min-w-0 items-center gap-2 text-sm">
          <span className="min-w-0 wrap-anywhere">{name}</span>
          <StatusBadge tone={TONES[state]} busy={state === 'waiting'}>
            {milliseconds === null ? t(`state.${state}`) : format.duration(Math.ceil(milliseconds))}
          </StatusBadge>
        </li>
      ))}
    </ul>
  );
}
