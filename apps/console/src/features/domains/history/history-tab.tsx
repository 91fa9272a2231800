import type { CallOutput, Operations, Route } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { GitCompareArrows, History } from 'lucide-react';
import { lazy, Suspense, useCallback, useState } from 'react';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../../app/failure';
import { StatusBadge } from '../../../ui/badge';
import { Button } from '../../../ui/button';
import { DataTable } from '../../../ui/data-table';
import type { DataTableColumn } from '../../../ui/data-table-types';
import { useFormat } from '../../../ui/format';
import { EmptyState } from '../../../ui/states';
import { versionsOptions } from '../queries';

const VersionDialog = lazy(() => import('./version-dialog'));
type Version = CallOutput<Operations['listVersions']>['results'][number];
const PER_PAGE = 10;

function Header({ message }: { message: 'version' | 'when' | 'who' | 'note' }) {
  return useTranslations('domains.history.columns')(message);
}
function VersionCell({ version }: { version: Version }) {
  const t = useTranslations('domains');
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <span className="tabular font-medium">{t('versionLong', { version: version.version })}</span>
      {version.live && <StatusBadge tone="success">{t('history.live')}</StatusBadge>}
    </span>
  );
}
function WhenCell({ version }: { version: Version }) {
  const format = useFormat();
  return (
    <span className="whitespace-nowrap" title={format.relative(version.created_at)}>
      {format.dateTime(version.created_at)}
    </span>
  );
}
function WhoCell({ version }: { version: Version }) {
  const t = useTranslations('domains.history');
  return <span className="wrap-anywhere">{version.created_by ?? t('cordon')}</span>;
}
function NoteCell({ version }: { version: Version }) {
  const t = useTranslations('domains.history');
  return version.note === '' ? (
    <span className="text-muted">{t('noNote')}</span>
  ) : (
    <span className="wrap-anywhere">{version.note}</span>
  );
}

const columns: readonly DataTableColumn<Version>[] = [
  {
    id: 'version',
    header: <Header message="version" />,
    cell: (version) => <VersionCell version={version} />,
    card: 'title',
  },
  { id: 'when', header: <Header message="when" />, cell: (version) => <WhenCell version={version} /> },
  { id: 'who', header: <Header message="who" />, cell: (version) => <WhoCell version={version} /> },
  { id: 'note', header: <Header message="note" />, cell: (version) => <NoteCell version={version} />, width: '32%' },
];
const rowKey = (version: Version) => String(version.version);

/** Every deploy of the domain: who, when, why; each can be compared and brought back. */
export default function HistoryTab({
  route,
  page,
  onPageChange,
}: {
  route: Route;
  page: number;
  onPageChange: (page: number) => void;
}) {
  const t = useTranslations('domains.history');
  const versions = useQuery(versionsOptions(route.id, page, PER_PAGE));
  const [shown, setShown] = useState<{ version: number; isOpen: boolean }>();
  const show = useCallback((version: Version) => setShown({ version: version.version, isOpen: true }), []);
  const actions = useCallback(
    (version: Version) => (
      <Button size="sm" variant="ghost" icon={<GitCompareArrows size={16} aria-hidden />} onClick={() => show(version)}>
        {t('compare')}
      </Button>
    ),
    [show, t],
  );
  return (
    <>
      <DataTable
        label={t('label')}
        columns={columns}
        rows={versions.data?.results}
        rowKey={rowKey}
        isFetching={versions.isPlaceholderData}
        error={versions.error && describeFailure(versions.error)}
        onRetry={() => void versions.refetch()}
        page={page}
        perPage={PER_PAGE}
        count={versions.data?.count}
        onPageChange={onPageChange}
        onRowOpen={show}
        rowActions={actions}
        empty={<EmptyState icon={<History size={22} aria-hidden />} title={t('empty')} description={t('emptyBody')} />}
      />
      {shown && (
        <Suspense fallback={null}>
          <VersionDialog
            key={shown.version}
            route={route}
            version={shown.version}
            open={shown.isOpen}
            onOpenChange={(isOpen) => setShown({ ...shown, isOpen })}
          />
        </Suspense>
      )}
    </>
  );
}
