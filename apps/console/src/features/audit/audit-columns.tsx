import type { AuditLine } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { whoWidth } from '../../domain/display/who-width';
import type { DataTableColumn } from '../../ui/data-table-types';
import { type Format, useFormat } from '../../ui/format';
import { AuditObject } from './audit-object';
import { useAuditWords } from './audit-words';

function Header({ message }: { message: 'when' | 'who' | 'what' | 'from' }) {
  return useTranslations('audit.columns')(message);
}

export const isToday = (format: Format, { at }: AuditLine) => format.date(at) === format.date(new Date());

/** Today's to the second: what is looked for is most often of today. */
function WhenCell({ line }: { line: AuditLine }) {
  const t = useTranslations('audit');
  const format = useFormat();
  const whole = format.dateTime(line.at);
  return (
    <time dateTime={line.at} title={whole} className="tabular whitespace-nowrap">
      {isToday(format, line) ? t('today', { time: format.time(line.at, true) }) : whole}
    </time>
  );
}

const oneLine = 'flex min-w-0 gap-1.5 phone:flex-wrap phone:gap-y-0';
const cut = 'min-w-0 truncate phone:overflow-visible phone:whitespace-normal phone:wrap-anywhere';

/** On a phone what is said of it stands on lines of its own, without a dot. */
const dot = (
  <>
    <span aria-hidden className="text-muted phone:hidden">
      {'\u00a0·'}
    </span>{' '}
  </>
);

/** Two lines at most: names break at their dots, and what comes last gives way. */
function WhatCell({ line }: { line: AuditLine }) {
  const { actionOf, summaryOf } = useAuditWords();
  const { object, actor } = line;
  const summary = summaryOf(line);
  const action = actionOf(line);
  // A sign-in is about the user who is named beside it.
  const name = object.name === actor.name ? null : object.name;
  return (
    <span
      className="line-clamp-2 wrap-anywhere phone:line-clamp-none"
      title={[action, name, summary].filter(Boolean).join(' · ')}
    >
      <span className="font-medium phone:block">{action}</span>
      {name !== null && (
        <>
          {dot}
          <AuditObject object={object} />
        </>
      )}
      {summary !== '' && (
        <>
          {dot}
          <span className="text-muted">{summary}</span>
        </>
      )}
    </span>
  );
}

function WhoCell({ line }: { line: AuditLine }) {
  const t = useTranslations('audit.kind');
  const { whoOf, kindOf } = useAuditWords();
  const who = whoOf(line);
  const kind = kindOf(line);
  return (
    <span className={oneLine}>
      <span className={cut} title={who}>
        {who}
      </span>
      {kind !== undefined && (
        <span className={`${cut} text-muted`}>
          <span aria-hidden className="phone:hidden">
            {'· '}
          </span>
          {t(kind)}
        </span>
      )}
    </span>
  );
}

function FromCell({ line }: { line: AuditLine }) {
  return <span className="font-mono text-sm wrap-anywhere">{line.address}</span>;
}

const FROM_CHARACTERS = 16;
/** As wide as the longest address; one of IPv6 breaks. */
const fromWidth = (addresses: readonly (string | null)[]) =>
  `${24 + 8 * Math.min(FROM_CHARACTERS, Math.max(0, ...addresses.map((one) => one?.length ?? 0)))}px`;

const columnsOf = (whenWidth: string): readonly DataTableColumn<AuditLine>[] => [
  {
    id: 'what',
    header: <Header message="what" />,
    cell: (line) => <WhatCell line={line} />,
    width: 'minmax(220px, 1fr)',
    card: 'title',
  },
  {
    id: 'who',
    header: <Header message="who" />,
    cell: (line) => <WhoCell line={line} />,
    width: (lines) => whoWidth(lines.map(({ actor }) => actor.name)),
    card: 'bare',
  },
  {
    id: 'when',
    header: <Header message="when" />,
    cell: (line) => <WhenCell line={line} />,
    width: whenWidth,
    card: 'bare',
  },
  {
    id: 'from',
    header: <Header message="from" />,
    cell: (line) => <FromCell line={line} />,
    width: (lines) => fromWidth(lines.map(({ address }) => address)),
    // It stands in the details.
    hideBelow: 'lg',
    card: 'hidden',
  },
];

export const auditColumns = columnsOf('196px');
/** Of lines that are all of today, whose times are short. */
export const columnsOfToday = columnsOf('136px');
