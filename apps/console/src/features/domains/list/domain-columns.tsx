import type { DomainTraffic, RouteSummary } from '@cordon/contract';
import clsx from 'clsx';
import { Check, TriangleAlert } from 'lucide-react';
import { useContext } from 'react';
import { useTranslations } from 'use-intl';
import { useGroupName, useGroups } from '../../../domain/data/group-queries';
import { GroupLabel } from '../../../domain/display/group-label';
import { dnsSeenFinding } from '../../../domain/health/dns-finding';
import { HealthBadge } from '../../../domain/health/health-badge';
import { useShortFinding } from '../../../domain/health/health-words';
import { certificateState } from '../../../domain/model/certificate-state';
import { Badge } from '../../../ui/badge';
import { Sparkline } from '../../../ui/charts/sparkline';
import type { DataTableColumn } from '../../../ui/data-table-types';
import { DottedText } from '../../../ui/dotted-text';
import { useFormat } from '../../../ui/format';
import { isPhone } from '../../../ui/is-phone';
import { Skeleton } from '../../../ui/states';
import { Link } from '../../../ui/text-link';
import { AttackContext } from './attack-context';
import type { ChoosableColumn } from './column-choice';
import { type FittingColumn, LEAST_PX } from './column-fit';
import { healthPx, isWaiting, namePx, originPx } from './column-widths';
import { originParts } from './origin-parts';
import { useLargestNumber, useRowTraffic } from './traffic-context';

const TONES = { danger: 'text-danger', warning: 'text-warning' };

/** Why its visitors get nothing from the cache; in a column, which is narrow, as a sign. */
function DevelopmentMark({ endsAt }: { endsAt: string }) {
  const t = useTranslations('domain.list');
  const format = useFormat();
  const words = t('development');
  const until = t('developmentUntil', { time: format.dateTime(endsAt) });
  const isWordy = isPhone();
  return (
    <Badge tone="warning">
      {isWordy ? (
        <span title={until}>{words}</span>
      ) : (
        <span title={`${words}\n${until}`}>
          <span aria-hidden>{'</>'}</span>
          <span className="sr-only">{words}</span>
        </span>
      )}
    </Badge>
  );
}

function NameCell({ route, hasGroup }: { route: RouteSummary; hasGroup: boolean }) {
  const { domain_name: name, domain_name_unicode: unicode } = route;
  return (
    // In the line of the name, below it only where there is no room: rows are as high with a group. A name of two lines is as high as a row of one.
    <span className="block items-center gap-x-2 gap-y-1 phone:flex phone:flex-wrap" style={{ lineHeight: 1.1 }}>
      <Link
        to="/domain/list/$id"
        params={{ id: route.id }}
        className="reach font-semibold text-ink! wrap-anywhere"
        title={[unicode === name ? name : `${unicode} (${name})`, route.remarks].filter(Boolean).join('\n')}
      >
        <DottedText text={unicode} />
      </Link>{' '}
      <span className="-my-1 inline-flex items-center gap-2 empty:hidden">
        {hasGroup && <GroupLabel groupId={route.group_id} />}
        {route.development_ends_at !== null && <DevelopmentMark endsAt={route.development_ends_at} />}
        {useContext(AttackContext)(route.id)}
      </span>
    </span>
  );
}

function OriginCell({ route }: { route: RouteSummary }) {
  const t = useTranslations('domain.list');
  if (route.traffic_action === 'redirect')
    return (
      <span className="block truncate text-sm" title={t('redirects', { url: route.upstream_summary })}>
        → {route.upstream_summary}
      </span>
    );
  const { host, port, more } = originParts(route.upstream_summary);
  return (
    <span className="block font-mono text-sm wrap-anywhere" title={route.upstream_summary}>
      {/[a-z]/.test(host) ? <DottedText text={host} /> : host}
      <wbr />
      <span className="whitespace-nowrap">{port}</span>
      {more > 0 && <span className="whitespace-nowrap text-muted"> +{more}</span>}
    </span>
  );
}

