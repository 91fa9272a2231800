import { type ActorKind, changedSettings, diffConfigs, type Route, type VersionSummary } from '@cordon/contract';
import { Bot, GitCompareArrows, Headset, History, KeyRound, UserRound } from 'lucide-react';
import { Suspense, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useListQuery } from '../../../app/list-query';
import { tableDataOf } from '../../../app/table-data';
import { isNamedOperator, useWho } from '../../../app/who';
import { useChangedNames } from '../../../domain/changes/changed-names';
import { pluginDefaults } from '../../../domain/changes/plugin-defaults';
import { versionsOptions } from '../../../domain/data/queries';
import { whoWidth } from '../../../domain/display/who-width';
import { DiscardButton } from '../../../domain/draft/discard-button';
import { domainActions, isServed } from '../../../domain/model/domain-state';
import { Badge, StatusBadge } from '../../../ui/badge';
import { Button } from '../../../ui/button';
import { DataTable } from '../../../ui/data-table';
import type { DataTableColumn } from '../../../ui/data-table-types';
import { useFormat } from '../../../ui/format';
import { lazyPart } from '../../../ui/lazy-part';
import { EmptyState } from '../../../ui/states';
import { buttonsWidth } from './buttons-width';
import { canRollBack, firstSides, type Side } from './version-choice';
import { noteOf } from './version-note';

const CompareDialog = lazyPart(() => import('./compare-dialog'));
const VersionDialog = lazyPart(() => import('./version-dialog'));
/** A version, or the draft that is to become one. */
type Row = VersionSummary | Route;
const PER_PAGE = 10;

const isDraft = (row: Row): row is Route => 'draft' in row;
const byOf = (row: Row) => (isDraft(row) ? row.draft_updated_by : row.created_by);

function Header({ message }: { message: 'version' | 'when' | 'who' | 'note' }) {
  return useTranslations('versions.columns')(message);
}
function VersionCell({ row, isServed }: { row: Row; isServed: boolean }) {
  const t = useTranslations('versions');
  if (isDraft(row)) return <span className="font-medium">{t('draft')}</span>;
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <span className="tabular font-medium">{t('short', { version: row.version })}</span>
      {row.live && (
        <StatusBadge tone={isServed ? 'success' : 'neutral'}>{t(isServed ? 'live' : 'lastLive')}</StatusBadge>
      )}
    </span>
  );
}
function WhenCell({ row }: { row: Row }) {
  const format = useFormat();
  const at = isDraft(row) ? row.draft_updated_at : row.created_at;
  return <span title={format.relative(at)}>{format.dateTime(at)}</span>;
}
const kindIcons: Record<ActorKind, typeof UserRound> = {
  user: UserRound,
  token: KeyRound,
  operator: Headset,
  system: Bot,
};
function WhoCell({ row }: { row: Row }) {
  const t = useTranslations('versions');
  const by = byOf(row);
  // Which of them it was is not kept of a draft.
  const kind = isDraft(row) ? undefined : row.created_by_kind;
  const Icon = kindIcons[kind ?? 'user'];
  const who = useWho();
  const isNamed = kind === undefined || kind === 'operator';
  const name = by === null ? t('cordon') : isNamed ? who(by) : by;
  const isKindTold = kind !== undefined && kind !== 'user' && by !== null && !(isNamed && isNamedOperator(by));
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Icon size={16} aria-hidden className="shrink-0 text-muted" />
      <span className="min-w-0 truncate" title={name}>
        {name}
      </span>
      {isKindTold && <span className="shrink-0 text-sm text-muted">{t(`kind.${kind}`)}</span>}
      {kind === 'user' && <span className="sr-only">{t('kind.user')}</span>}
    </span>
  );
}
/** Names that are told; the comparison tells all. */
const NAMED = 3;

function Changed({ settings }: { settings: readonly string[] }) {
  const t = useTranslations('versions');
  const names = useChangedNames()(settings);
  return (
    <span className="min-w-0 text-sm wrap-anywhere">
      {names.slice(0, NAMED).join(' · ')}
      {names.length > NAMED && ` ${t('more', { count: names.length - NAMED })}`}
    </span>
  );
}

function DraftNote({ route }: { route: Route }) {
  const t = useTranslations('versions');
  const settings = useMemo(
    () => changedSettings(diffConfigs(route.live, route.draft, pluginDefaults)),
    [route.live, route.draft],
  );
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
      <StatusBadge tone="warning">{t('pending', { count: route.pending_changes })}</StatusBadge>
      <Changed settings={settings} />
    </span>
  );
}

/** What the row is about: what waits in the draft; of a version that it is a rollback, what it changed, and why it was deployed. */
function NoteCell({ row }: { row: Row }) {
  const t = useTranslations('versions');
  if (isDraft(row)) return <DraftNote route={row} />;
  const note = noteOf(row);
  const isFirst = row.version === 1;
  if (note === '' && row.rolled_back_to === null && row.changes === null && !isFirst)
    return <span className="text-muted phone:hidden">–</span>;
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
      {row.rolled_back_to !== null && <Badge>{t('rolledBackTo', { version: row.rolled_back_to })}</Badge>}
      {row.changed?.length ? (
        <Changed settings={row.changed} />
      ) : (
        (row.changes !== null || isFirst) && (
          <span className="shrink-0 text-sm text-muted">
            {row.changes === null ? t('first') : t('changed', { count: row.changes })}
          </span>
        )
      )}
      <span className="min-w-0 wrap-anywhere">{note}</span>
    </span>
  );
}

