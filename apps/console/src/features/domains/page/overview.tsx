import type { Route } from '@cordon/contract';
import { PointCard } from './point-card';
import { ReceiptCard } from './receipt-card';
import { RecentRequests } from './recent-requests';
import { ThreeQuestions } from './three-questions';

/** Status first, then what to do, then the proof. */
export function Overview({ route }: { route: Route }) {
  const isPending = route.ownership.state === 'pending';
  return (
    <div className="flex flex-col gap-4">
      <ThreeQuestions route={route} />
      <div className="grid items-start gap-4 md:grid-cols-2">
        {isPending ? <PointCard route={route} /> : <ReceiptCard route={route} />}
        {isPending ? <ReceiptCard route={route} /> : <PointCard route={route} />}
      </div>
      <RecentRequests routeId={route.id} />
    </div>
  );
}