/** A number of the last 24 hours, once it is known. */
function TrafficNumber({
  route,
  of,
  className,
}: {
  route: RouteSummary;
  of: 'requests' | 'blocked';
  className?: string;
}) {
  const t = useTranslations('domain.list');
  const format = useFormat();
  const traffic = useRowTraffic(route.id);
  const largest = useLargestNumber(of);
  if (traffic === undefined) return <Skeleton className="ml-auto h-4 w-12" />;
  if (traffic === null || (traffic[of] === 0 && route.last_deployed === null))
    return (
      <span className="text-muted" title={traffic === null ? t('noTraffic') : undefined}>
        –
      </span>
    );
  return (
    <span className={clsx('whitespace-nowrap', className)} title={format.number(traffic[of])}>
      {format.compact(traffic[of], largest)}
    </span>
  );
}

/** The share of requests that the cache answered; without a cache, that there is none, which leads to where one is turned on. */
function HitRatio({ route }: { route: RouteSummary }) {
  const t = useTranslations('domain.list');
  const format = useFormat();
  const traffic = useRowTraffic(route.id);
  if (traffic === undefined) return <Skeleton className="ml-auto h-4 w-12" />;
  const ratio = traffic?.hit_ratio ?? null;
  if (ratio === null)
    return (
      <span className="text-muted" title={t(traffic === null ? 'noTraffic' : 'noHits')}>
        –
      </span>
    );
  if (!traffic?.cached)
    return (
      <Link
        to="/domain/list/$id"
        params={{ id: route.id }}
        search={{ tab: 'caching' }}
        className="reach whitespace-nowrap"
        title={t('cacheOffWhy')}
      >
        {t('cacheOff')}
      </Link>
    );
  return <span className="whitespace-nowrap">{format.share(ratio)}</span>;
}

/** By the hour, without the one that is still being counted, which would look like an outage; a domain of this hour has no other. */
function hoursOf({ series }: DomainTraffic): number[] {
  const hours = series.map(({ requests }) => requests);
  const counted = hours.slice(0, -1);
  return counted.some((requests) => requests > 0) ? counted : hours;
}

function SparkCell({ route }: { route: RouteSummary }) {
  const traffic = useRowTraffic(route.id);
  return (
    // As wide without a chart.
    <span className="block w-16 max-w-full">
      {traffic && traffic.requests > 0 && (
        <Sparkline values={hoursOf(traffic)} isFailing={route.health.state === 'error'} />
      )}
    </span>
  );
}

/** A sign in place of words, which are heard and stand in its title. */
function Sign({ isWell, text, className }: { isWell: boolean; text: string; className: string | undefined }) {
  const Icon = isWell ? Check : TriangleAlert;
  return (
    <span title={text} className={className}>
      <Icon size={16} aria-hidden className="inline" />
      <span className="sr-only">{text}</span>
    </span>
  );
}

/** As a sign it has words only for what is wrong. */
function TlsCell({ route, isSign }: { route: RouteSummary; isSign?: boolean }) {
  const t = useTranslations('domain.list.tls');
  const format = useFormat();
  // As of the DNS: what serves nothing misses none.
  if (route.status === 'deactivated') return <span className="text-muted">–</span>;
  const { word, days, tone } = certificateState(route, Date.now());
  const expires = route.certificate_expires_at;
  const title = expires === null ? word === 'demo' && t('selfSigned') : t('until', { time: format.dateTime(expires) });
  const text = word === 'unknown' ? '–' : t(word, { count: days });
  if (isSign && !tone && expires !== null) return <Sign isWell text={title || text} className="text-muted" />;
  return (
    <span className={clsx('whitespace-nowrap', tone ? TONES[tone] : 'text-muted')} title={title || undefined}>
      {text}
    </span>
  );
}

const isDnsWell = (route: RouteSummary) => !dnsSeenFinding(route) && route.ownership_state === 'verified';

