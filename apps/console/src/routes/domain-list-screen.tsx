import { PAGE_SIZE_DEFAULT } from '@cordon/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Globe } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { api } from '../app/api-client';
import { describeFailure } from '../app/failure';
import { DataTable } from '../ui/data-table';
import { PageHeader } from '../ui/page-header';
import { EmptyState } from '../ui/states';

const route = getRouteApi('/shell/domain/list');

/** The list of domains; its feature composes itself in here. */
export function DomainListScreen() {
  const t = useTranslations('shell');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const page = search.page ?? 1;
  const perpage = search.perpage ?? PAGE_SIZE_DEFAULT;
  const query = useQuery({
    queryKey: ['domains', 'list', { page, perpage }],
    queryFn: ({ signal }) => api.listRoutes({ query: { page, perpage }, signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHeader title={t('navigation.domains')} />
      <DataTable
        label={t('navigation.domains')}
        columns={[
          { id: 'domain_name', header: t('navigation.domains'), cell: (row) => row.domain_name_unicode, card: 'title' },
        ]}
        rows={query.data?.results}
        rowKey={(row) => row.id}
        isFetching={query.isFetching}
        error={query.error && describeFailure(query.error)}
        onRetry={() => void query.refetch()}
        page={page}
        perPage={perpage}
        count={query.data?.count}
        onPageChange={(next) => void navigate({ search: (before) => ({ ...before, page: next }) })}
        onRowOpen={(row) => void navigate({ to: '/domain/list/$id', params: { id: row.id }, search: {} })}
        empty={<EmptyState icon={<Globe size={22} aria-hidden />} title={t('navigation.domains')} />}
      />
    </>
  );
}
