import type { RouteSummary } from '@cordon/contract';
import { Suspense, useCallback, useState } from 'react';
import type { DialogAction, DomainActions } from '../domain/model/dialog-action';
import { lazyPart } from '../ui/lazy-part';

const DomainActionDialog = lazyPart(() => import('./domain-action-dialog'));

/**
 * Actions on one domain at a time, each with the question it deserves. Render `dialog` once; `ask` opens it. The
 * dialogs are loaded when the first one is asked for.
 */
export function useDomainActions(onDeleted?: (route: RouteSummary) => void): DomainActions {
  const [asked, setAsked] = useState<{ action: DialogAction; route: RouteSummary }>();
  const [isOpen, setOpen] = useState(false);
  // Stable, so that memoized rows stay as they are.
  const ask = useCallback((action: DialogAction, route: RouteSummary) => {
    setAsked({ action, route });
    setOpen(true);
  }, []);
  return {
    ask,
    dialog: asked && (
      <Suspense fallback={null}>
        <DomainActionDialog {...asked} open={isOpen} onOpenChange={setOpen} onDeleted={onDeleted} />
      </Suspense>
    ),
  };
}