function DnsCell({ route }: { route: RouteSummary }) {
  const t = useTranslations('domain.list.dns');
  const short = useShortFinding();
  // Before the first deploy nothing is served, wherever the name points.
  if (route.last_deployed === null || route.status === 'deactivated') return <span className="text-muted">–</span>;
  const finding = dnsSeenFinding(route);
  const isHere = isDnsWell(route);
  const tone = isHere ? 'text-muted' : TONES[finding?.state === 'error' ? 'danger' : 'warning'];
  return <Sign isWell={isHere} text={finding ? short(finding) : t(isHere ? 'verified' : 'pending')} className={tone} />;
}

/** The group, which leads to its domains. */
function GroupCell({ route }: { route: RouteSummary }) {
  const nameOf = useGroupName();
  const group = useGroups()?.find(({ id }) => id === route.group_id);
  if (!group) return '–';
  const name = nameOf(group);
  return (
    <Link to="/domain/list" search={{ group: group.id }} className="block truncate text-sm touch:py-2.5" title={name}>
      {name}
    </Link>
  );
}

/** That changes are not live, or nothing is; in a column, which is narrow, how many there are. */
function Waiting({ route }: { route: RouteSummary }) {
  const t = useTranslations('domain.list');
  const count = route.pending_changes;
  const text = route.last_deployed === null ? t('draft') : t('pending', { count });
  return (
    isWaiting(route) && (
      <Badge tone="warning">
        {route.last_deployed === null || isPhone() ? (
          text
        ) : (
          <span title={text}>
            <span aria-hidden>±{count}</span>
            <span className="sr-only">{text}</span>
          </span>
        )}
      </Badge>
    )
  );
}

/**
 * Health; on a phone, which has no columns, beside it what is chosen of the certificate and the DNS, once it is deployed, and
 * the origin. What has no room beside a long finding stands below it.
 */
function HealthCell({ route, chosen }: { route: RouteSummary; chosen: readonly ChoosableColumn[] }) {
  const t = useTranslations('domain.list.columns');
  return (
    <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
      <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <HealthBadge route={route} />
        <Waiting route={route} />
        {(['tls', 'dns'] as const).map(
          (one) =>
            route.last_deployed !== null &&
            chosen.includes(one) && (
              <span key={one} className="flex items-center gap-1 text-sm text-muted sm:hidden">
                {t(one)}
                {one === 'tls' ? <TlsCell route={route} isSign /> : <DnsCell route={route} />}
              </span>
            ),
        )}
      </span>
      {/* A long one has a line of its own. */}
      {chosen.includes('origin') && (
        <span className="min-w-0 text-muted sm:hidden">
          <OriginCell route={route} />
        </span>
      )}
    </span>
  );
}

function TextCell({ text, mono }: { text: string; mono?: boolean }) {
  return (
    <span className={clsx('block truncate text-sm', mono && 'font-mono text-xs')} title={text}>
      {text === '' ? '–' : text}
    </span>
  );
}

function TimeCell({ time }: { time: string | null }) {
  const t = useTranslations('domain.list');
  const format = useFormat();
  if (time === null) return <span className="text-muted">{t('never')}</span>;
  return (
    <span title={format.dateTime(time)} className="whitespace-nowrap">
      {format.relative(time)}
    </span>
  );
}

function VersionCell({ route }: { route: RouteSummary }) {
  const t = useTranslations('domain');
  return route.version_live === null ? '–' : t('version', { version: route.version_live });
}

function Header({ column }: { column: ChoosableColumn | 'domain' | 'health' | 'chart' }) {
  return useTranslations('domain.list.columns')(column);
}

type Column = DataTableColumn<RouteSummary>;

