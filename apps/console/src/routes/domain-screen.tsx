import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { DomainPage } from '../features/domains/page/domain-page';
import { readPageSearch } from '../features/domains/page/page-search';
import { domainPageParts } from './domain-page-parts';

const route = getRouteApi('/shell/domain/list/$id');

/** `/domain/list/{id}`: the URL holds the tab. */
export function DomainScreen() {
  const { id } = route.useParams();
  const raw = route.useSearch();
  const navigate = route.useNavigate();
  const search = useMemo(() => readPageSearch(raw), [raw]);
  // A tab that does not exist shows the overview, one of another name its tab, and the address says so.
  const isOtherTab = raw.tab !== search.tab;
  useEffect(() => {
    if (isOtherTab) void navigate({ search: { ...search }, replace: true });
  }, [isOtherTab, search, navigate]);
  return (
    <DomainPage
      key={id}
      id={id}
      search={search}
      onSearchChange={(next, how) => void navigate({ search: { ...next }, replace: how?.replace })}
      parts={domainPageParts}
    />
  );
}
