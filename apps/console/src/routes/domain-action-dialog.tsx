import { Suspense } from 'react';
import { needCatalogs } from '../app/intl-store';
import type { ActionDialogProps } from '../domain/model/dialog-action';
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
const CompareDialog = lazyPart(async () => {
  await needCatalogs('copies');
  return import('../features/rules/copies/compare-dialog');
});

/** The dialog of each action on one domain. */
export default function DomainActionDialog({ action, ...props }: ActionDialogProps) {
  if (action !== 'attack' && action !== 'pause' && action !== 'clone' && action !== 'compare')
    return <ActionDialog action={action} {...props} />;
  const { route, open, onOpenChange } = props;
  const Dialog = { attack: AttackDialog, pause: PauseDialog, clone: CloneDialog, compare: CompareDialog }[action];
  return (
    <Suspense fallback={null}>
      <Dialog key={route.id} route={route} open={open} onOpenChange={onOpenChange} />
    </Suspense>
  );
}