const nameColumn = (hasGroup: boolean, room: number): Column => ({
  id: 'domain_name',
  header: <Header column="domain" />,
  cell: (route) => <NameCell route={route} hasGroup={hasGroup} />,
  sortable: true,
  width: (rows) => `minmax(${namePx(rows, room)}px, 1fr)`,
  card: 'title',
});
const healthColumn = (
  chosen: readonly ChoosableColumn[],
  short: ReturnType<typeof useShortFinding>,
  room: number,
): Column => ({
  id: 'health',
  header: <Header column="health" />,
  cell: (route) => <HealthCell route={route} chosen={chosen} />,
  sortable: true,
  width: (rows) => `${healthPx(rows, short, room)}px`,
  card: 'bare',
  // Each line of a card begins with the same, whatever comes late: nothing moves.
  cardClass: 'phone:basis-full phone:min-h-6',
});
/** As wide before its number has come: what is beside it stays. */
const NUMBER_CARD = 'phone:w-28';
/** Named by what is chosen, but for those that name themselves. */
const choosable: Record<ChoosableColumn, readonly (Omit<Column, 'id' | 'header'> & Partial<Column>)[]> = {
  origin: [
    {
      cell: (route) => <OriginCell route={route} />,
      width: (rows) => {
        const { least, most } = originPx(rows);
        return `minmax(${least}px, ${most}px)`;
      },
      card: 'hidden',
    },
  ],
  requests: [
    {
      cell: (route) => <TrafficNumber route={route} of="requests" className="font-semibold" />,
      sortable: 'descending',
      align: 'end',
      card: 'fact',
      cardClass: NUMBER_CARD,
    },
    {
      id: 'chart',
      header: <Header column="chart" />,
      cell: (route) => <SparkCell route={route} />,
      width: `minmax(${LEAST_PX.chart}px, 80px)`,
      card: 'bare',
      cardClass: 'phone:flex-1',
    },
  ],
  blocked: [
    {
      cell: (route) => <TrafficNumber route={route} of="blocked" />,
      sortable: 'descending',
      align: 'end',
      card: 'fact',
      cardClass: NUMBER_CARD,
    },
  ],
  hit_ratio: [
    {
      cell: (route) => <HitRatio route={route} />,
      // What loses most comes first on the first press.
      sortable: true,
      align: 'end',
      card: 'fact',
      cardClass: NUMBER_CARD,
    },
  ],
  tls: [
    {
      cell: (route) => <TlsCell route={route} />,
      card: 'hidden',
    },
  ],
  dns: [
    {
      cell: (route) => <DnsCell route={route} />,
      card: 'hidden',
    },
  ],
  group: [
    {
      cell: (route) => <GroupCell route={route} />,
      width: `minmax(${LEAST_PX.group}px, 0.3fr)`,
    },
  ],
  remarks: [
    {
      cell: (route) => <TextCell text={route.remarks} />,
      width: `minmax(${LEAST_PX.remarks}px, 0.5fr)`,
    },
  ],
  cname: [
    {
      cell: (route) => <TextCell text={route.cname} mono />,
      width: `minmax(${LEAST_PX.cname}px, 300px)`,
    },
  ],
  last_deployed: [
    {
      cell: (route) => <TimeCell time={route.last_deployed} />,
      sortable: true,
    },
  ],
  version: [
    {
      cell: (route) => <VersionCell route={route} />,
      align: 'end',
    },
  ],
  created_at: [
    {
      cell: (route) => <TimeCell time={route.created_at} />,
      sortable: true,
    },
  ],
};

/** Columns of the domain list, for those that have room; keep them, so that a re-sort redraws only what changed. */
export const domainColumns = (
  chosen: readonly ChoosableColumn[],
  short: ReturnType<typeof useShortFinding>,
  fitting: readonly FittingColumn[],
  room: number,
): readonly Column[] => [
  nameColumn(!fitting.includes('group'), room),
  healthColumn(chosen, short, room),
  ...chosen
    .flatMap((one) =>
      choosable[one].map((column) => ({
        id: one,
        header: <Header column={one} />,
        width: `${LEAST_PX[one as FittingColumn & keyof typeof LEAST_PX]}px`,
        ...column,
      })),
    )
    .filter(({ id }) => fitting.includes(id as FittingColumn)),
];
