import type { TrafficOverview } from '@cordon/contract';
import { ArrowDownToLine, ChartColumn, OctagonAlert, ShieldX } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { StatCard, StatGrid } from '../../ui/card';
import { useFormat } from '../../ui/format';
import { changeOf, directionOf } from './change';

/** The four numbers that answer "is it working". */
export function Totals({ overview }: { overview: TrafficOverview | undefined }) {
  const t = useTranslations('traffic');
  const format = useFormat();
  const delta = (
    now: number,
    before: number,
    tones: { up: 'success' | 'danger' | 'neutral'; down: 'success' | 'danger' | 'neutral' },
  ) => {
    const change = changeOf(now, before);
    if (change === undefined) return undefined;
    const direction = directionOf(change);
    return {
      text: format.delta(change),
      direction,
      tone: direction === 'flat' ? ('neutral' as const) : tones[direction],
      description: t('delta', { range: t(`range.${overview?.range ?? '15m'}`) }),
    };
  };
  const neutral = { up: 'neutral', down: 'neutral' } as const;
  const now = overview?.totals;
  const before = overview?.previous;
  const errorShare = (totals: { requests: number; status_5xx: number } | undefined) =>
    totals && totals.requests > 0 ? totals.status_5xx / totals.requests : 0;
  return (
    <StatGrid>
      <StatCard
        label={t('requests')}
        icon={<ChartColumn size={16} aria-hidden />}
        value={now && format.compact(now.requests)}
        delta={now && before && delta(now.requests, before.requests, neutral)}
      />
      <StatCard
        label={t('transferred')}
        icon={<ArrowDownToLine size={16} aria-hidden />}
        value={now && format.bytes(now.bytes)}
        delta={now && before && delta(now.bytes, before.bytes, neutral)}
      />
      <StatCard
        label={t('blocked')}
        icon={<ShieldX size={16} aria-hidden />}
        value={now && format.compact(now.blocked)}
        delta={now && before && delta(now.blocked, before.blocked, neutral)}
      />
      <StatCard
        label={t('serverErrors')}
        icon={<OctagonAlert size={16} aria-hidden />}
        value={now && format.percent(errorShare(now), 2)}
        delta={now && before && delta(errorShare(now), errorShare(before), { up: 'danger', down: 'success' })}
      />
    </StatGrid>
  );
}
