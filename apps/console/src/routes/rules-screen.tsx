import { getRouteApi, useLocation } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { RulesScreen as Rules } from '../features/rules/rules-screen';
import { type RulesScreenProps, readRulesSearch } from '../features/rules/rules-search';

const route = getRouteApi('/shell/domain/rules');

/** `/domain/rules`: the URL holds the page, the search, and which rule is open. */
export function RulesScreen() {
  const raw = route.useSearch();
  const navigate = route.useNavigate();
  const selected = useLocation({ select: ({ state }) => state.selectedForRule });
  const search = useMemo(() => readRulesSearch({ ...raw }), [raw]);
  const change = useCallback<RulesScreenProps['onSearchChange']>(
    (next, how) => void navigate({ search: next, ...(how?.replace && { replace: true, state: true }) }),
    [navigate],
  );
  return (
    <Rules
      search={search}
      selected={selected}
      onApplied={() => void navigate({ to: '/domain/list', search: selected?.search ?? {} })}
      onSearchChange={change}
    />
  );
}
