import type { AuditLine } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { isNamedOperator } from '../../app/who';
import type { DataTableColumn } from '../../ui/data-table-types';
import { useFormat } from '../../ui/format';
import { AuditObject } from './audit-object';
import { useAuditWords } from './audit-words';

function Header({ message }: { message: 'when' | 'who' | 'what' | 'from' }) {
  return useTranslations('audit.columns')(message);
}

function WhenCell({ line }: { line: AuditLine }) {
  const format = useFormat();
  return (
    <time dateTime={line.at} className="tabular whitespace-nowrap">
      {format.dateTime(line.at)}
    </time>
  );
}

// Two lines in the 44 px of one: the list stays as dense as others.
const twoLines = '-my-1 block phone:my-0';
const cut = 'block truncate phone:overflow-visible phone:whitespace-normal phone:wrap-anywhere';

function WhatCell({ line }: { line: AuditLine }) {
  const { actionOf, summaryOf } = useAuditWords();
  const { object, actor } = line;
  const summary = summaryOf(line);
  // A sign-in is about the user who is named beside it.
  const hasObject = object.name !== null && object.name !== actor.name;
  return (
    <span className={twoLines}>
      <span className={`${cut} font-medium`}>{actionOf(line)}</span>
      {/* A long name leaves room for what was done to it. */}
      <span className="flex gap-1.5 text-sm text-muted phone:flex-wrap">
        {hasObject && (
          <span className={`min-w-0 ${cut}`} title={object.name ?? undefined}>
            <AuditObject object={object} />
          </span>
        )}
        {hasObject && summary !== '' && (
          <span aria-hidden className="phone:hidden">
            ·
          </span>
        )}
        {summary !== '' && (
          <span
            className={`min-w-0 ${cut} ${hasObject ? 'max-w-3/5 shrink-0 phone:max-w-full phone:shrink' : ''}`}
            title={summary}
          >
            {summary}
          </span>
        )}
      </span>
    </span>
  );
}

function WhoCell({ line }: { line: AuditLine }) {
  const t = useTranslations('audit.kind');
  const { whoOf } = useAuditWords();
  const who = whoOf(line);
  return (
    <span className={twoLines}>
      <span className={cut} title={who}>
        {who}
      </span>
      {line.actor.kind !== 'user' && !isNamedOperator(line.actor.name) && (
        <span className={`${cut} text-sm text-muted`}>{t(line.actor.kind)}</span>
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
    width: 'minmax(220px, 1.7fr)',
    card: 'title',
  },
  {
    id: 'who',
    header: <Header message="who" />,
    cell: (line) => <WhoCell line={line} />,
    width: 'minmax(150px, 1fr)',
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
