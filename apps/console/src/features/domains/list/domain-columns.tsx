import type { RouteSummary } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { DomainStatus } from '../../../domain/display/domain-status';
import { GroupLabel } from '../../../domain/display/group-label';
import { Badge } from '../../../ui/badge';
import { CopyButton } from '../../../ui/copy-button';
import type { DataTableColumn } from '../../../ui/data-table-types';
import { useFormat } from '../../../ui/format';
import { Link } from '../../../ui/text-link';

function NameCell({ route }: { route: RouteSummary }) {
  const t = useTranslations('domain');
  return (
    <span className="block min-w-0">
      <Link
        to="/domain/list/$id"
        params={{ id: route.id }}
        className="block truncate text-ink! phone:wrap-anywhere phone:whitespace-normal"
        title={
          route.domain_name_unicode === route.domain_name
            ? route.domain_name
            : `${route.domain_name_unicode} (${route.domain_name})`
        }
      >
        {route.domain_name_unicode}
      </Link>
      <span className="flex items-center gap-0.5 text-sm font-normal text-muted">
        <span className="min-w-0 truncate font-mono text-xs" title={route.cname}>
          {route.cname}
        </span>
        <CopyButton
          value={route.cname}
          label={t('list.copyCname', { name: route.domain_name_unicode })}
          copiedLabel={t('list.copied')}
        />
        <GroupLabel groupId={route.group_id} />
      </span>
    </span>
  );
}

function TargetsCell({ route }: { route: RouteSummary }) {
  const t = useTranslations('domain');
  if (route.traffic_action === 'redirect') {
    const text = t('list.redirects', { url: route.upstream_summary });
    return (
      <span className="block truncate" title={text}>
        {text}
      </span>
    );
  }
  return (
    <span className="block truncate font-mono text-sm" title={route.upstream_summary}>
      {route.upstream_summary}
    </span>
  );
}

function ChangesCell({ route }: { route: RouteSummary }) {
  const t = useTranslations('domain');
  if (route.last_deployed === null) return <span className="whitespace-nowrap text-muted">{t('list.notLive')}</span>;
  if (route.pending_changes === 0) return <span className="whitespace-nowrap text-muted">{t('list.upToDate')}</span>;
  return <Badge tone="primary">{t('list.pending', { count: route.pending_changes })}</Badge>;
}

function DeployedCell({ route }: { route: RouteSummary }) {
  const t = useTranslations('domain');
  const format = useFormat();
  if (route.last_deployed === null) return <span className="text-muted">{t('list.never')}</span>;
  return (
    <span title={format.dateTime(route.last_deployed)} className="whitespace-nowrap">
      {format.relative(route.last_deployed)}
      {route.version_live !== null && (
        <span className="text-muted"> · {t('version', { version: route.version_live })}</span>
      )}
    </span>
  );
}

function Header({ message }: { message: 'domain' | 'status' | 'targets' | 'changes' | 'lastDeployed' }) {
  const t = useTranslations('domain.list.columns');
  return t(message);
}

/** Columns of the domain list; in module scope, so that a re-sort redraws only what changed. */
export const domainColumns: readonly DataTableColumn<RouteSummary>[] = [
  {
    id: 'domain_name',
    header: <Header message="domain" />,
    cell: (route) => <NameCell route={route} />,
    sortable: true,
    width: 'minmax(180px, 2.8fr)',
    card: 'title',
  },
  {
    id: 'status',
    header: <Header message="status" />,
    cell: (route) => <DomainStatus route={route} />,
    width: 'minmax(150px, 2.15fr)',
  },
  {
    id: 'targets',
    header: <Header message="targets" />,
    cell: (route) => <TargetsCell route={route} />,
    width: 'minmax(0, 1.85fr)',
    hideBelow: 'md',
  },
  {
    id: 'changes',
    header: <Header message="changes" />,
    cell: (route) => <ChangesCell route={route} />,
    width: 'minmax(120px, 0.8fr)',
  },
  {
    id: 'last_deployed',
    header: <Header message="lastDeployed" />,
    cell: (route) => <DeployedCell route={route} />,
    sortable: true,
    width: 'minmax(175px, 1fr)',
    hideBelow: 'lg',
  },
];
