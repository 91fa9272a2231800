import type { Route } from '@cordon/contract';
import { isServed } from '../domain/model/domain-state';
import { RecentRequests } from '../features/domains/page/recent-requests';
import { FirstRequest } from '../features/names/ownership/preview-card';
import { AddressDialog } from './address-dialog';

interface DomainLatestRequestsProps {
  route: Route;
  /** Nothing has come yet, as far as one can know before it is asked. */
  isNew: boolean;
  /** Nothing stands below. */
  isLast: boolean;
}

/** The last requests of a domain; of one that counts as pointing here already, how to send a first one. */
export default function DomainLatestRequests({ route, isNew, isLast }: DomainLatestRequestsProps) {
  return (
    <RecentRequests
      routeId={route.id}
      AddressDialog={AddressDialog}
      isNew={isNew}
      isLast={isLast}
      firstRequest={
        // Elsewhere it stands beside the record to set.
        route.ownership.method === 'demo' && isServed(route) ? <FirstRequest routeId={route.id} /> : undefined
      }
    />
  );
}
