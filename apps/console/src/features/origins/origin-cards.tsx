import type { Route } from '@cordon/contract';
import { ToldCard } from './forwarded-headers-card';
import { HealthCard } from './health-card';
import { LockCard } from './lock-card';

/** How the origin is, what it is told, and how it tells us from others. */
export function OriginCards({ route }: { route: Route }) {
  return (
    <>
      <HealthCard route={route} />
      <ToldCard route={route} />
      <LockCard route={route} />
    </>
  );
}
