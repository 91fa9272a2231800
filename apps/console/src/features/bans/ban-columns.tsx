import clsx from 'clsx';
import { createContext, Fragment, useContext } from 'react';
import { useTranslations } from 'use-intl';
import { useWho } from '../../app/who';
import { CopyButton } from '../../ui/copy-button';
import type { DataTableColumn } from '../../ui/data-table-types';
import { useFormat } from '../../ui/format';
import { useNow } from '../../ui/now';
import { Link } from '../../ui/text-link';
import { useBanWords } from './ban-words';
import type { Ban } from './queries';

function Header({ message }: { message: 'network' | 'domain' | 'why' | 'since' | 'left' }) {
  return useTranslations('bans.columns')(message);
}

/** An address that needs two lines is parted between its groups. */
function NetworkCell({ ban }: { ban: Ban }) {
  const parts = ban.network.split(/(?<=[:/])/);
  return (
    <span className="block font-mono text-sm font-semibold wrap-anywhere phone:text-base">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a group has no other identity than its place
        <Fragment key={index}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </span>
  );
}

/** Ids of domains where bans do nothing. */
export const BanGaps = createContext<ReadonlySet<string>>(new Set());

function DomainCell({ ban }: { ban: Ban }) {
  const t = useTranslations('bans');
  const gaps = useContext(BanGaps);
  if (ban.route_id === null) return <span className="text-muted">{t('allDomains')}</span>;
  return (
    <>
      <Link
        to="/domain/list/$id"
        params={{ id: ban.route_id }}
        className="reach line-clamp-2 wrap-anywhere phone:line-clamp-none"
        title={ban.domain_name ?? undefined}
      >
        {ban.domain_name ?? ban.route_id}
      </Link>
      {gaps.has(ban.route_id) && <span className="block text-sm text-warning">{t('noEffect')}</span>}
    </>
  );
}

/** The request that was too much; where it went to no domain that is known, its id. */
function RequestLink({ ban }: { ban: Ban }) {
  const t = useTranslations('bans');
  const tUi = useTranslations('ui');
  if (ban.request_id === null) return null;
  if (ban.route_id === null)
    return (
      <CopyButton value={ban.request_id} label={tUi('error.copyRequestId')} copiedLabel={tUi('copied')}>
        <code className="font-mono">{ban.request_id.slice(0, 8)}</code>
      </CopyButton>
    );
  return (
    <Link
      to="/domain/list/$id"
      params={{ id: ban.route_id }}
      search={{ tab: 'diagnosis', view: 'trace', request: ban.request_id }}
      className="reach"
    >
      {t('request')}
    </Link>
  );
}

function WhyCell({ ban }: { ban: Ban }) {
  const why = useBanWords()(ban);
  const t = useTranslations('bans.why');
  const whoOf = useWho();
  const by = ban.plugin === null ? whoOf(ban.banned_by) : t('node', { name: ban.banned_by });
  return (
    <span className="flex items-baseline gap-1.5 phone:block">
      <span className="min-w-0 wrap-anywhere" title={by === '' ? why : `${why} · ${by}`}>
        <span>{why}</span>
        {by !== '' && (
          // Of a node's own ban the reason says it; where there is room for a second line it is told.
          <span className={clsx('text-sm text-muted', ban.plugin !== null && 'sm:hidden')}>
            <span aria-hidden>{' · '}</span>
            <span>{by}</span>
          </span>
        )}
        {/* A card has no column for it. */}
        <span className="text-sm text-muted sm:hidden">
          {' '}
          <span className="whitespace-nowrap">
            <span aria-hidden>· </span>
            <SinceCell ban={ban} />
          </span>
        </span>
      </span>{' '}
      {ban.request_id !== null && (
        <span className="shrink-0 text-sm whitespace-nowrap">
          <RequestLink ban={ban} />
        </span>
      )}
    </span>
  );
}

function SinceCell({ ban }: { ban: Ban }) {
  const format = useFormat();
  const now = useNow();
  return (
    <time
      dateTime={ban.banned_at}
      title={format.dateTime(ban.banned_at)}
      className="tabular whitespace-nowrap text-muted"
    >
      {format.relative(ban.banned_at, now)}
    </time>
  );
}

function LeftCell({ ban }: { ban: Ban }) {
  const t = useTranslations('bans');
  const format = useFormat();
  const now = useNow();
  if (ban.ends_at === null) return t('untilLifted');
  const left = Date.parse(ban.ends_at) - now;
  return (
    <time
      dateTime={ban.ends_at}
      title={t('until', { time: format.dateTime(ban.ends_at) })}
      className="tabular whitespace-nowrap"
    >
      <span className="mr-2 text-sm text-muted sm:hidden" aria-hidden>
        <Header message="left" />
      </span>
      {left <= 0 ? t('ended') : format.duration(Math.max(1000, left))}
    </time>
  );
}

/** As wide as the longest of its texts, within bounds; a longer one breaks. */
function fit(texts: readonly string[], characterPx: number, minimum: number, maximum: number): string {
  const longest = Math.max(0, ...texts.map((text) => text.length));
  const width = Math.min(maximum, Math.max(minimum, Math.ceil(longest * characterPx) + 20));
  return `minmax(${minimum}px, ${width}px)`;
}

export const banColumns: readonly DataTableColumn<Ban>[] = [
  {
    id: 'network',
    header: <Header message="network" />,
    cell: (ban) => <NetworkCell ban={ban} />,
    width: (bans) =>
      fit(
        bans.map(({ network }) => network),
        8,
        120,
        340,
      ),
    card: 'title',
  },
  {
    id: 'domain',
    header: <Header message="domain" />,
    cell: (ban) => <DomainCell ban={ban} />,
    width: (bans) =>
      fit(
        bans.map(({ domain_name: name }) => name ?? ''),
        8,
        112,
        240,
      ),
    card: 'bare',
    cardClass: 'grow basis-40',
  },
  {
    id: 'why',
    header: <Header message="why" />,
    cell: (ban) => <WhyCell ban={ban} />,
    width: 'minmax(220px, 1fr)',
    card: 'bare',
    cardClass: 'phone:order-last phone:basis-full',
  },
  {
    id: 'since',
    header: <Header message="since" />,
    cell: (ban) => <SinceCell ban={ban} />,
    width: '132px',
    align: 'end',
    card: 'hidden',
    hideBelow: 'md',
  },
  {
    id: 'left',
    header: <Header message="left" />,
    cell: (ban) => <LeftCell ban={ban} />,
    width: '124px',
    align: 'end',
    card: 'bare',
  },
];
