import type { ReactNode } from 'react';
import { PageHeader } from '../../../ui/page-header';
import { Skeleton } from '../../../ui/states';
import { HeaderFactsSkeleton } from './header-facts';

/** The page before its domain is known: the same lines in the same places, so that nothing moves when it is. */
export function PageSkeleton({ name, breadcrumb, tabs }: { name?: string; breadcrumb: ReactNode; tabs: ReactNode }) {
  return (
    <div aria-busy>
      <PageHeader
        breadcrumb={[breadcrumb]}
        title={name ?? <Skeleton className="h-8 w-56 max-w-full" />}
        status={<Skeleton className="h-6 w-48" />}
        below={<HeaderFactsSkeleton />}
        actions={<Skeleton className="h-9 w-36 touch:h-10" />}
      />
      {tabs}
      <div className="mt-4 grid gap-4 md:grid-cols-3">
        {[0, 1, 2].map((index) => (
          <Skeleton key={index} className="h-32 w-full" />
        ))}
      </div>
      <Skeleton className="mt-4 h-48 w-full" />
    </div>
  );
}
