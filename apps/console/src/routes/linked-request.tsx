import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { RefreshCw, Waypoints } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../app/failure';
import { awaitLoggedRequest, readRequestId } from '../features/diagnosis/logged-request';
import { Button, buttonClass } from '../ui/button';
import { Card } from '../ui/card';
import { PageHeader } from '../ui/page-header';
import { EmptyState, ErrorState } from '../ui/states';

/**
 * Where the link of an edge's page leads: on to the trace of the request that the visitor made. Its id stays in the address
 * until it is found, so that to load the page again looks again.
 */
export default function LinkedRequest() {
  const t = useTranslations('commands');
  const tUi = useTranslations('ui');
  const navigate = useNavigate();
  const id = useLocation({ select: ({ search }) => readRequestId(String((search as { request?: unknown }).request)) });
  const { data, error, isError, isFetching, isFetched, refetch } = useQuery({
    queryKey: ['linked-request', id],
    queryFn: async ({ signal }) => (await awaitLoggedRequest(id as string, signal)) ?? null,
    enabled: id !== undefined,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => {
    if (data)
      void navigate({
        to: '/domain/list/$id',
        params: { id: data.route_id },
        search: { tab: 'diagnosis', view: 'trace', request: id },
        replace: true,
      });
  }, [data, id, navigate]);
  const isLooking = isFetching || data;
  return (
    <>
      <PageHeader title={t('linked.title')} />
      <Card>
        {isError ? (
          <ErrorState {...describeFailure(error)} onRetry={() => void refetch()} isRetrying={isFetching} />
        ) : (
          <div aria-live="polite">
            <EmptyState
              icon={<Waypoints size={22} className={isLooking ? 'animate-pulse' : undefined} aria-hidden />}
              title={t(isLooking ? 'linked.looking' : 'noRequest')}
              description={
                <>
                  <code className="block font-mono wrap-anywhere">{id}</code>
                  {t(isLooking || !id ? 'logsTakeSeconds' : 'linked.notFound')}
                </>
              }
              action={
                (isFetched || !id) && (
                  <>
                    {id && (
                      <Button
                        icon={<RefreshCw size={16} aria-hidden />}
                        loading={isFetching}
                        onClick={() => void refetch()}
                      >
                        {tUi('retry')}
                      </Button>
                    )}
                    <a href="#/domain/list" className={buttonClass('ghost')}>
                      {t('linked.domains')}
                    </a>
                  </>
                )
              }
            />
          </div>
        )}
      </Card>
    </>
  );
}
