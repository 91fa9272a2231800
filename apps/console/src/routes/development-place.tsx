import type { Route } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { DevelopmentNote } from '../features/caching/development-mode/development-note';
import { developmentModeOptions } from '../features/caching/development-mode/queries';

/** Says that a domain is in development mode, while it is. Needs the catalog `caching`. */
export default function DevelopmentPlace({ route }: { route: Route }) {
  const endsAt = useQuery(developmentModeOptions(route)).data?.ends_at ?? null;
  return endsAt !== null && <DevelopmentNote routeId={route.id} endsAt={endsAt} />;
}
