import type { Route } from '@cordon/contract';
import { Suspense } from 'react';
import { needCatalogs } from '../app/intl-store';
import { isServed } from '../domain/model/domain-state';
import { RecentRequests } from '../features/domains/page/recent-requests';
import { StatusSummary } from '../features/domains/page/status-summary';
import { OwnershipCard } from '../features/names/ownership/ownership-card';
import { PreviewCard } from '../features/names/ownership/preview-card';
import { ReceiptCard } from '../features/publishing/receipts/receipt-card';
import { lazyPart } from '../ui/lazy-part';
import { Skeleton } from '../ui/states';

const Ipv6Card = lazyPart(async () => {
  await needCatalogs('subscriptions');
  return import('../features/subscriptions/ipv6-card');
});

/** Status first, then what to do, then the proof. */
export function DomainOverview({ route }: { route: Route }) {
  const isPending = route.ownership.state === 'pending';
  const canTry = isPending && route.last_deployed !== null && isServed(route);
  return (
    <div className="flex flex-col gap-4">
      <StatusSummary route={route} />
      <div className="grid items-start gap-4 md:grid-cols-2">
        {isPending && <OwnershipCard route={route} />}
        <div className="flex min-w-0 flex-col gap-4">
          {canTry && <PreviewCard routeId={route.id} />}
          <ReceiptCard route={route} />
          <Suspense fallback={<Skeleton className="h-32 w-full" />}>
            <Ipv6Card route={route} />
          </Suspense>
        </div>
        {!isPending && <OwnershipCard route={route} />}
      </div>
      {route.last_deployed !== null && <RecentRequests routeId={route.id} />}
    </div>
  );
}
