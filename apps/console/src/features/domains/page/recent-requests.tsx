import type { CallOutput, Operations } from '@cordon/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Ban, Ellipsis, ListPlus, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../../app/api-client';
import { describeFailure, failureTexts } from '../../../app/failure';
import { useListQuery } from '../../../app/list-query';
import { domainKeys } from '../../../domain/data/keys';
import { trafficOptions } from '../../../domain/data/queries';
import {
  type AddressDialog,
  type AskedAddress,
  bansOf,
  canBeListed,
  wasBanned,
} from '../../../domain/traffic/address-dialog';
import { actionOf, type RequestMatch } from '../../../domain/traffic/request-match';
import { requestTarget } from '../../../domain/traffic/request-target';
import { challengeKind } from '../../../domain/words/challenge-kind';
import { pluginName, usePluginWords } from '../../../domain/words/plugin-words';
import { ruleName } from '../../../domain/words/rule-name';
import { Badge, type Tone } from '../../../ui/badge';
import { Button, IconButton } from '../../../ui/button';
import { Checkbox } from '../../../ui/checkbox';
import { DataTable } from '../../../ui/data-table';
import type { DataTableColumn } from '../../../ui/data-table-types';
import { useFormat } from '../../../ui/format';
import { isPhone } from '../../../ui/is-phone';
import { labelled } from '../../../ui/labelled';
import { Menu } from '../../../ui/menu';
import { Link } from '../../../ui/text-link';

type LoggedRequest = CallOutput<Operations['listRecentRequests']>['result'][number];
const SHOWN = { table: 6, cards: 4 };
const HEIGHT = { table: '22.25rem', cards: '20rem' };
const NONE: LoggedRequest[] = [];
const noPages = () => {};
const SHOWN_OF_KIND = 50;
const BLOCKED: RequestMatch = { blocked: true };

/** The last requests of a domain, of any kind or of one. */
const recentRequestsOptions = (id: string, limit: number, match?: RequestMatch) =>
  queryOptions({
    queryKey: domainKeys.recentRequests(id, limit, match),
    queryFn: async ({ signal }) => {
      const { status, country, plugin, reason } = match ?? {};
      const action = match ? actionOf(match) : 'all';
      const query = { route_id: id, limit, action, status, country, plugin, reason } as const;
      return (await api.listRecentRequests({ query, signal })).result;
    },
    refetchInterval: 2000,
  });

/** Whether the requests of a kind have been asked for in vain or are there: how long their list is is known. */
export const useAreRequestsKnown = (routeId: string, match: RequestMatch) =>
  !useQuery(recentRequestsOptions(routeId, SHOWN_OF_KIND, match)).isPending;

/** What we refused stands out from what the origin answered. */
const toneOf = ({ status, action }: LoggedRequest): Tone =>
  action === 'block' || status >= 500 ? 'danger' : status >= 400 ? 'warning' : 'neutral';

/** Answered by a page that says so, instead of the site. */
const isOff = (request: LoggedRequest): request is LoggedRequest & { reason: 'deactivated' | 'suspended' } =>
  request.plugin === '' && (request.reason === 'deactivated' || request.reason === 'suspended');

/** A rule that has a name says more than that one matched. */
const isByRule = ({ reason, rule }: LoggedRequest) => reason.startsWith('rule_') && rule !== '';

/** The entry that matched, where the line does not have it already. */
const entryOf = ({ plugin, rule, client_address: address, country }: LoggedRequest) =>
  plugin === '' || rule === address || rule === country ? '' : rule;

