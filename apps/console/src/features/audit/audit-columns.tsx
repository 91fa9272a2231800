import type { AuditLine } from '@cordon/contract';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { isNamedOperator } from '../../app/who';
import { whoWidth } from '../../domain/display/who-width';
import type { DataTableColumn } from '../../ui/data-table-types';
import { useFormat } from '../../ui/format';
import { AuditObject } from './audit-object';
import { useAuditWords } from './audit-words';

function Header({ message }: { message: 'when' | 'who' | 'what' | 'from' }) {
  return useTranslations('audit.columns')(message);
}

/** Today's to the second: what is looked for is most often of today. */
function WhenCell({ line }: { line: AuditLine }) {
  const t = useTranslations('audit');
  const format = useFormat();
  const whole = format.dateTime(line.at);
  const isToday = format.date(line.at) === format.date(new Date());
  return (
    <time dateTime={line.at} title={whole} className="tabular whitespace-nowrap">
      {isToday ? t('today', { time: format.time(line.at, true) }) : whole}
    </time>
  );
}

const oneLine = 'flex min-w-0 gap-1.5 phone:flex-wrap phone:gap-y-0';
const cut = 'min-w-0 truncate phone:overflow-visible phone:whitespace-normal phone:wrap-anywhere';

/** Names are read before what is said of them, which gives way first. */
const GIVES_WAY = { flexShrink: 1000 };
/** As much of it as tells one from another: a version, the beginning of a list. */
const KEPT_CHARACTERS = 12;

function Part({ title, isName, children }: { title: string | undefined; isName?: boolean; children: ReactNode }) {
  return (
    <>
      <span aria-hidden className="text-muted phone:hidden">
        ·
      </span>
      <span
        className={`${cut} text-muted`}
        style={isName ? undefined : { ...GIVES_WAY, minWidth: `${Math.min(title?.length ?? 0, KEPT_CHARACTERS)}ch` }}
        title={title}
      >
        {children}
      </span>
    </>
  );
}

function WhatCell({ line }: { line: AuditLine }) {
  const { actionOf, summaryOf } = useAuditWords();
  const { object, actor } = line;
  const summary = summaryOf(line);
  const action = actionOf(line);
  return (
    <span className={oneLine}>
      <span className="max-w-full shrink-0 truncate font-medium phone:basis-full" title={action}>
        {action}
      </span>
      {/* A sign-in is about the user who is named beside it. */}
      {object.name !== null && object.name !== actor.name && (
        <Part title={object.name} isName>
          <AuditObject object={object} />
        </Part>
      )}
      {summary !== '' && <Part title={summary}>{summary}</Part>}
    </span>
  );
}

function WhoCell({ line }: { line: AuditLine }) {
  const t = useTranslations('audit.kind');
  const { whoOf } = useAuditWords();
  const who = whoOf(line);
  return (
    <span className={oneLine}>
      <span className={cut} title={who}>
        {who}
      </span>
      {line.actor.kind !== 'user' && !isNamedOperator(line.actor.name) && (
        <Part title={undefined}>{t(line.actor.kind)}</Part>
      )}
    </span>
  );
}

function FromCell({ line }: { line: AuditLine }) {
  return <span className="font-mono text-sm wrap-anywhere">{line.address}</span>;
}

export const auditColumns: readonly DataTableColumn<AuditLine>[] = [
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
    width: '196px',
    card: 'bare',
  },
  {
    id: 'from',
    header: <Header message="from" />,
    cell: (line) => <FromCell line={line} />,
    width: '148px',
    // It stands in the details.
    hideBelow: 'lg',
    card: 'hidden',
  },
];
