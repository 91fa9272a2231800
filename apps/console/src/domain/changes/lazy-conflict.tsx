import { type ComponentProps, Suspense } from 'react';
import { lazyPart } from '../../ui/lazy-part';
import { Skeleton } from '../../ui/states';
import type { Conflict as ConflictPart } from './conflict';

const Part = lazyPart(async () => ({ default: (await import('./conflict')).Conflict }));

/** `Conflict`, loaded where there is one. */
export const Conflict = (props: ComponentProps<typeof ConflictPart>) => (
  <Suspense fallback={<Skeleton className="h-20 w-full" />}>
    <Part {...props} />
  </Suspense>
);
