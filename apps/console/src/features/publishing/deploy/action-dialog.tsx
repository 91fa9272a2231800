import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { trafficOptions } from '../../../domain/data/queries';
import DiscardDialog from '../../../domain/draft/discard-dialog';
import type { ActionDialogProps, PublishAction } from '../../../domain/model/dialog-action';
import { WaitingTasks } from '../../../domain/tasks/waiting-tasks';
import { ConfirmDialog } from '../../../ui/confirm-dialog';
import { DeployDialog } from './deploy-dialog';
import { useDeactivateRoute, useDeleteRoute, useResumeRoute } from './use-route-actions';

/** How many visitors what is asked about will meet. */
function LastDay({ routeId }: { routeId: string }) {
  const t = useTranslations('domain.confirm');
  const { data } = useQuery(trafficOptions(routeId));
  return data ? <p className="mt-2 font-medium text-ink">{t('lastDay', { count: data.totals.requests })}</p> : null;
}

/** The question before an action: deploy shows its changes, the others say what will happen. */
export default function ActionDialog({
  action,
  route,
  open,
  onOpenChange,
  onDeleted,
}: ActionDialogProps<PublishAction>) {
  const t = useTranslations('domain.confirm');
  const resume = useResumeRoute();
  const deactivate = useDeactivateRoute();
  const remove = useDeleteRoute();
  const name = route.domain_name_unicode;
  if (action === 'deploy') return <DeployDialog routeId={route.id} open={open} onOpenChange={onOpenChange} />;
  if (action === 'discard')
    return <DiscardDialog routeId={route.id} name={name} open={open} onOpenChange={onOpenChange} />;
  if (action === 'resume') {
    return (
      <ConfirmDialog
        open={open}
        onOpenChange={onOpenChange}
        title={t('resume.title', { name })}
        confirmLabel={t('resume.confirm')}
        onConfirm={() => resume.mutateAsync(route.id)}
      >
        {t('resume.body')}
      </ConfirmDialog>
    );
  }
  if (action === 'deactivate') {
    return (
      <ConfirmDialog
        open={open}
        onOpenChange={onOpenChange}
        title={t('deactivate.title', { name })}
        confirmLabel={t('deactivate.confirm')}
        tone="danger"
        onConfirm={() => deactivate.mutateAsync(route.id)}
      >
        {t('deactivate.body')}
        <LastDay routeId={route.id} />
      </ConfirmDialog>
    );
  }
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('delete.title', { name })}
      confirmLabel={t('delete.confirm')}
      tone="danger"
      typeToConfirm={route.domain_name}
      onConfirm={async () => {
        await remove.mutateAsync({ route, confirm: route.domain_name });
        onDeleted?.(route);
      }}
    >
      {t(route.status === 'running' ? 'delete.bodyLive' : 'delete.body')}
      {route.status === 'running' && <LastDay routeId={route.id} />}
      <WaitingTasks routeId={route.id} name={name} />
    </ConfirmDialog>
  );
}
