import type { Route } from '@cordon/contract';
import AtOnce from '../features/domains/overview/at-once';
import { RecentRequests } from '../features/domains/page/recent-requests';
import { OwnershipCard } from '../features/names/ownership/ownership-card';
import { PreviewCard } from '../features/names/ownership/preview-card';
import { ReceiptCard } from '../features/publishing/receipts/receipt-card';
import Ipv6Setting from '../features/subscriptions/ipv6-setting';

interface DomainFactsProps {
  route: Route;
  /** Whether a signed request shows the live version before the name points here. */
  canTry: boolean;
  onPause: () => void;
}

/** The record to set, what takes effect at once, the proof of the last deploy, and the latest requests. */
export default function DomainFacts({ route, canTry, onPause }: DomainFactsProps) {
  return (
    <>
      <div className="grid items-start gap-4 md:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <OwnershipCard route={route} />
          {canTry && <PreviewCard routeId={route.id} />}
          {route.last_deployed !== null && <ReceiptCard route={route} />}
        </div>
        <AtOnce route={route} ipv6={<Ipv6Setting route={route} />} onPause={onPause} />
      </div>
      {route.last_deployed !== null && <RecentRequests routeId={route.id} />}
    </>
  );
}
