import type { Route } from '@cordon/contract';
import { lazy, Suspense } from 'react';
import { useCopyPlugin } from '../features/rules/copies/use-copy-plugin';
import { Skeleton } from '../ui/states';

const tabs = {
  upstreams: lazy(() => import('../features/origins/upstreams-tab')),
  access: lazy(() => import('../features/access/access-tab')),
};

/** A tab with cards of plugins, whose settings can be deployed and copied to other domains. */
export default function DomainPluginTab({
  tab,
  route,
  onDeploy,
}: {
  tab: keyof typeof tabs;
  route: Route;
  onDeploy: () => void;
}) {
  const copy = useCopyPlugin(route);
  const Tab = tabs[tab];
  return (
    <Suspense fallback={<Skeleton className="h-64 w-full" />}>
      <Tab route={route} onDeploy={onDeploy} onCopy={copy.ask} />
      {copy.dialog}
    </Suspense>
  );
}
