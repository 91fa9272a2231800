import type { Route } from '@cordon/contract';
import { ForwardedHeadersCard } from './forwarded-headers-card';
import { HealthCard } from './health-card';
import { LockCard } from './lock-card';

/** Health of the origin, the header fields it gets, and the lock that lets only the edge in. */
export function OriginCards({ route }: { route: Route }) {
  return (
    <>
      <HealthCard route={route} />
      <ForwardedHeadersCard route={route} />
      <LockCard route={route} />
    </>
  );
}
