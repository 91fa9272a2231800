import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
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
  return (
    <DomainPage
      key={id}
      id={id}
      search={search}
      onSearchChange={(next) => void navigate({ search: { ...next } })}
      parts={domainPageParts}
    />
  );
}
