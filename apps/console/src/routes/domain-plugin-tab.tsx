import type { Route } from '@cordon/contract';
import { Suspense } from 'react';
import type { DialogAction } from '../domain/model/dialog-action';
import PendingChanges from '../features/domains/overview/pending-changes';
import type { PluginTab } from '../features/domains/page/domain-tabs';
import { useCopyPlugin } from '../features/rules/copies/use-copy-plugin';
import { lazyPart } from '../ui/lazy-part';
import { Skeleton } from '../ui/states';

const UpstreamsTab = lazyPart(() => import('../features/origins/upstreams-tab'));
const AreaTab = lazyPart(() => import('../domain/plugins/area-tab'));

/** A tab with cards of plugins, whose settings can be deployed and copied to other domains. */
export default function DomainPluginTab({
  tab,
  route,
  edited,
  onAsk,
}: {
  tab: 'upstreams' | PluginTab;
  route: Route;
  /** Plugin whose form is open from the start. */
  edited: string | undefined;
  onAsk: (action: DialogAction) => void;
}) {
  const copy = useCopyPlugin(route);
  const onDeploy = () => onAsk('deploy');
  const hasDraft = route.live !== null && route.pending_changes > 0;
  const shared = { route, onDeploy, onCopy: copy.ask };
  return (
    <Suspense fallback={<Skeleton className="h-64 w-full" />}>
      {hasDraft && (
        <div className="mb-4">
          <PendingChanges route={route} onAsk={onAsk} />
        </div>
      )}
      {tab === 'upstreams' ? (
        <UpstreamsTab {...shared} />
      ) : (
        <AreaTab key={edited} area={tab} edited={edited} {...shared} />
      )}
      {copy.dialog}
    </Suspense>
  );
}
