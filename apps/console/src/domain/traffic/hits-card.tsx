import type { TrafficOverview } from '@cordon/contract';
import clsx from 'clsx';
import { useTranslations } from 'use-intl';
import { StatCard } from '../../ui/card';
import { MiniChart } from '../../ui/charts/mini-chart';
import { useFormat } from '../../ui/format';
import { useIsPhone } from '../../ui/use-media';
import { BesideCourse } from './beside-course';
import { courseOf } from './first-data';
import { hadCache, steadyRatios, useHitRatio } from './hit-ratio';

type Range = Pick<TrafficOverview, 'cache' | 'range' | 'bucket_seconds' | 'to'>;

function courseOfRatio({ cache, bucket_seconds, to }: Range) {
  const ratios = steadyRatios(cache);
  return courseOf({ ...cache, bucket_seconds, to }, ({ time }) => ratios.get(time) ?? 0);
}

interface HitsCardProps {
  overview: Range;
  label: string;
  href: string;
}

/** The hit ratio of a range, its course and what it saved; without a cache, that all came from the origin. Needs the catalog `traffic`. */
export default function HitsCard({ overview, label, href }: HitsCardProps) {
  const t = useTranslations('traffic.hits');
  const format = useFormat();
  const { textOf, deltaOf } = useHitRatio();
  const isPhone = useIsPhone();
  const { cache, range } = overview;
  const { totals } = cache;
  if (!hadCache(cache))
    return (
      <StatCard
        label={label}
        href={href}
        value={textOf({ hit_ratio: null })}
        chart={
          <BesideCourse
            text={
              totals.requests === 0
                ? '\u00a0'
                : t.rich('uncached', { line: (words) => <span className="block phone:hidden">{words}</span> })
            }
          />
        }
      />
    );
  const delta = deltaOf({ ...cache, range });
  const saved = format.bytes(totals.saved_bytes);
  return (
    <StatCard
      label={label}
      href={href}
      value={textOf(totals)}
      {...(delta && { delta })}
      chart={
        <BesideCourse
          text={t.rich('saved', {
            bytes: saved,
            line: (bytes) => <span className={clsx('tabular', !isPhone && 'block')}>{bytes}</span>,
          })}
          title={t('savedTitle', { bytes: saved })}
        >
          <div className="phone:hidden">
            <MiniChart {...courseOfRatio(overview)} top={1} tone="primary" />
          </div>
        </BesideCourse>
      }
    />
  );
}
