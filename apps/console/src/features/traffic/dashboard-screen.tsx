import type { TrafficOverview, TrafficRange } from '@cordon/contract';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../app/failure';
import { needCatalogs } from '../../app/intl-store';
import { meOptions } from '../../app/me';
import { staleOf } from '../../app/stale-data';
import { hadNoDomain } from '../../app/subscriptions';
import { useLiveDomains } from '../../domain/data/live-domains';
import { accountHealthOptions, routeOptions } from '../../domain/data/queries';
import type { AddressDialog } from '../../domain/traffic/address-dialog';
import { isWithinHour, withPointsOf } from '../../domain/traffic/first-data';
import { TrafficChart } from '../../domain/traffic/traffic-chart';
import { TrafficNumbers } from '../../domain/traffic/traffic-numbers';
import { Card } from '../../ui/card';
import { SegmentedControl } from '../../ui/choice';
import { useFormat } from '../../ui/format';
import { LastHeight } from '../../ui/last-height';
import { lazyPart } from '../../ui/lazy-part';
import { loadedPart, useLoadedPart } from '../../ui/loaded-part';
import { PageHeader } from '../../ui/page-header';
import { ErrorState, Skeleton, StaleLine } from '../../ui/states';
import { Countries, StatusClasses, StoppedByReason, type StoppedByReasonProps, TopDomains } from './breakdowns';
import type { DashboardSearch } from './dashboard-search';
import { hrefsOf } from './links';
import { overviewOptions } from './queries';
import { RANGES } from './range-choice';

const DomainCombobox = lazyPart(async () => {
  await needCatalogs('combobox');
  return import('../../domain/combobox/domain-combobox');
});

const TopDomainsSheet = lazyPart(() => import('./top-domains-sheet'));
const NoTraffic = lazyPart(() => import('./no-traffic'));

const HealthCard = loadedPart(() => import('./health-card'));
const DomainHealthCard = lazyPart(() => import('./domain-health-card'));

const CHART_HEIGHT = 220;
/** Ranges of coarse points. */
const LONG: ReadonlySet<TrafficRange> = new Set(['24h', '7d']);

export interface DashboardScreenProps {
  search: DashboardSearch;
  onSearchChange: (change: Partial<DashboardSearch>) => void;
  reasonText: StoppedByReasonProps['reasonText'];
  /** What is next for who has no domain, or one without traffic; nothing where there is nothing to do. */
  firstSteps: ReactNode;
  AddressDialog: AddressDialog;
  /** The switch for attacks, and what says that it is on. */
  attackButton: ReactNode;
  attackBanner: ReactNode;
  /** Whether it is known what the banner says, and it can be drawn. */
  isAttackKnown: boolean;
}

function Header({
  search,
  onSearchChange,
  isNew,
  attackButton,
}: Pick<DashboardScreenProps, 'search' | 'onSearchChange' | 'attackButton'> & { isNew: boolean }) {
  const t = useTranslations('traffic');
  return (
    <PageHeader
      title={t('title')}
      status={
        // Without a domain there is nothing to choose among.
        !isNew && (
          <Suspense fallback={<Skeleton className="h-9 w-64 touch:h-10 phone:flex-1" />}>
            <DomainCombobox
              label={t('filter.label')}
              placeholder={t('filter.all')}
              isOptional
              value={search.domain}
              onValueChange={(domain) => onSearchChange({ domain })}
              className="w-64 min-w-0 phone:flex-1"
            />
          </Suspense>
        )
      }
      actions={
        !isNew && (
          <>
            {attackButton}
            <SegmentedControl
              label={t('range.label')}
              value={search.range}
              onValueChange={(range) => onSearchChange({ range })}
              options={RANGES.map((value) => ({ value, label: t(`range.${value}`) }))}
            />
          </>
        )
      }
    />
  );
}

function HealthSkeleton() {
  return (
    <div>
      <Skeleton className="h-12 w-full" />
      {/* The sentence stands below its badge on a phone. */}
      <Skeleton className="h-6 w-full sm:hidden" />
    </div>
  );
}

/** What was read last of the same domain, where another range could not be read: numbers stay, and say their age. */
function useLastRead(query: UseQueryResult<TrafficOverview>, domain: string | undefined) {
  const [last, setLast] = useState<{ overview: TrafficOverview; dataUpdatedAt: number; domain: string | undefined }>();
  const { data, dataUpdatedAt, isPlaceholderData } = query;
  if (data && !isPlaceholderData && (last?.overview !== data || last.dataUpdatedAt !== dataUpdatedAt))
    setLast({ overview: data, dataUpdatedAt, domain });
  if (data)
    return { overview: data, data, dataUpdatedAt: isPlaceholderData ? (last?.dataUpdatedAt ?? 0) : dataUpdatedAt };
  return query.isError && last && last.domain === domain ? { ...last, data: last.overview } : undefined;
}

const isEmpty = ({ totals, previous }: TrafficOverview) => totals.requests === 0 && previous.requests === 0;