const columnsOf = (route: Route): readonly DataTableColumn<Row>[] => [
  {
    id: 'version',
    header: <Header message="version" />,
    cell: (row) => <VersionCell row={row} isServed={isServed(route)} />,
    width: '128px',
    card: 'title',
  },
  {
    id: 'when',
    header: <Header message="when" />,
    cell: (row) => <WhenCell row={row} />,
    width: 'minmax(112px, 196px)',
    card: 'bare',
  },
  {
    id: 'who',
    header: <Header message="who" />,
    cell: (row) => <WhoCell row={row} />,
    width: (rows) => whoWidth(rows.map(byOf)),
    card: 'bare',
  },
  {
    id: 'note',
    header: <Header message="note" />,
    cell: (row) => <NoteCell row={row} />,
    // Grows last: without this the longest address would leave it a few words' room.
    width: 'minmax(clamp(120px, 13vw, 200px), 1fr)',
    card: 'bare',
    cardClass: 'phone:basis-full',
  },
];
const rowKey = (row: Row) => (isDraft(row) ? 'draft' : String(row.version));

interface VersionsTabProps {
  route: Route;
  page: number;
  onPageChange: (page: number) => void;
  onDeploy: () => void;
}

/** The draft, then every deploy of the domain: who, when, why; each can be compared and brought back. */
export default function VersionsTab({ route, page, onPageChange, onDeploy }: VersionsTabProps) {
  const t = useTranslations('versions');
  const versions = useListQuery(versionsOptions(route.id, page, PER_PAGE));
  const [shown, setShown] = useState<{ from: Side; to: Side; isRollback: boolean; isOpen: boolean }>();
  // The only version is compared with nothing.
  const [viewed, setViewed] = useState<{ version: number; isOpen: boolean }>();
  const count = versions.data?.count ?? 0;
  const can = domainActions(route);
  const sidesOf = (row: Row) => firstSides(route, isDraft(row) ? 'draft' : row.version, count);
  const show = (row: Row, isRollback: boolean) => {
    const sides = sidesOf(row);
    if (sides) setShown({ ...sides, isRollback, isOpen: true });
    else if (!isDraft(row)) setViewed({ version: row.version, isOpen: true });
  };
  const columns = useMemo(() => columnsOf(route), [route]);
  const rows = useMemo(() => {
    const results: readonly Row[] | undefined = versions.data?.results;
    return page === 1 && route.last_deployed !== null && route.pending_changes > 0
      ? results && [route, ...results]
      : results;
  }, [versions.data, route, page]);
  const tAction = useTranslations('domain.action');
  const buttonsOf = (row: Row) =>
    isDraft(row)
      ? [
          ...(can.discard ? [{ label: tAction('discard'), hasIcon: true }] : []),
          ...(can.deploy ? [{ label: t('review') }] : []),
        ]
      : [
          sidesOf(row) ? { label: t('compare'), hasIcon: true } : { label: t('view') },
          ...(canRollBack(route, row.version) ? [{ label: t('rollBack', { version: row.version }) }] : []),
        ];
  const actions = (row: Row) => {
    if (isDraft(row))
      return (
        <span className="mr-2 flex flex-wrap justify-end gap-1">
          <DiscardButton route={row} />
          {can.deploy && (
            <Button size="sm" onClick={onDeploy}>
              {t('review')}
            </Button>
          )}
        </span>
      );
    return (
      <span className="mr-2 flex flex-wrap justify-end gap-1">
        {sidesOf(row) ? (
          <Button
            size="sm"
            variant="ghost"
            icon={<GitCompareArrows size={16} aria-hidden />}
            onClick={() => show(row, false)}
          >
            {t('compare')}
          </Button>
        ) : (
          <Button size="sm" variant="ghost" onClick={() => show(row, false)}>
            {t('view')}
          </Button>
        )}
        {canRollBack(route, row.version) && (
          <Button size="sm" variant="ghost" onClick={() => show(row, true)}>
            {t('rollBack', { version: row.version })}
          </Button>
        )}
      </span>
    );
  };
  return (
    <>
      <DataTable
        {...tableDataOf(versions)}
        count={count > PER_PAGE ? count : undefined}
        // The draft is none of them.
        rangeText={(range) => t('range', range)}
        rows={rows}
        label={t('label')}
        columns={columns}
        rowKey={rowKey}
        page={page}
        perPage={PER_PAGE}
        onPageChange={onPageChange}
        onRowOpen={(row) => show(row, false)}
        rowActions={actions}
        hasRowButtons
        actionsWidth={buttonsWidth(rows?.map(buttonsOf) ?? [])}
        empty={<EmptyState icon={<History size={22} aria-hidden />} title={t('empty')} description={t('emptyBody')} />}
      />
      {viewed && (
        <Suspense fallback={null}>
          <VersionDialog
            routeId={route.id}
            version={viewed.version}
            open={viewed.isOpen}
            onOpenChange={(isOpen) => setViewed({ ...viewed, isOpen })}
          />
        </Suspense>
      )}
      {shown && (
        <Suspense fallback={null}>
          <CompareDialog
            route={route}
            from={shown.from}
            to={shown.to}
            isRollback={shown.isRollback}
            onSidesChange={(from, to) => setShown({ ...shown, from, to })}
            open={shown.isOpen}
            onOpenChange={(isOpen) => setShown({ ...shown, isOpen })}
          />
        </Suspense>
      )}
    </>
  );
}
