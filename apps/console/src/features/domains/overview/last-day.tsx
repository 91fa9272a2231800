import type { Route } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../../app/failure';
import { trafficOptions, versionsOptions } from '../../../domain/data/queries';
import { isWithinHour } from '../../../domain/traffic/first-data';
import { TrafficChart } from '../../../domain/traffic/traffic-chart';
import { TrafficNumbers } from '../../../domain/traffic/traffic-numbers';
import { Card } from '../../../ui/card';
import { ErrorState } from '../../../ui/states';
import { Protection } from './protection';

/** More deploys than these in one day are not marked. */
const MARKED = 20;
const CHART_HEIGHT = 180;

/** The last 24 hours of a domain: numbers, their course with the deploys in it, and what each plugin did. */
export default function LastDay({ route }: { route: Route }) {
  const t = useTranslations('overview.day');
  const day = useQuery(trafficOptions(route.id));
  const isYoung = day.data !== undefined && isWithinHour(day.data);
  const hour = useQuery({ ...trafficOptions(route.id, '1h'), enabled: isYoung });
  const traffic = isYoung && !hour.isLoadingError ? hour : day;
  const { data: versions } = useQuery(versionsOptions(route.id, 1, MARKED));
  const label = t('deploys');
  const marks = useMemo(
    () => ({ label, times: versions?.results.map((one) => Date.parse(one.created_at) / 1000) ?? [] }),
    [versions, label],
  );
  const from = traffic.data && Date.parse(traffic.data.from) / 1000;
  const shown = useMemo(() => ({ ...marks, times: marks.times.filter((one) => one > (from ?? 0)) }), [marks, from]);
  const { id } = route;
  return (
    <>
      {!traffic.isLoadingError && (
        <TrafficNumbers
          overview={traffic.data}
          since={route.created_at}
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
        {traffic.isLoadingError ? (
          <Card className="lg:col-span-2">
            <ErrorState
              {...describeFailure(traffic.error)}
              onRetry={() => void traffic.refetch()}
              isRetrying={traffic.isFetching}
              className="py-4!"
            />
          </Card>
        ) : (
          <TrafficChart overview={traffic.data} marks={shown} height={CHART_HEIGHT} className="lg:col-span-2" />
        )}
        <Protection route={route} effects={traffic.data?.plugins} isPending={traffic.isPending} />
      </div>
    </>
  );
}
