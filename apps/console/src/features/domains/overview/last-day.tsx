import type { Route } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../../app/failure';
import { trafficOptions, versionsOptions } from '../../../domain/data/queries';
import { isWithinHour, withPointsOf } from '../../../domain/traffic/first-data';
import { TrafficChart } from '../../../domain/traffic/traffic-chart';
import { TrafficNumbers } from '../../../domain/traffic/traffic-numbers';
import { Card } from '../../../ui/card';
import { ErrorState } from '../../../ui/states';
import { Protection } from './protection';

/** More deploys than these in one day are not marked. */
const MARKED = 20;
const CHART_HEIGHT = 180;
const DAY_MS = 86_400_000;

/** A domain that is new, or that nobody is led to yet: where nothing has come, there are no numbers to show. */
const canBeUntouched = ({ ownership, created_at: created }: Route): boolean =>
  ownership.state === 'pending' || Date.now() - Date.parse(created) < DAY_MS;

interface LastDayProps {
  route: Route;
  /** Until it is known whether there is anything to show. */
  outline: ReactNode;
  /** A cache is on: the hit ratio is one of the numbers. */
  hasHits?: boolean;
  /** What stands below: it comes with the numbers, or in their place. */
  children: ReactNode;
}

/** The last 24 hours of a domain: numbers, their course with the deploys in it, and what each plugin did. */
export default function LastDay({ route, outline, hasHits = false, children }: LastDayProps) {
  const t = useTranslations('overview.day');
  const day = useQuery(trafficOptions(route.id));
  const isYoung = day.data !== undefined && isWithinHour(day.data);
  // The numbers stay those of the day: only the course has the points of the hour.
  const hour = useQuery({ ...trafficOptions(route.id, '1h'), enabled: isYoung });
  const fine = isYoung && hour.data ? withPointsOf(day.data, hour.data) : day.data;
  const { data: versions } = useQuery(versionsOptions(route.id, 1, MARKED));
  const label = t('deploys');
  const marks = useMemo(
    () => ({ label, times: versions?.results.map((one) => Date.parse(one.created_at) / 1000) ?? [] }),
    [versions, label],
  );
  const from = Date.parse(fine?.series[0]?.time ?? '') / 1000;
  const shown = useMemo(() => ({ ...marks, times: marks.times.filter((one) => one > from) }), [marks, from]);
  const { id } = route;
  if (canBeUntouched(route)) {
    if (day.isPending) return outline;
    if (day.data?.totals.requests === 0) return children;
  }
  return (
    <>
      {!day.isLoadingError && (
        <TrafficNumbers
          overview={fine}
          since={route.created_at}
          hitsHref={hasHits ? `#/domain/list/${id}?tab=caching` : undefined}
          hrefs={{
            requests: `#/dashboard?range=24h&domain=${id}`,
            blocked: `#/domain/list/${id}?tab=protection`,
            challenged: `#/domain/list/${id}?tab=protection`,
            errors: `#/domain/list/${id}?tab=diagnosis`,
            bytes: `#/dashboard?range=24h&domain=${id}`,
          }}
        />
      )}
      <div className="grid gap-4 lg:grid-cols-3">
        {day.isLoadingError ? (
          <Card className="lg:col-span-2">
            <ErrorState
              {...describeFailure(day.error)}
              onRetry={() => void day.refetch()}
              isRetrying={day.isFetching}
              className="py-4!"
            />
          </Card>
        ) : (
          <TrafficChart
            overview={isYoung && hour.isLoading ? undefined : fine}
            marks={shown}
            height={CHART_HEIGHT}
            className="lg:col-span-2"
          />
        )}
        <Protection route={route} effects={day.data?.plugins} isPending={day.isPending} />
      </div>
      {children}
    </>
  );
}