function Header({
  message,
}: {
  message: 'time' | 'status' | 'request' | 'address' | 'country' | 'duration' | 'reason';
}) {
  return useTranslations('domain.requests.columns')(message);
}
function TimeCell({ time }: LoggedRequest) {
  const format = useFormat();
  const isToday = format.date(time) === format.date(Date.now());
  return (
    <time dateTime={time} title={format.dateTime(time)} className="tabular text-sm text-muted">
      {isToday ? format.time(time, true) : format.dateTime(time)}
    </time>
  );
}
function RequestCell({ request }: { request: LoggedRequest }) {
  const t = useTranslations('domain.requests');
  return (
    <span className="flex min-w-0 items-center gap-2">
      <span className="min-w-0 truncate font-mono text-sm" title={`${request.method} ${requestTarget(request)}`}>
        <span className="text-muted">{request.method}</span> {requestTarget(request)}
      </span>
      {request.is_test && (
        <Badge tone="primary" className="shrink-0">
          {t('testAttack')}
        </Badge>
      )}
    </span>
  );
}
/** The code, so that the path gets the room; the name on hover, and for who hears it. */
function CountryCell({ country }: LoggedRequest) {
  const format = useFormat();
  if (country === '') return <span className="text-sm text-muted">–</span>;
  const name = format.country(country);
  return (
    <span title={name} className="text-sm text-muted">
      <span aria-hidden>{country}</span>
      <span className="sr-only">{name}</span>
    </span>
  );
}
function DurationCell({ duration_ms: duration }: LoggedRequest) {
  const format = useFormat();
  return <span className="text-sm whitespace-nowrap text-muted">{format.duration(Math.round(duration))}</span>;
}

/** Why it was kept away, led elsewhere, let past or not served: once, with what did it on hover. */
function ReasonCell({ request }: { request: LoggedRequest }) {
  const t = useTranslations('domain.requests');
  const words = usePluginWords();
  const plugin = request.plugin !== '' && words ? words(request.plugin) : undefined;
  const name = plugin ? pluginName(plugin, request.plugin) : t('edge');
  if (isOff(request)) return <span className="text-sm text-muted">{t(`off.${request.reason}`)}</span>;
  if (request.action === 'redirect' && plugin) return <span className="text-sm text-muted">{name}</span>;
  const isBlocked = request.action === 'block';
  if (!isBlocked && !['challenge', 'log', 'allow'].includes(request.action)) return null;
  const reasonKey = `reasons.${request.reason}`;
  const reason = plugin?.has(reasonKey) ? plugin(reasonKey) : undefined;
  const entry = entryOf(request);
  const withEntry = (text: string) => (entry === '' ? text : labelled(text, ruleName(plugin, entry)));
  // By what and why is said on hover: beside the plugin's name, its reason would say the same again.
  const because = isBlocked ? t('blocked', { plugin: name }) : reason ? `${name} · ${reason}` : name;
  const what = isBlocked
    ? (reason ?? because)
    : request.action === 'challenge'
      ? t(challengeKind(request.plugin))
      : because;
  const rule = `${name} · ${entry}`;
  const [text, title] = isByRule(request)
    ? [rule, reason ? labelled(rule, reason) : rule]
    : [withEntry(what), withEntry(because)];
  return (
    <span
      title={title}
      className={isBlocked ? 'block truncate text-sm text-danger' : 'block truncate text-sm text-muted'}
    >
      {text}
    </span>
  );
}

const DAY_MS = 86_400_000;
/** The time alone for requests of today, else with the date. */
const timeWidth = (rows: readonly LoggedRequest[]) =>
  rows.some(({ time }) => Date.now() - Date.parse(time) > DAY_MS) ? '184px' : '96px';

/** An IPv6 address whole, unless it is of the longest. */
const addressWidth = (rows: readonly LoggedRequest[]) =>
  `minmax(136px, ${Math.min(240, Math.max(136, ...rows.map(({ client_address: address }) => 24 + 8 * address.length)))}px)`;

/** What most requests have none of takes no room from the path. */
const reasonWidth = (rows: readonly LoggedRequest[]) => {
  const longest = Math.max(...rows.map((one) => entryOf(one).length));
  if (longest > 0) return `minmax(104px, ${Math.min(280, 112 + 6 * longest)}px)`;
  return rows.some((one) => one.action !== '' || isOff(one)) ? 'minmax(104px, 160px)' : '72px';
};

