import type { RuleSummary } from '@cordon/contract';
import { PAGE_SIZE_DEFAULT } from '@cordon/contract';
import { LayoutTemplate, Plus } from 'lucide-react';
import { useCallback } from 'react';
import { useTranslations } from 'use-intl';
import { useListQuery } from '../../app/list-query';
import { useSubscriptions } from '../../app/subscriptions';
import { tableDataOf } from '../../app/table-data';
import { useWho } from '../../app/who';
import { pluginName, usePluginWords } from '../../domain/words/plugin-words';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { DataTable } from '../../ui/data-table';
import type { DataTableColumn } from '../../ui/data-table-types';
import { useFormat } from '../../ui/format';
import { PageHeader } from '../../ui/page-header';
import { EmptyState } from '../../ui/states';
import { Link } from '../../ui/text-link';
import { ruleListOptions } from './queries';
import type { RulesScreenProps } from './rules-search';

const PLUGINS_SHOWN = 3;

function Header({ message }: { message: 'name' | 'plugins' | 'domains' | 'changed' }) {
  return useTranslations('rules.list.columns')(message);
}

function NameCell({ rule }: { rule: RuleSummary }) {
  return (
    <span className="block">
      <Link to="/domain/rules" search={{ rule: rule.id }} className="block text-ink! wrap-anywhere">
        {rule.name}
      </Link>
      {rule.description !== '' && (
        <span className="block truncate text-sm font-normal text-muted" title={rule.description}>
          {rule.description}
        </span>
      )}
    </span>
  );
}

function PluginsCell({ rule }: { rule: RuleSummary }) {
  const t = useTranslations('rules.list');
  const words = usePluginWords();
  const format = useFormat();
  const names = rule.plugin_names.map((plugin) => {
    const name = words ? pluginName(words(plugin), plugin) : plugin;
    return rule.switched_off.includes(plugin) ? t('off', { name }) : name;
  });
  return (
    <span className="flex flex-wrap gap-1" title={format.list(names)}>
      {names.slice(0, PLUGINS_SHOWN).map((name) => (
        <Badge key={name}>{name}</Badge>
      ))}
      {names.length > PLUGINS_SHOWN && <Badge>{t('morePlugins', { count: names.length - PLUGINS_SHOWN })}</Badge>}
      {rule.lists === 'merge' && <Badge tone="primary">{t('merges')}</Badge>}
    </span>
  );
}

function DomainsCell({ rule }: { rule: RuleSummary }) {
  const t = useTranslations('rules.list');
  if (rule.domains === 0) return <span className="text-muted">{t('nowhere')}</span>;
  return (
    <span className="block">
      {t('domains', { count: rule.domains })}
      {rule.differing === null ? (
        <span className="block text-sm text-muted">{t('notCompared')}</span>
      ) : (
        rule.differing > 0 && (
          <span className="block text-sm text-warning">{t('differing', { count: rule.differing })}</span>
        )
      )}
    </span>
  );
}

function ChangedCell({ rule }: { rule: RuleSummary }) {
  const format = useFormat();
  const who = useWho();
  const name = rule.updated_by && who(rule.updated_by);
  return (
    <span title={format.dateTime(rule.updated_at)} className="block wrap-anywhere">
      {format.relative(rule.updated_at)}
      {name && <span className="text-muted"> · {name}</span>}
    </span>
  );
}

const columns: readonly DataTableColumn<RuleSummary>[] = [
  {
    id: 'name',
    header: <Header message="name" />,
    cell: (rule) => <NameCell rule={rule} />,
    width: 'minmax(160px, 1fr)',
    card: 'title',
  },
  {
    id: 'plugins',
    header: <Header message="plugins" />,
    cell: (rule) => <PluginsCell rule={rule} />,
    width: 'minmax(0, 1.2fr)',
    card: 'bare',
    cardClass: 'phone:basis-full',
  },
  {
    id: 'domains',
    header: <Header message="domains" />,
    cell: (rule) => <DomainsCell rule={rule} />,
    width: '124px',
    card: 'bare',
  },
  {
    id: 'changed',
    header: <Header message="changed" />,
    cell: (rule) => <ChangedCell rule={rule} />,
    width: 'minmax(236px, 1fr)',
    card: 'bare',
    hideBelow: 'md',
  },
];
const rowKey = (rule: RuleSummary) => rule.id;

/** The rules of the selected subscription, by name. */
export function RuleList({ search, onSearchChange }: RulesScreenProps) {
  const t = useTranslations('rules.list');
  const { subscriptions, selected } = useSubscriptions();
  const query = {
    page: search.page ?? 1,
    perpage: search.perpage ?? PAGE_SIZE_DEFAULT,
    q: search.q,
    // With one subscription its name says nothing, and the list need not wait for it.
    ...(subscriptions && subscriptions.length > 1 ? { cname: selected?.cname } : {}),
  };
  const list = useListQuery(ruleListOptions(query));
  const open = useCallback((rule: RuleSummary) => onSearchChange({ rule: rule.id }), [onSearchChange]);
  const isEmpty = search.q === undefined && list.data?.count === 0;
  const add = (
    <Button variant="primary" icon={<Plus size={16} aria-hidden />} onClick={() => onSearchChange({ new: true })}>
      {t('add')}
    </Button>
  );
  return (
    <>
      {/* In the line of the title, on a phone too: the list keeps its place where the button goes. */}
      <PageHeader title={t('title')} status={<span className="ml-auto touch:h-10">{!isEmpty && add}</span>} />
      <DataTable
        {...tableDataOf(list)}
        label={t('title')}
        columns={columns}
        rowKey={rowKey}
        page={query.page}
        perPage={query.perpage}
        onPageChange={(page) => onSearchChange({ ...search, page: page === 1 ? undefined : page })}
        onPerPageChange={(perpage) => onSearchChange({ ...search, perpage, page: undefined })}
        {...(!isEmpty && {
          search: search.q ?? '',
          onSearchChange: (q: string) =>
            onSearchChange({ ...search, q: q || undefined, page: undefined }, { replace: true }),
          searchLabel: t('search'),
        })}
        isFiltered={search.q !== undefined}
        onClearFilters={() => onSearchChange({ ...search, q: undefined, page: undefined })}
        onRowOpen={open}
        empty={
          <EmptyState
            icon={<LayoutTemplate size={22} aria-hidden />}
            title={t('empty.title')}
            description={t('empty.body')}
            action={add}
          />
        }
      />
    </>
  );
}
