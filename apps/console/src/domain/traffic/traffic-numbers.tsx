import type { TrafficOverview } from '@cordon/contract';
import { Fragment, Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { StatCard, StatGrid } from '../../ui/card';
import { MiniChart } from '../../ui/charts/mini-chart';
import { useFormat } from '../../ui/format';
import { lazyPart } from '../../ui/lazy-part';
import { useIsPhone, useMedia } from '../../ui/use-media';
import { BesideCourse } from './beside-course';
import { hasChallenged } from './challenges';
import { changeOf, directionOf, isComparable } from './change';
import { courseOf } from './first-data';

const HitsCard = lazyPart(() => import('./hits-card'));

export type TrafficNumber = 'requests' | 'blocked' | 'challenged' | 'errors' | 'bytes';

/** From this on a change is told as a factor: `×12` rather than `+1,100%`. */
const FACTOR_MIN = 3;
/** From this on the number before was next to nothing, and how many times it was says nothing. */
const FACTOR_MAX = 10.99;
/** The least that is as high as a small chart: below, neither a few requests nor a few errors among many look like a peak. */
const COUNT_TOP = 10;
const SHARE_TOP = 0.1;
const errorShare = ({ requests, status_5xx }: { requests: number; status_5xx: number }) =>
  requests > 0 ? status_5xx / requests : 0;

const NBSP = '\u00a0';

/** Of an odd number it has its line for itself on a phone. */
const LAST: TrafficNumber = 'bytes';
/** From here on, the spec's third breakpoint, five labels have room for the range beside a sidebar. */
const ROOMY = '(min-width: 1200px)';

interface TrafficNumbersProps {
  /** Undefined shows skeletons. */
  overview: TrafficOverview | undefined;
  /** Since when there is what is counted, as a timestamp; nothing is compared with what was before. */
  since: string | undefined;
  /** Where a number leads. */
  hrefs: Partial<Readonly<Record<TrafficNumber, string>>>;
  /** Where the hit ratio leads, behind the requests; without, there is none. */
  hitsHref?: string | undefined;
}

/** The numbers of a range, each with its course, its change against the range before and where it leads. Needs the catalog `traffic`. */
export function TrafficNumbers({ overview, since, hrefs, hitsHref }: TrafficNumbersProps) {
  const t = useTranslations('traffic');
  const format = useFormat();
  const cards = [
    { id: 'requests', valueIn: (of) => of.requests, show: format.compact, tone: 'primary', rise: 'neutral' },
    { id: 'blocked', valueIn: (of) => of.blocked, show: format.compact, tone: 'blocked', rise: 'neutral' },
    { id: 'errors', valueIn: errorShare, show: (share) => format.percent(share, 2), tone: 'danger', rise: 'danger' },
    { id: 'bytes', valueIn: (of) => of.bytes, show: format.bytes, tone: 'primary', rise: 'neutral' },
  ] as const satisfies readonly {
    id: TrafficNumber;
    valueIn: (of: TrafficOverview['totals']) => number;
    show: (value: number, largest?: number) => string;
    tone: 'primary' | 'blocked' | 'danger';
    rise: 'neutral' | 'danger';
  }[];
  const textOf = (change: number) => {
    if (change >= FACTOR_MAX - 1) return `>${format.percent(FACTOR_MAX - 1, 0)}`;
    return change >= FACTOR_MIN - 1 ? `×${Math.round(change + 1)}` : format.delta(change);
  };
  const deltaOf = (now: number, before: number, rise: 'neutral' | 'danger') => {
    if (!overview || since === undefined) return undefined;
    const change = isComparable(overview, since) ? changeOf(now, before) : undefined;
    const range = t(`range.${overview.range}`);
    // Nothing before that it could be compared with.
    if (change === undefined) return undefined;
    const direction = directionOf(change);
    return {
      text: textOf(change),
      direction,
      tone: direction === 'up' ? rise : direction === 'down' && rise === 'danger' ? 'success' : 'neutral',
      description: t('delta', { range }),
    } as const;
  };
  // What was blocked is drawn as the part of the requests that it is.
  const countTop = Math.max(COUNT_TOP, ...(overview ? courseOf(overview, (of) => of.requests).values : []));
  const tops = { requests: countTop, blocked: countTop, errors: SHARE_TOP, bytes: 0 };
  const hasChallenges = overview && (hasChallenged(overview.totals) || hasChallenged(overview.previous));
  const challengesOf = ({ challenged, passed }: TrafficOverview['totals']) => ({
    text: t.rich('number.passedOf', {
      passed: format.compact(passed),
      challenged: format.compact(challenged),
      line: (numbers) => <span className="tabular block">{numbers}</span>,
    }),
    title: `${t('number.challengedOf', { number: format.compact(challenged) })} · ${t('number.passed', { count: passed, number: format.compact(passed) })}`,
  });
  const isPhone = useIsPhone();
  const isRoomy = useMedia(ROOMY);
  const hasHits = hitsHref !== undefined;
  const labelOf = (id: TrafficNumber | 'hits') =>
    overview && (!hasHits || isPhone || isRoomy)
      ? [t(`number.${id}`), t(`range.${overview.range}`)].join(' · ')
      : t(`number.${id}`);
  // As high as it will be: also on a phone, where the requests beside it have no chart.
  const noHits = <StatCard label={labelOf('hits')} value={undefined} chart={<BesideCourse text={NBSP} />} />;
  return (
    <StatGrid columns={hasHits && !isPhone ? cards.length + 1 : undefined}>
      {cards.map(({ id, valueIn, show, tone, rise }) => {
        const value = overview && valueIn(overview.totals);
        const course = (
          // On a phone the chart below is in sight with them.
          <div className="phone:hidden">
            <MiniChart
              {...(overview ? courseOf(overview, valueIn) : { values: [] })}
              top={tops[id]}
              tone={value === 0 && tone !== 'primary' ? 'neutral' : tone}
            />
          </div>
        );
        const card = (
          <StatCard
            label={labelOf(id)}
            href={hrefs[id]}
            value={value === undefined ? undefined : show(value, overview?.totals.requests)}
            delta={overview && deltaOf(valueIn(overview.totals), valueIn(overview.previous), rise)}
            chart={
              id === 'blocked' && hasChallenges ? (
                <BesideCourse {...challengesOf(overview.totals)} href={hrefs.challenged}>
                  {course}
                </BesideCourse>
              ) : (
                course
              )
            }
          />
        );
        return (
          <Fragment key={id}>
            {hasHits && isPhone && id === LAST ? <div className="col-span-full">{card}</div> : card}
            {id === 'requests' && hasHits && (
              <Suspense fallback={noHits}>
                {overview ? <HitsCard overview={overview} label={labelOf('hits')} href={hitsHref} /> : noHits}
              </Suspense>
            )}
          </Fragment>
        );
      })}
    </StatGrid>
  );
}
