import type { TrafficRange } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ChartColumn } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../app/failure';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { SegmentedControl } from '../../ui/choice';
import { useFormat } from '../../ui/format';
import { PageHeader } from '../../ui/page-header';
import { EmptyState, ErrorState } from '../../ui/states';
import { BlockedByReason, type BlockedByReasonProps, Countries, StatusClasses, TopDomains } from './breakdowns';
import { overviewOptions } from './queries';
import { Totals } from './totals';
import { TrafficChart } from './traffic-chart';

const RANGES: readonly TrafficRange[] = ['15m', '1h', '24h', '7d'];

export interface DashboardScreenProps {
  range: TrafficRange;
  onRangeChange: (range: TrafficRange) => void;
  reasonText: BlockedByReasonProps['reasonText'];
}

/** Traffic of the whole account: is it working, what changed, what was kept away. */
export function DashboardScreen({ range, onRangeChange, reasonText }: DashboardScreenProps) {
  const t = useTranslations('traffic');
  const format = useFormat();
  const navigate = useNavigate();
  const query = useQuery(overviewOptions(range));
  const overview = query.data;
  const header = (
    <PageHeader
      title={t('title')}
      description={t('description')}
      actions={
        <SegmentedControl
          label={t('range.label')}
          value={range}
          onValueChange={onRangeChange}
          options={RANGES.map((value) => ({ value, label: t(`range.${value}`) }))}
        />
      }
    />
  );
  if (query.isError && overview === undefined) {
    return (
      <>
        {header}
        <Card>
          <ErrorState
            {...describeFailure(query.error)}
            onRetry={() => void query.refetch()}
            isRetrying={query.isFetching}
          />
        </Card>
      </>
    );
  }
  const hasNothing = overview && overview.totals.requests === 0 && overview.previous.requests === 0;
  return (
    <>
      {header}
      <div className="flex flex-col gap-4" aria-busy={query.isPlaceholderData}>
        {query.isError && overview && (
          <p role="status" className="text-sm text-warning">
            {t('stale', { time: format.dateTime(overview.to) })}
          </p>
        )}
        <Totals overview={overview} />
        {hasNothing ? (
          <Card>
            <EmptyState
              icon={<ChartColumn size={22} aria-hidden />}
              title={t('empty.title')}
              description={t('empty.description')}
              action={
                <Button variant="primary" onClick={() => void navigate({ to: '/domain/list' })}>
                  {t('empty.action')}
                </Button>
              }
            />
          </Card>
        ) : (
          <>
            <TrafficChart overview={overview} />
            <div className="grid gap-4 lg:grid-cols-2 [&>*]:min-w-0">
              <StatusClasses overview={overview} />
              <TopDomains overview={overview} />
              <BlockedByReason overview={overview} reasonText={reasonText} />
              <Countries overview={overview} />
            </div>
          </>
        )}
        {overview && <p className="text-sm text-muted">{t('updated', { time: format.time(overview.to, true) })}</p>}
      </div>
    </>
  );
}
