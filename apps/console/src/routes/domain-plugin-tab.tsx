import type { Route } from '@cordon/contract';
import { type ReactNode, Suspense } from 'react';
import { needCatalogs } from '../app/intl-store';
import type { DialogAction } from '../domain/model/dialog-action';
import { AreaSkeleton } from '../domain/plugins/cards-skeleton';
import type { PluginProposal } from '../domain/plugins/plugin-proposal';
import type { PluginTab } from '../features/domains/page/domain-tabs';
import { useCopyPlugin } from '../features/rules/copies/use-copy-plugin';
import { lazyPart } from '../ui/lazy-part';
import { loadedPart } from '../ui/loaded-part';
import { Skeleton } from '../ui/states';
import { PendingPlace } from './pending-place';

const UpstreamsTab = lazyPart(() => import('../features/origins/upstreams-tab'), true);
export const AreaTab = loadedPart(() => import('../domain/plugins/area-tab'), true);
const TestAttackButton = lazyPart(async () => {
  await needCatalogs('diagnosis');
  const { TestAttackButton: Button } = await import('../features/diagnosis/test-attack/test-attack-button');
  return { default: Button };
});

/** A tab with cards of plugins, whose settings can be deployed and copied to other domains. */
export default function DomainPluginTab({
  tab,
  route,
  above,
  proposal,
  edited,
  onEditedClose,
  onAsk,
}: {
  tab: 'upstreams' | PluginTab;
  route: Route;
  /** Between what waits and the cards. */
  above?: ReactNode;
  proposal?: PluginProposal | undefined;
  /** Plugin whose form the address opens. */
  edited: string | undefined;
  onEditedClose: () => void;
  onAsk: (action: DialogAction) => void;
}) {
  const copy = useCopyPlugin(route);
  const onDeploy = () => onAsk('deploy');
  const shared = { route, onDeploy, onCopy: copy.ask, edited, onEditedClose };
  return (
    <Suspense fallback={tab === 'upstreams' ? <Skeleton className="h-64 w-full" /> : <AreaSkeleton />}>
      <div className="mb-4 empty:mb-0">
        <PendingPlace route={route} onAsk={onAsk} />
      </div>
      {above && <div className="mb-4">{above}</div>}
      {tab === 'upstreams' ? (
        <UpstreamsTab {...shared} />
      ) : (
        <AreaTab
          area={tab}
          action={
            tab === 'protection' && (
              <Suspense fallback={<Skeleton className="h-8 w-40" />}>
                <TestAttackButton key={route.id} route={route} onDeploy={onDeploy} />
              </Suspense>
            )
          }
          onStart={() => onAsk('attack')}
          proposal={proposal}
          {...shared}
        />
      )}
      {copy.dialog}
    </Suspense>
  );
}
