import type { Rule, RuleDomain } from '@cordon/contract';
import { RotateCw } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useListQuery } from '../../app/list-query';
import { tableDataOf } from '../../app/table-data';
import { pluginName, usePluginWords } from '../../domain/words/plugin-words';
import { Badge, StatusBadge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { DataTable } from '../../ui/data-table';
import type { DataTableColumn } from '../../ui/data-table-types';
import { useFormat } from '../../ui/format';
import { Link } from '../../ui/text-link';
import { ruleDomainsOptions } from './queries';
import { useApplyRule } from './rule-actions';

const TONES = { same: 'success', drifted: 'warning', rule_changed: 'primary' } as const;

function Header({ message }: { message: 'domain' | 'state' | 'applied' }) {
  return useTranslations('rules.applied.columns')(message);
}

function StateCell({ domain }: { domain: RuleDomain }) {
  const t = useTranslations('rules.applied');
  const format = useFormat();
  const words = usePluginWords();
  const named = domain.state === 'drifted' ? domain.drifted : domain.differing;
  const names = named.map((name) => (words ? pluginName(words(name), name) : name));
  return (
    <span className="flex flex-col items-start gap-1">
      <span className="flex flex-wrap items-center gap-1.5">
        <StatusBadge tone={TONES[domain.state]}>{t(`state.${domain.state}`)}</StatusBadge>
        {domain.state === 'same' && domain.status === 'running' && !domain.is_live && (
          <Badge tone="warning">{t('notLive')}</Badge>
        )}
      </span>
      {names.length > 0 && (
        <span className="text-sm text-muted">
          {t(domain.state === 'drifted' ? 'drifted' : 'differs', { plugins: format.list(names) })}
        </span>
      )}
    </span>
  );
}

function AppliedCell({ domain }: { domain: RuleDomain }) {
  const t = useTranslations('rules.applied');
  const format = useFormat();
  return (
    <span className="block truncate" title={format.dateTime(domain.applied_at)}>
      {t('revision', { revision: domain.applied_revision })}
      <span className="text-muted">
        {' · '}
        {format.relative(domain.applied_at)}
        {domain.applied_by && ` · ${domain.applied_by}`}
      </span>
    </span>
  );
}

const columns: readonly DataTableColumn<RuleDomain>[] = [
  {
    id: 'domain',
    header: <Header message="domain" />,
    cell: (domain) => (
      <Link
        to="/domain/list/$id"
        params={{ id: domain.route_id }}
        className="block truncate text-ink! touch:py-2.5 phone:wrap-anywhere phone:whitespace-normal"
        title={domain.domain_name_unicode}
      >
        {domain.domain_name_unicode}
      </Link>
    ),
    width: 'minmax(160px, 1fr)',
    card: 'title',
  },
  { id: 'state', header: <Header message="state" />, cell: (domain) => <StateCell domain={domain} /> },
  {
    id: 'applied',
    header: <Header message="applied" />,
    cell: (domain) => <AppliedCell domain={domain} />,
    width: 'minmax(0, 1.2fr)',
    hideBelow: 'md',
  },
];
const rowKey = (domain: RuleDomain) => domain.route_id;

/** Where a rule was applied, how each domain stands to it now, and "apply again". */
export default function AppliedDomains({ rule }: { rule: Rule }) {
  const t = useTranslations('rules.applied');
  const [page, setPage] = useState(1);
  const [perpage, setPerpage] = useState(10);
  const [q, setQ] = useState('');
  const list = useListQuery({
    ...ruleDomainsOptions(rule, { page, perpage, ...(q === '' ? {} : { q }) }),
    refetchOnMount: 'always',
  });
  const { ask, dialog } = useApplyRule(rule);
  const again = useCallback((domain: RuleDomain) => ask({ names: [domain.domain_name] }), [ask]);
  const rowActions = useMemo(
    () => (domain: RuleDomain) =>
      domain.state !== 'same' && (
        <Button
          size="sm"
          onClick={() => again(domain)}
          aria-label={t('againNamed', { name: domain.domain_name_unicode })}
        >
          {t('again')}
        </Button>
      ),
    [again, t],
  );
  return (
    <section aria-label={t('title')}>
      <header className="mb-3 flex flex-wrap items-end justify-between gap-3">
        <div className="min-w-0">
          <h2 className="font-semibold">{t('title')}</h2>
          <p className="text-muted">
            {rule.domains === 0 ? t('none') : t('summary', { count: rule.domains, differing: rule.differing })}
          </p>
        </div>
        {rule.differing > 0 && (
          <Button size="sm" icon={<RotateCw size={16} aria-hidden />} onClick={() => ask({ applied: 'differing' })}>
            {t('againAll', { count: rule.differing })}
          </Button>
        )}
      </header>
      {rule.domains > 0 && (
        <DataTable
          {...tableDataOf(list)}
          label={t('title')}
          columns={columns}
          rowKey={rowKey}
          page={page}
          perPage={perpage}
          onPageChange={setPage}
          onPerPageChange={(next) => {
            setPerpage(next);
            setPage(1);
          }}
          search={q}
          onSearchChange={(text) => {
            setQ(text);
            setPage(1);
          }}
          searchLabel={t('search')}
          isFiltered={q !== ''}
          onClearFilters={() => setQ('')}
          rowActions={rowActions}
          hasRowButtons
          actionsWidth="130px"
          empty={null}
        />
      )}
      {dialog}
    </section>
  );
}
