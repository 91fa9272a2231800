import type { ShadowDomain } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { StatusBadge } from '../../../ui/badge';
import type { DataTableColumn } from '../../../ui/data-table-types';
import { useFormat } from '../../../ui/format';

function Header({ message }: { message: 'name' | 'state' | 'record' | 'added' }) {
  return useTranslations('shadowDomains.columns')(message);
}

function NameCell({ alias }: { alias: ShadowDomain }) {
  return (
    <span className="min-w-0 font-medium wrap-anywhere">
      {alias.name_unicode}
      {alias.name_unicode !== alias.name && (
        <span className="block font-mono text-sm font-normal text-muted">{alias.name}</span>
      )}
    </span>
  );
}

/** Whether the alias is served already: in words and by its shape. */
export function AliasState({ alias }: { alias: ShadowDomain }) {
  const t = useTranslations('shadowDomains.state');
  const isVerified = alias.ownership.state === 'verified';
  return (
    <StatusBadge tone={isVerified ? 'success' : 'warning'} busy={!isVerified}>
      {t(isVerified ? 'verified' : alias.ownership.taken_elsewhere ? 'proof' : 'pending')}
    </StatusBadge>
  );
}

function RecordCell({ alias }: { alias: ShadowDomain }) {
  const t = useTranslations('shadowDomains');
  const { record, seen, state } = alias.ownership;
  if (state === 'verified' || seen.length === 0)
    return <span className="text-sm wrap-anywhere text-muted">{t('recordOf', { type: record.type })}</span>;
  return <span className="text-sm wrap-anywhere text-muted">{t('leadsTo', { seen: seen[0] ?? '' })}</span>;
}

function AddedCell({ alias }: { alias: ShadowDomain }) {
  const format = useFormat();
  return (
    <span className="whitespace-nowrap" title={format.dateTime(alias.created_at)}>
      {format.relative(alias.created_at)}
    </span>
  );
}

export const aliasColumns: readonly DataTableColumn<ShadowDomain>[] = [
  {
    id: 'name',
    header: <Header message="name" />,
    cell: (alias) => <NameCell alias={alias} />,
    card: 'title',
    width: 'minmax(160px, 1.7fr)',
  },
  { id: 'state', header: <Header message="state" />, cell: (alias) => <AliasState alias={alias} /> },
  { id: 'record', header: <Header message="record" />, cell: (alias) => <RecordCell alias={alias} />, hideBelow: 'md' },
  { id: 'added', header: <Header message="added" />, cell: (alias) => <AddedCell alias={alias} />, hideBelow: 'lg' },
];
