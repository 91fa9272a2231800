import type { RouteSummary } from '@cordon/contract';
import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react';

const ActionDialog = lazy(() => import('./action-dialog'));

export type AskedAction = 'deploy' | 'resume' | 'deactivate' | 'delete' | 'clone' | 'compare';

/**
 * Actions on one domain at a time, each with the question it deserves. Render `dialog` once; `ask` opens it. The
 * dialogs are loaded when the first one is asked for.
 */
export function useDomainActions(onDeleted?: (route: RouteSummary) => void): {
  ask: (action: AskedAction, route: RouteSummary) => void;
  dialog: ReactNode;
} {
  const [asked, setAsked] = useState<{ action: AskedAction; route: RouteSummary }>();
  const [isOpen, setOpen] = useState(false);
  // Stable, so that memoized rows stay as they are.
  const ask = useCallback((action: AskedAction, route: RouteSummary) => {
    setAsked({ action, route });
    setOpen(true);
  }, []);
  return {
    ask,
    dialog: asked && (
      <Suspense fallback={null}>
        <ActionDialog {...asked} open={isOpen} onOpenChange={setOpen} onDeleted={onDeleted} />
      </Suspense>
    ),
  };
}
