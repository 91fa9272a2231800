import { type ComponentType, Suspense } from 'react';
import { needCatalogs } from '../app/intl-store';
import type { ActionDialogProps, DialogAction, PublishAction } from '../domain/model/dialog-action';
import ActionDialog from '../features/publishing/deploy/action-dialog';
import { lazyPart } from '../ui/lazy-part';

const CloneDialog = lazyPart(async () => {
  await needCatalogs('copies');
  return import('../features/rules/copies/clone-dialog');
});
const AttackDialog = lazyPart(async () => {
  await needCatalogs('attackMode');
  return import('../features/attack-mode/attack-dialog');
});
const PauseDialog = lazyPart(async () => {
  await needCatalogs('pause');
  return import('../features/publishing/pause/pause-dialog');
});
const ClearCacheDialog = lazyPart(async () => {
  await needCatalogs('caching');
  return import('../features/caching/clear-all/clear-cache-dialog');
});
const ForceHttpsDialog = lazyPart(async () => {
  await needCatalogs('ssl');
  return import('../features/ssl/force-https-dialog');
});
const CompareDialog = lazyPart(async () => {
  await needCatalogs('copies');
  return import('../features/rules/copies/compare-dialog');
});

const DIALOGS: Record<Exclude<DialogAction, PublishAction>, ComponentType<Omit<ActionDialogProps, 'action'>>> = {
  attack: AttackDialog,
  pause: PauseDialog,
  clone: CloneDialog,
  compare: CompareDialog,
  clear_cache: ClearCacheDialog,
  force_https: ForceHttpsDialog,
};

const isOfFeature = (action: DialogAction): action is keyof typeof DIALOGS => action in DIALOGS;

/** The dialog of each action on one domain. */
export default function DomainActionDialog({ action, ...props }: ActionDialogProps) {
  if (!isOfFeature(action)) return <ActionDialog action={action} {...props} />;
  const { route, open, onOpenChange } = props;
  const Dialog = DIALOGS[action];
  return (
    <Suspense fallback={null}>
      <Dialog key={route.id} route={route} open={open} onOpenChange={onOpenChange} />
    </Suspense>
  );
}
