import type { CacheOverview } from '@cordon/contract';
import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { beginningOf, bucketsOf, pointsSinceFirst } from '../../../domain/traffic/first-data';
import { Card } from '../../../ui/card';
import { TimeSeriesChart } from '../../../ui/charts/time-series-chart';
import { SegmentedControl } from '../../../ui/choice';
import { useFormat } from '../../../ui/format';
import { momentText } from '../../../ui/moment-text';
import { bytesFromOrigin } from './figure-cards';

type Point = CacheOverview['series'][number];
const HEIGHT = 160;
/** As wide as the step that comes. */
const USUAL_STEP_SECONDS = 900;
/** Values of a chart are whole numbers. */
const PER_MILLE = 1000;
const NO_POINTS: ReturnType<typeof pointsSinceFirst<Point>> = { points: [], before: 0 };

/** The hit ratio of a cache over the range, or what it sent and what its origin had to. Needs the catalogs `traffic` and `caching`. */
export function FiguresChart({ overview, className }: { overview: CacheOverview | undefined; className?: string }) {
  const t = useTranslations('caching.cacheFigures.chart');
  const tTraffic = useTranslations('traffic.chart');
  const format = useFormat();
  const [measure, setMeasure] = useState<'ratio' | 'bytes'>('ratio');
  const { points, before } = useMemo(() => (overview ? pointsSinceFirst(overview) : NO_POINTS), [overview]);
  const times = useMemo(() => overview && points.map(({ time }) => Date.parse(time) / 1000), [overview, points]);
  const series = useMemo(() => {
    const valuesOf = (valueIn: (point: Point) => number | null) =>
      points.map((point, index) => (index < before ? null : valueIn(point)));
    // No line where nothing was asked for, or no cache was on.
    const ratioIn = ({ hit_ratio: ratio, requests, outcomes: { uncached } }: Point) =>
      ratio === null || requests === uncached.requests ? null : Math.round(ratio * PER_MILLE);
    if (measure === 'ratio') return [{ id: 'ratio', label: t('ratio'), values: valuesOf(ratioIn) }];
    return [
      { id: 'saved', label: t('saved'), values: valuesOf(({ saved_bytes: saved }) => saved) },
      { id: 'origin', label: t('origin'), values: valuesOf(bytesFromOrigin), tone: 2 as const },
    ];
  }, [points, before, measure, t]);
  const buckets = useMemo(() => overview && bucketsOf(overview), [overview]);
  const step = tTraffic('step', { step: format.duration((overview?.bucket_seconds ?? USUAL_STEP_SECONDS) * 1000) });
  const since = overview && beginningOf(overview);
  const title = t(measure === 'ratio' ? 'title' : 'titleBytes');
  return (
    <Card
      title={title}
      className={className}
      fill
      actions={
        <SegmentedControl
          label={t('measure')}
          value={measure}
          onValueChange={setMeasure}
          options={[
            { value: 'ratio', label: t('ratio') },
            { value: 'bytes', label: t('bytes') },
          ]}
        />
      }
    >
      <TimeSeriesChart
        label={title}
        times={times}
        series={series}
        whole={measure === 'ratio' ? PER_MILLE : undefined}
        formatValue={measure === 'ratio' ? (value) => format.percent(value / PER_MILLE) : format.bytes}
        // Of requests there would be a ratio, had a cache been on.
        emptyText={t(measure === 'ratio' && overview?.totals.requests ? 'uncached' : 'empty')}
        height={HEIGHT}
        laterLabels={measure === 'ratio' ? [t('saved'), t('origin')] : []}
        foot={since === undefined ? step : `${tTraffic('since', { time: momentText(format, since) })} · ${step}`}
        {...(buckets && { buckets })}
      />
    </Card>
  );
}
