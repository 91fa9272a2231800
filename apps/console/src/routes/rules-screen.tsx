import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { RulesScreen as Rules } from '../features/rules/rules-screen';
import { type RulesScreenProps, readRulesSearch } from '../features/rules/rules-search';

const route = getRouteApi('/shell/domain/rules');

/** `/domain/rules`: the URL holds the page, the search, and which rule is open. */
export function RulesScreen() {
  const raw = route.useSearch();
  const navigate = route.useNavigate();
  const search = useMemo(() => readRulesSearch({ ...raw }), [raw]);
  const change = useCallback<RulesScreenProps['onSearchChange']>(
    (next, how) => void navigate({ search: next, replace: how?.replace }),
    [navigate],
  );
  return <Rules search={search} onSearchChange={change} />;
}