/** As wide as what they hold, so that the path gets what is left. */
const columns: readonly DataTableColumn<LoggedRequest>[] = [
  {
    id: 'time',
    header: <Header message="time" />,
    cell: (one) => <TimeCell {...one} />,
    width: timeWidth,
    card: 'bare',
  },
  {
    id: 'status',
    header: <Header message="status" />,
    cell: (one) => (
      <Badge tone={toneOf(one)} className="tabular">
        {one.status}
      </Badge>
    ),
    width: '72px',
    card: 'bare',
  },
  {
    id: 'request',
    header: <Header message="request" />,
    cell: (one) => <RequestCell request={one} />,
    width: 'minmax(180px, 1fr)',
    card: 'title',
  },
  {
    id: 'address',
    header: <Header message="address" />,
    cell: ({ client_address: address }) => (
      <span className="block truncate text-sm tabular" title={address}>
        {address}
      </span>
    ),
    width: addressWidth,
    card: 'bare',
  },
  {
    id: 'country',
    header: <Header message="country" />,
    cell: (one) => <CountryCell {...one} />,
    width: '72px',
    hideBelow: 'lg',
    card: 'bare',
  },
  {
    id: 'duration',
    header: <Header message="duration" />,
    cell: (one) => <DurationCell {...one} />,
    align: 'end',
    width: '80px',
    hideBelow: 'lg',
    // A card has two lines.
    card: 'hidden',
  },
  {
    id: 'reason',
    header: <Header message="reason" />,
    cell: (request) => <ReasonCell request={request} />,
    width: reasonWidth,
    card: 'bare',
  },
];
const rowKey = ({ request_id: id }: LoggedRequest) => id;

/** A finger comes without a sign: lines must not move just before it. */
const canHover = () => window.matchMedia('(hover: hover)').matches;

/**
 * What was there when the pointer or the focus came: a line stays where one reaches for it. Requests of a kind are read
 * rather than watched: they stay in any case.
 */
function useHeldRequests(current: readonly LoggedRequest[] | undefined, kind: string, isRead: boolean) {
  const [isReached, setReached] = useState(false);
  const [last, setLast] = useState<{ kind: string; requests: readonly LoggedRequest[] }>();
  const isStill = isReached || isRead || !canHover();
  const held = isStill && last?.kind === kind ? last.requests : undefined;
  // Under a pointer that is there already too, once there is a line.
  if (isStill && !held && current && current.length > 0) setLast({ kind, requests: current });
  const known = new Set(held?.map((one) => one.request_id));
  return {
    shown: held ?? current,
    fresh: held && current ? current.filter((one) => !known.has(one.request_id)).length : 0,
    reach: () => setReached(true),
    leave: () => {
      setReached(false);
      if (!isRead && canHover()) setLast(undefined);
    },
    catchUp: () => setLast(undefined),
  };
}

interface RecentRequestsProps {
  routeId: string;
  /** Only requests of a kind, its name (none for more of all), and what takes the card away again. */
  only?: { match: RequestMatch; text: string | undefined; onRemove: () => void };
  AddressDialog: AddressDialog;
  /** Where there has been no request yet: how to send one. */
  firstRequest?: ReactNode;
  /** Nothing has come yet, as far as one can know before it is asked. */
  isNew?: boolean;
  /** Nothing stands below that lines which come one by one would move. */
  isLast?: boolean;
}

/** What can be done about who sent a request. */
function AddressMenu({ request, onAsk }: { request: LoggedRequest; onAsk: (asked: AskedAddress) => void }) {
  const t = useTranslations('domain.requests');
  const address = request.client_address;
  return (
    <Menu
      trigger={<IconButton size="sm" label={t('actionsOf', { address })} icon={<Ellipsis size={16} aria-hidden />} />}
      groups={() => [
        [
          {
            id: 'ban',
            icon: <Ban size={16} />,
            ...(wasBanned(request)
              ? { label: t('unban', { address }), href: bansOf(address) }
              : { label: t('ban', { address }), onSelect: () => onAsk({ action: 'ban', address }) }),
          },
          {
            id: 'allow',
            label: t('allow', { address }),
            icon: <ListPlus size={16} />,
            onSelect: () => onAsk({ action: 'allow', address }),
          },
        ],
      ]}
    />
  );
}

