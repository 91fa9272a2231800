import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { api } from '../app/api-client';
import { describeFailure } from '../app/failure';
import { PageHeader } from '../ui/page-header';
import { ErrorState, Skeleton } from '../ui/states';
import { Link } from '../ui/text-link';

const route = getRouteApi('/shell/domain/list/$id');

/** One domain; its feature composes itself in here. */
export function DomainScreen() {
  const t = useTranslations('shell');
  const { id } = route.useParams();
  const query = useQuery({
    queryKey: ['domains', 'detail', id, 'route'],
    queryFn: async ({ signal }) => (await api.getRoute({ params: { id }, signal })).result,
  });
  if (query.isError)
    return (
      <ErrorState
        {...describeFailure(query.error)}
        onRetry={() => void query.refetch()}
        isRetrying={query.isFetching}
      />
    );
  return (
    <PageHeader
      breadcrumb={[
        <Link key="list" to="/domain/list">
          {t('navigation.domains')}
        </Link>,
      ]}
      title={query.data?.domain_name_unicode ?? <Skeleton className="h-8 w-64" />}
    />
  );
}
