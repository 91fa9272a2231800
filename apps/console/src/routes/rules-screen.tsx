import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { TemplatesScreen as Templates } from '../features/rules/rules-screen';
import { readTemplatesSearch, type TemplatesScreenProps } from '../features/rules/rules-search';

const route = getRouteApi('/shell/domain/rules');

/** `/domain/rules`: the URL holds the page, the search, and which template is open. */
export function TemplatesScreen() {
  const raw = route.useSearch();
  const navigate = route.useNavigate();
  const search = useMemo(() => readTemplatesSearch({ ...raw }), [raw]);
  const change = useCallback<TemplatesScreenProps['onSearchChange']>(
    (next, how) => void navigate({ search: next, replace: how?.replace }),
    [navigate],
  );
  return <Templates search={search} onSearchChange={change} />;
}
