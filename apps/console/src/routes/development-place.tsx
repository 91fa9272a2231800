import type { Route } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { needCatalogs } from '../app/intl-store';
import { developmentModeOptions } from '../features/caching/development-mode/queries';
import { isCached } from '../features/caching/is-cached';
import { lazyPart } from '../ui/lazy-part';

const DevelopmentNote = lazyPart(async () => {
  await needCatalogs('caching');
  const { DevelopmentNote: Note } = await import('../features/caching/development-mode/development-note');
  return { default: Note };
});

/** Says that a domain is in development mode, where it is; of one that caches nothing, it is not asked. */
export default function DevelopmentPlace({ route }: { route: Route }) {
  const endsAt = useQuery({ ...developmentModeOptions(route.id), enabled: isCached(route) }).data?.ends_at ?? null;
  if (endsAt === null) return null;
  return (
    <Suspense fallback={null}>
      <DevelopmentNote routeId={route.id} endsAt={endsAt} />
    </Suspense>
  );
}
