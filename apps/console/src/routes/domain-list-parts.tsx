import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, Suspense, useCallback } from 'react';
import { needCatalogs } from '../app/intl-store';
import { attackModesOptions } from '../features/attack-mode/queries';
import { ShownBatches, useShownBatches } from '../features/batches/shown-batches';
import type { DomainListParts } from '../features/domains/list/domain-list';
import { lazyPart, loadTwice } from '../ui/lazy-part';
import { Skeleton, useLastSize } from '../ui/states';
import { useDomainActions } from './use-domain-actions';

const AttackBadge = lazyPart(async () => {
  await needCatalogs('attackMode');
  return import('../features/attack-mode/attack-badge');
});
const RowBadge = lazyPart(async () => {
  await needCatalogs('attackMode');
  return import('../features/attack-mode/row-badge');
});
const BulkActions = lazyPart(async () => {
  await needCatalogs('bulk');
  return import('./domain-bulk-actions');
});
const AllTasks = lazyPart(async () => {
  await needCatalogs('domain');
  const { AllTasks: Tasks } = await import('../domain/tasks/scheduled-tasks');
  return { default: Tasks };
});
const loadDismissal = () => loadTwice(() => import('../domain/tasks/dismissed-results'));
const FindDomainsDialog = lazyPart(async () => {
  await needCatalogs('find');
  return import('../features/names/find/find-domains-dialog');
});
const GroupFilter = lazyPart(async () => {
  await needCatalogs('groups');
  return import('../features/groups/group-filter');
});
const GroupsDialog = lazyPart(async () => {
  await needCatalogs('groups');
  return import('../features/groups/groups-dialog');
});

/** One question for all rows. */
function useAttackBadge() {
  const { data, isPending, failureCount } = useQuery(attackModesOptions(undefined));
  const badgeOf = useCallback(
    (routeId: string | null) => {
      const mode = data?.find((one) => one.route_id === routeId);
      return (
        mode && (
          <Suspense fallback={<Skeleton className="h-6 w-16" />}>
            {routeId === null ? <AttackBadge mode={mode} /> : <RowBadge mode={mode} />}
          </Suspense>
        )
      );
    },
    [data],
  );
  return isPending && failureCount === 0 ? undefined : badgeOf;
}

/** What runs over the list, and what waits for its time. */
function BatchesAndTasks({ onDismiss, ...props }: ComponentProps<typeof ShownBatches>) {
  const height = useLastSize('taskCard', undefined);
  // As high as it was last time: the list below does not move.
  const place = height ? <div aria-hidden className="skeleton mb-4" style={{ height }} /> : null;
  return (
    <>
      <ShownBatches
        {...props}
        onDismiss={(id) => {
          void loadDismissal().then(
            ({ dismissResults }) => dismissResults([id]),
            () => undefined,
          );
          onDismiss(id);
        }}
      />
      <Suspense fallback={place}>
        <AllTasks place={place} shownBatches={props.ids} />
      </Suspense>
    </>
  );
}

/** The list of domains: groups, batches, the search for many names, and what is done with a selection. */
export const domainListParts: DomainListParts = {
  useActions: useDomainActions,
  useAttackBadge,
  useShownBatches,
  ShownBatches: BatchesAndTasks,
  FindDomainsDialog,
  GroupFilter,
  GroupsDialog,
  BulkActions,
};
