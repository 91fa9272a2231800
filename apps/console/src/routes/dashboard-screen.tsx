import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Siren } from 'lucide-react';
import { Suspense } from 'react';
import { hadNoDomain } from '../app/subscriptions';
import { accountHealthOptions, routeListOptions, routeOptions } from '../domain/data/queries';
import { useReasonText } from '../domain/traffic/match-words';
import { readRequestMatch } from '../domain/traffic/request-match';
import { attackModesOptions } from '../features/attack-mode/queries';
import { DashboardScreen as Dashboard } from '../features/traffic/dashboard-screen';
import { readRange, rememberRange } from '../features/traffic/range-choice';
import { Button } from '../ui/button';
import { lazyPart } from '../ui/lazy-part';
import { useLoadedPart } from '../ui/loaded-part';
import { Skeleton } from '../ui/states';
import { AddressDialog } from './address-dialog';
import { AttackBanner, AttackButton, PlacedAttackBanner } from './attack-parts';

/** Of newcomers only. */
const FirstSteps = lazyPart(async () => ({
  default: (await import('../features/domains/overview/first-steps')).FirstSteps,
}));

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

/** The steps are beside each other, or on a phone below each other. */
function StepsSkeleton() {
  return <Skeleton className="h-14 w-full" />;
}

/** How far who has no domain, or only one, is with it; the same as on that domain's page. */
function AccountSteps() {
  const { data: health } = useQuery(accountHealthOptions);
  const count = health ? Object.values(health.counts).reduce((sum, one) => sum + one) : hadNoDomain() ? 0 : undefined;
  const list = useQuery({ ...routeListOptions({ page: 1, perpage: 10 }), enabled: count === 1 });
  const only = list.data?.results[0]?.id;
  const one = useQuery({ ...routeOptions(only ?? ''), enabled: only !== undefined });
  if (count === 0) return <FirstSteps isElsewhere />;
  if (count !== 1 || list.isLoadingError || one.isLoadingError) return null;
  return one.data ? <FirstSteps route={one.data} isElsewhere /> : <StepsSkeleton />;
}

/** Overview of the account; the URL holds the range, the domain, and the requests of which the domains are listed. */
export function DashboardScreen() {
  const reasonText = useReasonText();
  const { range = readRange(), domain, ...rest } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: shown, isError } = useQuery({ ...routeOptions(domain ?? ''), enabled: domain !== undefined });
  const modes = useQuery(attackModesOptions(domain));
  const canShowBanner = useLoadedPart(AttackBanner);
  return (
    <Dashboard
      search={{ range, domain, match: readRequestMatch(rest) }}
      onSearchChange={(change) => {
        const { match, ...others } = change;
        if (others.range) rememberRange(others.range);
        const search = 'match' in change ? { ...others, ...NO_MATCH, ...match } : others;
        void navigate({ search: (before) => ({ ...before, ...search }), replace: true });
      }}
      reasonText={reasonText}
      firstSteps={
        <Suspense fallback={<StepsSkeleton />}>
          <AccountSteps />
        </Suspense>
      }
      AddressDialog={AddressDialog}
      attackButton={
        // Before the domain is known it would be the switch of all.
        (domain === undefined || shown) && !modes.isPending ? (
          <Suspense fallback={switchSkeleton}>
            <AttackButton route={shown} />
          </Suspense>
        ) : (
          !isError && switchSkeleton
        )
      }
      isAttackKnown={!modes.isPending && canShowBanner}
      attackBanner={<PlacedAttackBanner routeId={domain} />}
    />
  );
}
