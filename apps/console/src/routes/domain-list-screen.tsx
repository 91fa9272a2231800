import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { DomainList, type DomainListProps } from '../features/domains/list/domain-list';
import { readListSearch } from '../features/domains/list/list-search';
import { domainListParts } from './domain-list-parts';

const route = getRouteApi('/shell/domain/list');

/** `/domain/list`: the URL holds page, search, filter and sort. */
export function DomainListScreen() {
  const raw = route.useSearch();
  const navigate = route.useNavigate();
  const search = useMemo(() => readListSearch({ ...raw }), [raw]);
  const change = useCallback<DomainListProps['onSearchChange']>(
    (part, how) => void navigate({ search: (before) => ({ ...before, ...part }), replace: how?.replace }),
    [navigate],
  );
  return <DomainList search={search} onSearchChange={change} parts={domainListParts} />;
}
