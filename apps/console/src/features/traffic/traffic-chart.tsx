import type { TrafficOverview } from '@cordon/contract';
import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Card } from '../../ui/card';
import { TimeSeriesChart } from '../../ui/charts/time-series-chart';
import { SegmentedControl } from '../../ui/choice';
import { useFormat } from '../../ui/format';

type Measure = 'requests' | 'bytes';

/** Requests with what was blocked of them, or bytes, over the range. */
export function TrafficChart({ overview }: { overview: TrafficOverview | undefined }) {
  const t = useTranslations('traffic');
  const format = useFormat();
  const [measure, setMeasure] = useState<Measure>('requests');
  const times = useMemo(() => overview?.series.map((point) => Date.parse(point.time) / 1000), [overview]);
  const series = useMemo(() => {
    const points = overview?.series ?? [];
    if (measure === 'bytes')
      return [{ id: 'bytes', label: t('transferred'), values: points.map((point) => point.bytes) }];
    return [
      { id: 'requests', label: t('requests'), values: points.map((point) => point.requests) },
      { id: 'blocked', label: t('blocked'), values: points.map((point) => point.blocked), tone: 'danger' as const },
    ];
  }, [overview, measure, t]);
  const buckets = useMemo(() => {
    const last = times?.at(-1);
    if (!overview || last === undefined) return undefined;
    const end = (last + overview.bucket_seconds) * 1000;
    return { seconds: overview.bucket_seconds, isLastPartial: end > Date.parse(overview.to) };
  }, [overview, times]);
  return (
    <Card
      title={t('chart.title')}
      description={overview && t('chart.bucket', { duration: format.duration(overview.bucket_seconds * 1000) })}
      actions={
        <SegmentedControl
          label={t('chart.measure')}
          value={measure}
          onValueChange={setMeasure}
          options={[
            { value: 'requests', label: t('requests') },
            { value: 'bytes', label: t('transferred') },
          ]}
        />
      }
    >
      <TimeSeriesChart
        label={t('chart.title')}
        times={times}
        buckets={buckets}
        series={series}
        formatValue={measure === 'bytes' ? format.bytes : format.compact}
        emptyText={t('chart.empty')}
      />
    </Card>
  );
}
