import { getRouteApi } from '@tanstack/react-router';
import { useReasonText } from '../domain/traffic/match-words';
import { readRequestMatch } from '../domain/traffic/request-match';
import { FirstSteps } from '../features/domains/overview/first-steps';
import { DashboardScreen as Dashboard } from '../features/traffic/dashboard-screen';

const route = getRouteApi('/shell/dashboard');
const NO_MATCH = {
  blocked: undefined,
  by: undefined,
  status: undefined,
  country: undefined,
  plugin: undefined,
  reason: undefined,
};

/** Overview of the account; the URL holds the range, the domain, and the requests of which the domains are listed. */
export function DashboardScreen() {
  const reasonText = useReasonText();
  const { range = '15m', domain, ...rest } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Dashboard
      search={{ range, domain, match: readRequestMatch(rest) }}
      onSearchChange={(change) => {
        const { match, ...others } = change;
        const search = 'match' in change ? { ...others, ...NO_MATCH, ...match } : others;
        void navigate({ search: (before) => ({ ...before, ...search }), replace: true });
      }}
      reasonText={reasonText}
      firstSteps={<FirstSteps />}
    />
  );
}
