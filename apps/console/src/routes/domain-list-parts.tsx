import { Suspense } from 'react';
import { needCatalogs } from '../app/intl-store';
import { ShownBatches, useShownBatches } from '../features/batches/shown-batches';
import type { DomainListParts } from '../features/domains/list/domain-list';
import { lazyPart } from '../ui/lazy-part';
import { useDomainActions } from './use-domain-actions';

const BulkRule = lazyPart(() => import('../features/rules/bulk-rule'));
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

/** The list of domains: groups, batches, the search for many names, and what is done with a selection. */
export const domainListParts: DomainListParts = {
  useActions: useDomainActions,
  useShownBatches,
  ShownBatches,
  FindDomainsDialog,
  GroupFilter,
  GroupsDialog,
  bulkExtras: (context) => (
    <Suspense fallback={null}>
      <BulkRule {...context} />
    </Suspense>
  ),
};
