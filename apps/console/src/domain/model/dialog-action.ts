import type { RouteSummary } from '@cordon/contract';
import type { ReactNode } from 'react';

/** Actions on one domain, each started from a dialog. */
export type PublishAction = 'deploy' | 'discard' | 'resume' | 'deactivate' | 'delete';
export type DialogAction = PublishAction | 'attack' | 'pause' | 'clone' | 'compare' | 'clear_cache' | 'force_https';

/** `ask` opens the question before an action; `dialog` is rendered once. */
export interface DomainActions {
  ask: (action: DialogAction, route: RouteSummary) => void;
  dialog: ReactNode;
}

export interface ActionDialogProps<Action extends DialogAction = DialogAction> {
  action: Action;
  route: RouteSummary;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onDeleted?: ((route: RouteSummary) => void) | undefined;
}