/** The last requests as they come in, still while one reads them: what was asked, what was answered, what was kept away and why. */
export function RecentRequests({ routeId, only, AddressDialog, firstRequest, isNew, isLast }: RecentRequestsProps) {
  const t = useTranslations('domain.requests');
  const [isBlockedOnly, setBlockedOnly] = useState(false);
  // A card has two lines.
  const shape = isPhone() ? 'cards' : 'table';
  const few = SHOWN[shape];
  const limit = only ? SHOWN_OF_KIND : few;
  const match = only?.match ?? (isBlockedOnly ? BLOCKED : undefined);
  const query = useListQuery(recentRequestsOptions(routeId, limit, match));
  const failure = query.isError ? describeFailure(query.error) : null;
  // The numbers above say the same, with Retry; the requests are asked for again by themselves.
  const day = useQuery({ ...trafficOptions(routeId), enabled: false });
  const isToldAbove = day.isLoadingError && failureTexts(day.error).join() === failure?.reasons.join();
  const title = only?.text === undefined ? t('title') : t('of', { kind: only.text });
  const { shown, fresh, reach, leave, catchUp } = useHeldRequests(
    query.data ?? (isNew && !query.isError && !day.data?.totals.requests ? NONE : undefined),
    JSON.stringify([routeId, match]),
    only !== undefined,
  );
  const [asked, setAsked] = useState<AskedAddress>();
  // The line that is asked about stays, for the focus to come back to.
  const leaveUnasked = () => asked || leave();
  return (
    <section
      aria-label={title}
      // As high as with all its lines: those that come one by one do not move what is below. With none yet, as low as what says so.
      style={only || isLast || (!match && shown?.length === 0) ? undefined : { minHeight: HEIGHT[shape] }}
      className="grid"
      onMouseEnter={reach}
      onMouseLeave={leaveUnasked}
      onFocus={reach}
      onBlur={({ currentTarget, relatedTarget }) => currentTarget.contains(relatedTarget) || leaveUnasked()}
    >
      <DataTable
        label={title}
        columns={columns}
        rows={shown}
        rowKey={rowKey}
        page={1}
        perPage={few}
        count={undefined}
        onPageChange={noPages}
        error={isToldAbove ? { reasons: [] } : failure}
        {...(!isToldAbove && { onRetry: () => void query.refetch() })}
        isFetching={query.isError && query.isFetching}
        filters={
          <>
            <h2 className="font-semibold">{title}</h2>
            <Button size="sm" className={fresh === 0 ? 'invisible' : undefined} onClick={catchUp}>
              {fresh === limit ? t('freshMany', { count: fresh }) : t('fresh', { count: fresh })}
            </Button>
            {!only && (
              <Checkbox
                label={t('blockedOnly')}
                checked={isBlockedOnly}
                onChange={(event) => setBlockedOnly(event.target.checked)}
              />
            )}
            {only && (
              <Button size="sm" icon={<X size={14} aria-hidden />} onClick={only.onRemove}>
                {t('removeKind')}
              </Button>
            )}
          </>
        }
        rowActions={(request) => (
          <span className="flex items-center justify-end gap-1">
            <Link
              to="/domain/list/$id"
              params={{ id: routeId }}
              search={{ tab: 'diagnosis', view: 'trace', request: request.request_id }}
              className="reach text-sm"
            >
              {t('trace')}
            </Link>
            {wasBanned(request) || canBeListed(request.client_address) ? (
              <AddressMenu request={request} onAsk={setAsked} />
            ) : (
              <span className="size-8 touch:size-10" />
            )}
          </span>
        )}
        actionsWidth="124px"
        emptyRows={1}
        empty={
          <div className="px-4 py-6">
            <p className="mb-1 text-muted">{t(match ? 'emptyOf' : 'empty')}</p>
            {!match && firstRequest}
          </div>
        }
      />
      {asked && <AddressDialog {...asked} domain={routeId} onClose={() => setAsked(undefined)} />}
    </section>
  );
}
