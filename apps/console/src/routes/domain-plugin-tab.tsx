import type { Route } from '@cordon/contract';
import { Suspense } from 'react';
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
  onDeploy,
}: {
  tab: 'upstreams' | PluginTab;
  route: Route;
  onDeploy: () => void;
}) {
  const copy = useCopyPlugin(route);
  const shared = { route, onDeploy, onCopy: copy.ask };
  return (
    <Suspense fallback={<Skeleton className="h-64 w-full" />}>
      {tab === 'upstreams' ? <UpstreamsTab {...shared} /> : <AreaTab area={tab} {...shared} />}
      {copy.dialog}
    </Suspense>
  );
}
