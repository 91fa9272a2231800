import type { Route } from '@cordon/contract';
import { HealthCard } from './health-card';
import { LockCard } from './lock-card';
import { ToldCard } from './told-card';

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
