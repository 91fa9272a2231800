import type { TrafficOverview } from '@cordon/contract';
import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Card } from '../../ui/card';
import type { ChartMarks } from '../../ui/charts/chart-types';
import { TimeSeriesChart } from '../../ui/charts/time-series-chart';
import { SegmentedControl } from '../../ui/choice';
import { useFormat } from '../../ui/format';
import { momentText } from '../../ui/moment-text';
import { hasChallenged } from './challenges';
import { beginningOf, bucketsOf, pointsSinceFirst } from './first-data';

type Measure = 'requests' | 'bytes';
/** As wide as the step that comes. */
const USUAL_STEP_SECONDS = 900;
const NO_POINTS: ReturnType<typeof pointsSinceFirst<TrafficOverview['series'][number]>> = { points: [], before: 0 };

interface TrafficChartProps {
  overview: TrafficOverview | undefined;
  /** Moments to mark, as unix seconds, and what they are. */
  marks?: ChartMarks | undefined;
  height?: number;
  className?: string;
}

/** Requests with what was blocked, challenged and what failed of them, or bytes, over the range. Needs the catalog `traffic`. */
export function TrafficChart({ overview, marks, height, className }: TrafficChartProps) {
  const t = useTranslations('traffic');
  const format = useFormat();
  const [measure, setMeasure] = useState<Measure>('requests');
  const { points, before } = useMemo(() => (overview ? pointsSinceFirst(overview) : NO_POINTS), [overview]);
  const times = useMemo(() => overview && points.map((point) => Date.parse(point.time) / 1000), [overview, points]);
  // Most domains challenge nothing: a line that is always 0 would only hide the others.
  const hasChallenges = overview !== undefined && hasChallenged(overview.totals);
  const series = useMemo(() => {
    type Point = (typeof points)[number];
    // No line, not one at 0, where nothing was counted.
    const valuesOf = (valueIn: (point: Point) => number) =>
      points.map((point, index) => (index < before ? null : valueIn(point)));
    if (measure === 'bytes') return [{ id: 'bytes', label: t('number.bytes'), values: valuesOf(({ bytes }) => bytes) }];
    return [
      { id: 'requests', label: t('number.requests'), values: valuesOf(({ requests }) => requests) },
      { id: 'blocked', label: t('number.blocked'), values: valuesOf(({ blocked }) => blocked), tone: 2 as const },
      {
        id: 'errors',
        label: t('number.errors'),
        values: valuesOf(({ status_5xx }) => status_5xx),
        tone: 'danger' as const,
      },
      ...(hasChallenges
        ? [
            {
              id: 'challenged',
              label: t('number.challenged'),
              values: valuesOf(({ challenged }) => challenged),
              tone: 3 as const,
            },
            { id: 'passed', label: t('chart.passed'), values: valuesOf(({ passed }) => passed), tone: 4 as const },
          ]
        : []),
    ];
  }, [points, before, measure, hasChallenges, t]);
  const later = hasChallenges && measure === 'requests' ? [] : [t('number.challenged'), t('chart.passed')];
  // Of bytes as much room as of requests.
  const laterLabels = measure === 'bytes' ? [t('number.blocked'), t('number.errors'), ...later] : later;
  const buckets = useMemo(() => overview && bucketsOf(overview), [overview]);
  const step = t('chart.step', { step: format.duration((overview?.bucket_seconds ?? USUAL_STEP_SECONDS) * 1000) });
  const since = overview && beginningOf(overview);
  return (
    <Card
      title={t('chart.title')}
      className={className}
      fill
      actions={
        <SegmentedControl
          label={t('chart.measure')}
          value={measure}
          onValueChange={setMeasure}
          options={[
            { value: 'requests', label: t('number.requests') },
            { value: 'bytes', label: t('number.bytes') },
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
        laterLabels={laterLabels}
        emptyText={t('chart.empty')}
        foot={since === undefined ? step : `${t('chart.since', { time: momentText(format, since) })} · ${step}`}
        {...(marks && { marks })}
        {...(height !== undefined && { height })}
      />
    </Card>
  );
}
