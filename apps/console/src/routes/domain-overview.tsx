import type { Route } from '@cordon/contract';
import { Suspense } from 'react';
import { needCatalogs } from '../app/intl-store';
import type { DialogAction } from '../domain/model/dialog-action';
import { isServed } from '../domain/model/domain-state';
import type { RequestMatch } from '../domain/traffic/request-match';
import { isCached } from '../features/caching/is-cached';
import { FirstSteps } from '../features/domains/overview/first-steps';
import { HealthCard } from '../features/domains/overview/health-card';
import { DaySkeleton } from '../features/domains/page/page-skeleton';
import { lazyPart } from '../ui/lazy-part';
import { loadedPart } from '../ui/loaded-part';
import { Skeleton } from '../ui/states';
import { PendingPlace } from './pending-place';

const LastDay = lazyPart(async () => {
  await needCatalogs('traffic');
  return import('../features/domains/overview/last-day');
});
const LatestRequests = lazyPart(() => import('./domain-latest-requests'));
const MatchingRequests = lazyPart(async () => {
  await needCatalogs('traffic');
  return import('./matching-requests');
});
const DomainFacts = lazyPart(async () => {
  await needCatalogs('subscriptions');
  return import('./domain-facts');
});

export const DevelopmentPlace = loadedPart(async () => {
  await needCatalogs('caching');
  return import('./development-place');
});

const NEW_MS = 60_000;

export interface DomainOverviewProps {
  route: Route;
  /** Requests that the URL asks for: they stand first. */
  match: RequestMatch | undefined;
  onMatchRemove: () => void;
  onAsk: (action: DialogAction) => void;
  onPause: () => void;
}

/** Status first, then what waits, then numbers and the latest requests, then settings and proofs. */
export function DomainOverview({ route, match, onMatchRemove, onAsk, onPause }: DomainOverviewProps) {
  const isPending = route.ownership.state === 'pending';
  const facts = (
    <Suspense fallback={<Skeleton className="h-64 w-full" />}>
      <DomainFacts
        route={route}
        canTry={isPending && route.last_deployed !== null && isServed(route)}
        onPause={onPause}
      />
    </Suspense>
  );
  // Requests of a version that has just come, and is the first, have hardly been there: no numbers are drawn to fold away.
  const isNew = route.version_live === 1 && Date.now() - Date.parse(route.last_deployed ?? '') < NEW_MS;
  const hasHits = isCached(route);
  const outline = isNew ? <Skeleton className="h-48 w-full" /> : <DaySkeleton hasHits={hasHits} />;
  const latest = (
    <Suspense fallback={isNew && outline}>
      <LatestRequests route={route} isNew={isNew} isLast={isPending} />
    </Suspense>
  );
  const page = (
    <>
      <FirstSteps route={route} />
      <HealthCard route={route} onAsk={onAsk} />
      <PendingPlace route={route} onAsk={onAsk} />
      {route.development_ends_at !== null && (
        <Suspense fallback={null}>
          <DevelopmentPlace route={route} />
        </Suspense>
      )}
      {isPending && facts}
      {route.last_deployed !== null && (
        <Suspense fallback={outline}>
          <LastDay route={route} outline={isNew ? latest : outline} hasHits={hasHits}>
            {latest}
          </LastDay>
        </Suspense>
      )}
      {!isPending && facts}
    </>
  );
  return (
    <div className="flex flex-col gap-4">
      {match ? (
        <Suspense fallback={<Skeleton className="h-64 w-full" />}>
          <MatchingRequests routeId={route.id} match={match} onRemove={onMatchRemove}>
            {page}
          </MatchingRequests>
        </Suspense>
      ) : (
        page
      )}
    </div>
  );
}
