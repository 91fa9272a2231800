import type { RuleSummary } from '@cordon/contract';
import { PAGE_SIZE_DEFAULT } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { LayoutTemplate, Plus } from 'lucide-react';
import { useCallback } from 'react';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../app/failure';
import { useSubscriptions } from '../../app/subscriptions';
import { pluginName, usePluginWords } from '../../domain/words/plugin-words';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { DataTable } from '../../ui/data-table';
import type { DataTableColumn } from '../../ui/data-table-types';
import { useFormat } from '../../ui/format';
import { PageHeader } from '../../ui/page-header';
import { EmptyState } from '../../ui/states';
import { Link } from '../../ui/text-link';
import { templateListOptions } from './rule-queries';
import type { TemplatesScreenProps } from './rules-search';

const PLUGINS_SHOWN = 3;

function Header({ message }: { message: 'name' | 'plugins' | 'domains' | 'changed' }) {
  return useTranslations('rules.list.columns')(message);
}

function NameCell({ template }: { template: RuleSummary }) {
  return (
    <span className="block">
      <Link
        to="/domain/rules"
        search={{ template: template.id }}
        className="block truncate text-ink! phone:wrap-anywhere phone:whitespace-normal"
        title={template.name}
      >
        {template.name}
      </Link>
      {template.description !== '' && (
        <span className="block truncate text-sm font-normal text-muted" title={template.description}>
          {template.description}
        </span>
      )}
    </span>
  );
}

function PluginsCell({ template }: { template: RuleSummary }) {
  const t = useTranslations('rules.list');
  const words = usePluginWords();
  const names = template.plugin_names.map((name) => (words ? pluginName(words(name), name) : name));
  return (
    <span className="flex flex-wrap gap-1" title={names.join(', ')}>
      {names.slice(0, PLUGINS_SHOWN).map((name) => (
        <Badge key={name}>{name}</Badge>
      ))}
      {names.length > PLUGINS_SHOWN && <Badge>{t('morePlugins', { count: names.length - PLUGINS_SHOWN })}</Badge>}
    </span>
  );
}

function DomainsCell({ template }: { template: RuleSummary }) {
  const t = useTranslations('rules.list');
  if (template.domains === 0) return <span className="text-muted">{t('nowhere')}</span>;
  return t('domains', { count: template.domains });
}

function ChangedCell({ template }: { template: RuleSummary }) {
  const format = useFormat();
  return (
    <span title={format.dateTime(template.updated_at)} className="block truncate">
      {format.relative(template.updated_at)}
      {template.updated_by && <span className="text-muted"> · {template.updated_by}</span>}
    </span>
  );
}

const columns: readonly DataTableColumn<RuleSummary>[] = [
  {
    id: 'name',
    header: <Header message="name" />,
    cell: (template) => <NameCell template={template} />,
    width: 'minmax(160px, 1.5fr)',
    card: 'title',
  },
  { id: 'plugins', header: <Header message="plugins" />, cell: (template) => <PluginsCell template={template} /> },
  { id: 'domains', header: <Header message="domains" />, cell: (template) => <DomainsCell template={template} /> },
  {
    id: 'changed',
    header: <Header message="changed" />,
    cell: (template) => <ChangedCell template={template} />,
    hideBelow: 'md',
  },
];
const rowKey = (template: RuleSummary) => template.id;

/** The templates of the selected subscription, by name. */
export function TemplateList({ search, onSearchChange }: TemplatesScreenProps) {
  const t = useTranslations('rules.list');
  const { subscriptions, selected } = useSubscriptions();
  const query = {
    page: search.page ?? 1,
    perpage: search.perpage ?? PAGE_SIZE_DEFAULT,
    q: search.q,
    // With one subscription its name says nothing, and the list need not wait for it.
    ...(subscriptions && subscriptions.length > 1 ? { cname: selected?.cname } : {}),
  };
  const list = useQuery(templateListOptions(query));
  const open = useCallback((template: RuleSummary) => onSearchChange({ template: template.id }), [onSearchChange]);
  const add = (
    <Button variant="primary" icon={<Plus size={16} aria-hidden />} onClick={() => onSearchChange({ new: true })}>
      {t('add')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} actions={add} />
      <DataTable
        label={t('title')}
        columns={columns}
        rows={list.data?.results}
        rowKey={rowKey}
        isFetching={list.isPlaceholderData}
        error={list.error && describeFailure(list.error)}
        onRetry={() => void list.refetch()}
        page={query.page}
        perPage={query.perpage}
        count={list.data?.count}
        onPageChange={(page) => onSearchChange({ ...search, page: page === 1 ? undefined : page })}
        onPerPageChange={(perpage) => onSearchChange({ ...search, perpage, page: undefined })}
        search={search.q ?? ''}
        onSearchChange={(q) => onSearchChange({ ...search, q: q || undefined, page: undefined }, { replace: true })}
        searchLabel={t('search')}
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
