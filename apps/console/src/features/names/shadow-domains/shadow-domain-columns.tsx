import type { ShadowDomain } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { StatusBadge } from '../../../ui/badge';
import type { DataTableColumn } from '../../../ui/data-table-types';
import { DottedText } from '../../../ui/dotted-text';
import { useFormat } from '../../../ui/format';

function Header({ message }: { message: 'name' | 'state' | 'record' | 'added' }) {
  return useTranslations('shadowDomains.columns')(message);
}

function NameCell({ shadowDomain }: { shadowDomain: ShadowDomain }) {
  return (
    <span className="min-w-0 font-medium wrap-anywhere">
      <DottedText text={shadowDomain.name_unicode} />
      {shadowDomain.name_unicode !== shadowDomain.name && (
        <span className="block font-mono text-sm font-normal text-muted">{shadowDomain.name}</span>
      )}
    </span>
  );
}

/** Whether the shadow domain is served already, and its DNS still leads here: in words and by its shape. */
export function ShadowDomainState({ shadowDomain, isLost }: { shadowDomain: ShadowDomain; isLost: boolean }) {
  const t = useTranslations('shadowDomains.state');
  const { ownership } = shadowDomain;
  const isVerified = ownership.state === 'verified';
  if (isVerified && isLost) return <StatusBadge tone="danger">{t('lost')}</StatusBadge>;
  const verified = ownership.method === 'demo' ? 'demo' : 'verified';
  return (
    <StatusBadge tone={isVerified ? 'success' : 'warning'} busy={!isVerified}>
      {t(isVerified ? verified : ownership.taken_elsewhere ? 'proof' : 'pending')}
    </StatusBadge>
  );
}

function RecordCell({ shadowDomain }: { shadowDomain: ShadowDomain }) {
  const t = useTranslations('shadowDomains');
  const { record, seen, state } = shadowDomain.ownership;
  const target = seen?.[0];
  if (state === 'verified' || target === undefined)
    return <span className="text-sm wrap-anywhere text-muted">{t('recordOf', { type: record.type })}</span>;
  return <span className="text-sm wrap-anywhere text-muted">{t('leadsTo', { seen: target })}</span>;
}

function AddedCell({ shadowDomain }: { shadowDomain: ShadowDomain }) {
  const format = useFormat();
  return (
    <span className="whitespace-nowrap" title={format.dateTime(shadowDomain.created_at)}>
      {format.relative(shadowDomain.created_at)}
    </span>
  );
}

export const shadowDomainColumns = (lost: ReadonlySet<string>): readonly DataTableColumn<ShadowDomain>[] => [
  {
    id: 'name',
    header: <Header message="name" />,
    cell: (shadowDomain) => <NameCell shadowDomain={shadowDomain} />,
    card: 'title',
    width: 'minmax(160px, 1.7fr)',
  },
  {
    id: 'state',
    header: <Header message="state" />,
    cell: (shadowDomain) => <ShadowDomainState shadowDomain={shadowDomain} isLost={lost.has(shadowDomain.name)} />,
    // As wide as the longest of its badges, which do not wrap.
    width: 'minmax(240px, 1fr)',
  },
  {
    id: 'record',
    header: <Header message="record" />,
    cell: (shadowDomain) => <RecordCell shadowDomain={shadowDomain} />,
    hideBelow: 'md',
  },
  {
    id: 'added',
    header: <Header message="added" />,
    cell: (shadowDomain) => <AddedCell shadowDomain={shadowDomain} />,
    hideBelow: 'lg',
  },
];
