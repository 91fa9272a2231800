import type { ActorKind, Route, VersionSummary } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { Bot, GitCompareArrows, Headset, History, KeyRound, UserRound } from 'lucide-react';
import { Suspense, useCallback, useState } from 'react';
import { useTranslations } from 'use-intl';
import { tableDataOf } from '../../../app/table-data';
import { isNamedOperator, useWho } from '../../../app/who';
import { versionsOptions } from '../../../domain/data/queries';
import { Badge, StatusBadge } from '../../../ui/badge';
import { Button } from '../../../ui/button';
import { DataTable } from '../../../ui/data-table';
import type { DataTableColumn } from '../../../ui/data-table-types';
import { useFormat } from '../../../ui/format';
import { lazyPart } from '../../../ui/lazy-part';
import { EmptyState } from '../../../ui/states';
import { otherSide, type Side, sideOf } from './version-choice';

const CompareDialog = lazyPart(() => import('./compare-dialog'));
type Version = VersionSummary;
const PER_PAGE = 10;

function Header({ message }: { message: 'version' | 'when' | 'who' | 'note' }) {
  return useTranslations('versions.columns')(message);
}
function VersionCell({ version }: { version: Version }) {
  const t = useTranslations('versions');
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <span className="tabular font-medium">{t('versionOption', { version: version.version })}</span>
      {version.live && <StatusBadge tone="success">{t('live')}</StatusBadge>}
      {version.rolled_back_to !== null && <Badge>{t('rolledBackTo', { version: version.rolled_back_to })}</Badge>}
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
const kindIcons: Record<ActorKind, typeof UserRound> = {
  user: UserRound,
  token: KeyRound,
  operator: Headset,
  system: Bot,
};
function WhoCell({ version }: { version: Version }) {
  const t = useTranslations('versions');
  const kind = version.created_by_kind;
  const Icon = kindIcons[kind];
  const who = useWho();
  const name = version.created_by === null ? t('cordon') : who(version.created_by);
  return (
    <span className="block">
      <span className="inline-flex items-start gap-2">
        <Icon size={16} aria-hidden className="mt-0.5 shrink-0 text-muted" />
        <span className="min-w-0 wrap-anywhere">{name}</span>
      </span>
      {kind !== 'user' && version.created_by !== null && !isNamedOperator(version.created_by) && (
        <span className="block text-sm text-muted sm:pl-6">{t(`kind.${kind}`)}</span>
      )}
      {kind === 'user' && <span className="sr-only">{t('kind.user')}</span>}
    </span>
  );
}
function NoteCell({ version }: { version: Version }) {
  const t = useTranslations('versions');
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
  {
    id: 'note',
    header: <Header message="note" />,
    cell: (version) => <NoteCell version={version} />,
    width: 'minmax(0, 1.5fr)',
  },
];
const rowKey = (version: Version) => String(version.version);

/** Every deploy of the domain: who, when, why; each can be compared and brought back. */
export default function VersionsTab({
  route,
  page,
  onPageChange,
}: {
  route: Route;
  page: number;
  onPageChange: (page: number) => void;
}) {
  const t = useTranslations('versions');
  const versions = useQuery(versionsOptions(route.id, page, PER_PAGE));
  const [shown, setShown] = useState<{ from: Side; to: Side; isOpen: boolean }>();
  const liveVersion = route.version_live;
  const show = useCallback(
    ({ version }: Version) => setShown({ from: otherSide(liveVersion, version), to: sideOf(version), isOpen: true }),
    [liveVersion],
  );
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
        {...tableDataOf(versions)}
        label={t('label')}
        columns={columns}
        rowKey={rowKey}
        page={page}
        perPage={PER_PAGE}
        onPageChange={onPageChange}
        onRowOpen={show}
        rowActions={actions}
        actionsWidth="140px"
        empty={<EmptyState icon={<History size={22} aria-hidden />} title={t('empty')} description={t('emptyBody')} />}
      />
      {shown && (
        <Suspense fallback={null}>
          <CompareDialog
            route={route}
            from={shown.from}
            to={shown.to}
            onSidesChange={(from, to) => setShown({ ...shown, from, to })}
            open={shown.isOpen}
            onOpenChange={(isOpen) => setShown({ ...shown, isOpen })}
          />
        </Suspense>
      )}
    </>
  );
}
