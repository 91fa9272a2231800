import type { Route } from '@cordon/contract';
import { Suspense, useState } from 'react';
import type { DialogAction } from '../domain/model/dialog-action';
import { lazyPart } from '../ui/lazy-part';
import { Skeleton } from '../ui/states';

const PendingChanges = lazyPart(() => import('../features/domains/overview/pending-changes'));

/** What waits for a deploy. Once it is live or discarded its place stays, until the screen is left. */
export function PendingPlace({ route, onAsk }: { route: Route; onAsk: (action: DialogAction) => void }) {
  const isPending = route.pending_changes > 0 && route.live !== null;
  const [wasPending, setWasPending] = useState(false);
  if (isPending && !wasPending) setWasPending(true);
  if (!wasPending) return null;
  return (
    <Suspense fallback={<Skeleton className="h-14 w-full" />}>
      <PendingChanges route={route} onAsk={onAsk} />
    </Suspense>
  );
}
