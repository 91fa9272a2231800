import type { RouteSummary } from '@cordon/contract';
import type { ReactNode } from 'react';

/** Actions on one domain that begin with a question. */
export type PublishAction = 'deploy' | 'resume' | 'deactivate' | 'delete';
export type AskedAction = PublishAction | 'clone' | 'compare';

/** `ask` opens the question before an action; `dialog` is rendered once. */
export interface DomainActions {
  ask: (action: AskedAction, route: RouteSummary) => void;
  dialog: ReactNode;
}

export interface ActionDialogProps<Action extends AskedAction = AskedAction> {
  action: Action;
  route: RouteSummary;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onDeleted?: ((route: RouteSummary) => void) | undefined;
}
