import type { Route } from '@cordon/contract';
import AtOnce from '../features/domains/overview/at-once';
import { CertificateCard } from '../features/domains/overview/certificate-card';
import { OwnershipCard } from '../features/names/ownership/ownership-card';
import { PreviewCard } from '../features/names/ownership/preview-card';
import { useEndPause } from '../features/publishing/pause/queries';
import { ReceiptCard } from '../features/publishing/receipts/receipt-card';
import Ipv6Setting from '../features/subscriptions/ipv6-setting';

interface DomainFactsProps {
  route: Route;
  /** Whether a signed request shows the live version before the name points here. */
  canTry: boolean;
  onPause: () => void;
}

/** The record to set, what takes effect at once, the certificate, and the proof of the last deploy. */
export default function DomainFacts({ route, canTry, onPause }: DomainFactsProps) {
  const end = useEndPause(route.id);
  // Two columns of about the same height. What shows the site before the name points here stands beside the record.
  const isReceiptAside = route.ownership.state === 'pending' && !canTry;
  const receipt = route.last_deployed !== null && <ReceiptCard route={route} />;
  return (
    <div className="grid items-start gap-4 md:grid-cols-2">
      <div className="grid grid-cols-1 gap-4">
        <OwnershipCard route={route} />
        <CertificateCard route={route} />
        {!isReceiptAside && receipt}
      </div>
      <div className="grid grid-cols-1 gap-4">
        {canTry && <PreviewCard routeId={route.id} />}
        <AtOnce
          route={route}
          ipv6={<Ipv6Setting route={route} />}
          onPause={onPause}
          onResume={end.isPending ? undefined : () => end.mutate()}
        />
        {isReceiptAside && receipt}
      </div>
    </div>
  );
}
