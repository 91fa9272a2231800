import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Siren } from 'lucide-react';
import { Suspense } from 'react';
import { hadNoDomain } from '../app/subscriptions';
import { routeListOptions, routeOptions } from '../domain/data/queries';
import { useReasonText } from '../domain/traffic/match-words';
import { readRequestMatch } from '../domain/traffic/request-match';
import { attackModesOptions } from '../features/attack-mode/queries';
import { FirstSteps } from '../features/domains/overview/first-steps';
import { DashboardScreen as Dashboard } from '../features/traffic/dashboard-screen';
import { Button } from '../ui/button';
import { LastHeight } from '../ui/last-height';
import { AddressDialog } from './address-dialog';
import { AttackBanner, AttackButton } from './attack-parts';

const route = getRouteApi('/shell/dashboard');
const NO_MATCH = {
  blocked: undefined,
  challenged: undefined,
  by: undefined,
  status: undefined,
  country: undefined,
  plugin: undefined,
  reason: undefined,
};

/** In its place in the header, as wide as it is; on a phone an icon. */
const switchSkeleton = (
  <Button aria-hidden disabled icon={<Siren size={16} />} className="flex-none!">
    <span className="w-32 phone:hidden" />
  </Button>
);

/** How far who has no domain, or only one, is with it; the same as on that domain's page. */
function AccountSteps() {
  const { data: list } = useQuery(routeListOptions({ page: 1, perpage: 10 }));
  const only = list?.count === 1 ? list.results[0]?.id : undefined;
  const { data: route } = useQuery({ ...routeOptions(only ?? ''), enabled: only !== undefined });
  if (list ? list.count > 0 && !route : !hadNoDomain()) return null;
  return <FirstSteps route={route} isElsewhere />;
}

/** Overview of the account; the URL holds the range, the domain, and the requests of which the domains are listed. */
export function DashboardScreen() {
  const reasonText = useReasonText();
  const { range = '15m', domain, ...rest } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: shown, isError } = useQuery({ ...routeOptions(domain ?? ''), enabled: domain !== undefined });
  const modes = useQuery(attackModesOptions(domain));
  return (
    <Dashboard
      search={{ range, domain, match: readRequestMatch(rest) }}
      onSearchChange={(change) => {
        const { match, ...others } = change;
        const search = 'match' in change ? { ...others, ...NO_MATCH, ...match } : others;
        void navigate({ search: (before) => ({ ...before, ...search }), replace: true });
      }}
      reasonText={reasonText}
      firstSteps={<AccountSteps />}
      AddressDialog={AddressDialog}
      attackButton={
        // Before the domain is known it would be the switch of all.
        domain === undefined || shown ? (
          <Suspense fallback={switchSkeleton}>
            <AttackButton route={shown} />
          </Suspense>
        ) : (
          !isError && switchSkeleton
        )
      }
      attackBanner={
        <LastHeight name={`attack ${domain ?? ''}`} isPending={modes.isPending}>
          <AttackBanner routeId={domain} />
        </LastHeight>
      }
    />
  );
}
