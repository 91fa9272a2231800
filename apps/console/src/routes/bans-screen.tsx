import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { BansScreen as Bans } from '../features/bans/bans-screen';
import { type BansScreenProps, readBansSearch } from '../features/bans/bans-search';

const route = getRouteApi('/shell/manage-ip');

/** `/manage-ip`: the URL holds page, search and filter. */
export function BansScreen() {
  const raw = route.useSearch();
  const navigate = route.useNavigate();
  const search = useMemo(() => readBansSearch({ ...raw }), [raw]);
  const change = useCallback<BansScreenProps['onSearchChange']>(
    (part, how) => void navigate({ search: (before) => ({ ...before, ...part }), replace: how?.replace }),
    [navigate],
  );
  return <Bans search={search} onSearchChange={change} />;
}
