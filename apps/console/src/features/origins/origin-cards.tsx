import type { Route } from '@cordon/contract';
import { ForwardedHeadersCard } from './forwarded-headers-card';
import { LockCard } from './lock-card';

/** The lock that lets only the edge in, and the header fields that the origin gets. */
export function OriginCards({ route }: { route: Route }) {
  return (
    <>
      <LockCard route={route} />
      <ForwardedHeadersCard route={route} />
    </>
  );
}
