import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useCallback, useMemo } from 'react';
import { needCatalogs } from '../app/intl-store';
import { PendingContent } from '../app/shell/pending-screen';
import { DomainList, type DomainListProps } from '../features/domains/list/domain-list';
import { readListSearch } from '../features/domains/list/list-search';
import { lazyPart } from '../ui/lazy-part';
import { domainListParts } from './domain-list-parts';

const route = getRouteApi('/shell/domain/list');

const LinkedRequest = lazyPart(async () => {
  await needCatalogs('commands');
  return import('./linked-request');
});

/** `/domain/list`: the URL holds page, search, filter and sort, or the request of a page of the edge, by the link on it. */
export function DomainListScreen() {
  const raw = route.useSearch();
  const navigate = route.useNavigate();
  const search = useMemo(() => readListSearch({ ...raw }), [raw]);
  const change = useCallback<DomainListProps['onSearchChange']>(
    (part, how) => void navigate({ search: (before) => ({ ...before, ...part }), replace: how?.replace }),
    [navigate],
  );
  if ('request' in raw)
    return (
      <Suspense fallback={<PendingContent />}>
        <LinkedRequest />
      </Suspense>
    );
  return <DomainList search={search} onSearchChange={change} parts={domainListParts} />;
}
