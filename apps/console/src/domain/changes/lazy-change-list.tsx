import { type ComponentProps, Suspense } from 'react';
import { lazyPart } from '../../ui/lazy-part';
import { Skeleton } from '../../ui/states';
import type { ChangeList as ChangeListPart } from './change-list';

const Part = lazyPart(async () => ({ default: (await import('./change-list')).ChangeList }));

/** `ChangeList`, loaded with all plugins' summaries where changes are shown. */
export const ChangeList = (props: ComponentProps<typeof ChangeListPart>) => (
  <Suspense fallback={<Skeleton className="h-20 w-full" />}>
    <Part {...props} />
  </Suspense>
);
