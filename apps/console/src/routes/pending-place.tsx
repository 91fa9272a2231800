import type { Route } from '@cordon/contract';
import { Suspense, useState } from 'react';
import type { DialogAction } from '../domain/model/dialog-action';
import { loadedPart } from '../ui/loaded-part';
import { Skeleton } from '../ui/states';

/** Loaded with the domain where it has any: it is as high as its words. */
export const PendingChanges = loadedPart(() => import('../features/domains/overview/pending-changes'));

export const isWaiting = (route: Route): boolean => route.pending_changes > 0 && route.live !== null;

/** What waits for a deploy. Once it is live or discarded its place stays, until the screen is left. */
export function PendingPlace({ route, onAsk }: { route: Route; onAsk: (action: DialogAction) => void }) {
  const isPending = isWaiting(route);
  const [wasPending, setWasPending] = useState(false);
  if (isPending && !wasPending) setWasPending(true);
  if (!wasPending) return null;
  return (
    <Suspense fallback={<Skeleton className="h-14 w-full" />}>
      <PendingChanges route={route} onAsk={onAsk} />
    </Suspense>
  );
}
