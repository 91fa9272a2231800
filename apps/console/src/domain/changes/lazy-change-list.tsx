import { type ComponentProps, Suspense } from 'react';
import { loadedPart } from '../../ui/loaded-part';
import { Skeleton } from '../../ui/states';
import type { ChangeList as Loaded } from './change-list';

/** For a place that waits for it whole, or loads it ahead. */
export const ChangeListPart = loadedPart(async () => ({ default: (await import('./change-list')).ChangeList }));

/** `ChangeList`, loaded with all plugins' summaries where changes are shown. */
export const ChangeList = (props: ComponentProps<typeof Loaded>) => (
  <Suspense fallback={<Skeleton className="h-20 w-full" />}>
    <ChangeListPart {...props} />
  </Suspense>
);