/** What needs a hand, then the traffic of all domains or one: is it working, what changed, what was kept away. */
export function DashboardScreen({
  search,
  onSearchChange,
  reasonText,
  firstSteps,
  AddressDialog,
  attackButton,
  attackBanner,
  isAttackKnown,
}: DashboardScreenProps) {
  const t = useTranslations('traffic');
  const format = useFormat();
  const { range, domain, match } = search;
  useLiveDomains();
  // What the sheet shows while it closes.
  const shown = useRef(match);
  if (match) shown.current = match;
  const health = useQuery(accountHealthOptions);
  const query = useQuery(overviewOptions(range, domain));
  // An attack and the health stand above the numbers: these do not come before them and move.
  const [isKnown, setKnown] = useState(false);
  const canShowHealth = useLoadedPart(HealthCard);
  if (!isKnown && isAttackKnown && canShowHealth && !health.isPending) setKnown(true);
  const last = useLastRead(query, domain);
  const overview = isKnown ? last?.overview : undefined;
  // A new account's day is one point: it is drawn by the minute.
  const isYoung = overview !== undefined && LONG.has(overview.range) && isWithinHour(overview);
  const hour = useQuery({ ...overviewOptions('1h', domain), placeholderData: undefined, enabled: isYoung });
  const fine = isYoung && hour.data ? withPointsOf(overview, hour.data) : overview;
  const hrefs = hrefsOf(overview, { range: overview?.range ?? range, domain });
  const counts = health.data?.counts;
  const staleNumbers = staleOf(last ? { ...query, ...last } : query);
  const stale = staleNumbers ?? (query.isError ? undefined : staleOf(health));
  const otherRange = staleNumbers && last && last.overview.range !== range ? last.overview.range : undefined;
  // Where the numbers could not be read, nothing is known of the health either since it was read.
  const isUnknown = health.isError || (query.isError && query.errorUpdatedAt > health.dataUpdatedAt);
  const unknownSince = isUnknown ? health.dataUpdatedAt : undefined;
  const account = useQuery(meOptions).data?.account;
  const ofOne = useQuery({ ...routeOptions(domain ?? ''), enabled: domain !== undefined });
  const since = (domain === undefined ? account : ofOne.data)?.created_at;
  const isNew = counts
    ? counts.ok + counts.warning + counts.error + counts.off === 0
    : health.isPending && hadNoDomain();
  return (
    <>
      <Header search={search} onSearchChange={onSearchChange} attackButton={attackButton} isNew={isNew} />
      {isKnown && attackBanner}
      {/* Drawn anew once all of it is known: the skeletons go as one, and none of them is pushed down. */}
      <div key={String(isKnown)} className="flex flex-col gap-4" aria-busy={query.isPlaceholderData}>
        {isNew
          ? firstSteps
          : domain === undefined &&
            // Where it could not be read either, an empty place would only push down why.
            (!isKnown || health.data) && (
              <LastHeight name="health" isPending={!isKnown} skeleton={<HealthSkeleton />}>
                {health.data && <HealthCard health={health.data} unknownSince={unknownSince} />}
              </LastHeight>
            )}
        {ofOne.data && (
          <Suspense fallback={<Skeleton className="h-12 w-full" />}>
            <DomainHealthCard
              domain={{ ...ofOne.data, route_id: ofOne.data.id }}
              isUnknown={ofOne.isError || isUnknown}
            />
          </Suspense>
        )}
        {!isNew && domain !== undefined && ofOne.isPending && <Skeleton className="h-12 w-full" />}
        {isKnown && query.isError && last === undefined ? (
          <Card>
            <ErrorState
              {...describeFailure(query.error)}
              onRetry={() => {
                void query.refetch();
                if (health.isError) void health.refetch();
              }}
              isRetrying={query.isFetching}
              className="py-4!"
            />
          </Card>
        ) : (overview ? isEmpty(overview) : isNew) ? (
          !isNew && (
            <>
              {domain === undefined && firstSteps}
              <Suspense fallback={<Skeleton className="h-64 w-full" />}>
                <NoTraffic isOfOne={domain !== undefined} href={hrefs.home} />
              </Suspense>
            </>
          )
        ) : (
          <>
            <TrafficNumbers overview={fine} since={since} hrefs={hrefs.numbers} hitsHref={hrefs.hits} />
            <div className="grid gap-4 lg:grid-cols-3">
              <TrafficChart
                overview={isYoung && hour.isLoading ? undefined : fine}
                height={CHART_HEIGHT}
                className="lg:col-span-2"
              />
              <div className="flex min-w-0 flex-col gap-4">
                <StatusClasses overview={overview} hrefOf={hrefs.status} />
                <StoppedByReason overview={overview} reasonText={reasonText} hrefOf={hrefs.reason} />
              </div>
              {domain === undefined && <TopDomains overview={overview} hrefOf={hrefs.domain} />}
              {domain === undefined && (
                <Countries overview={overview} hrefOf={hrefs.country} className="lg:col-span-2" />
              )}
            </div>
            {domain !== undefined && <Countries overview={overview} hrefOf={hrefs.country} />}
          </>
        )}
        {overview && !isNew && (
          <p className="text-sm text-muted">{t('updated', { time: format.time(overview.to, true) })}</p>
        )}
        {stale && (
          <StaleLine
            {...stale}
            reasons={
              otherRange ? [...stale.reasons, t('otherRange', { range: t(`range.${otherRange}`) })] : stale.reasons
            }
          />
        )}
      </div>
      <Suspense fallback={null}>
        {shown.current && (
          <TopDomainsSheet
            range={range}
            match={shown.current}
            open={match !== undefined}
            onClose={() => onSearchChange({ match: undefined })}
            AddressDialog={AddressDialog}
          />
        )}
      </Suspense>
    </>
  );
}
