import { type ComponentProps, lazy, Suspense } from 'react';
import { needCatalogs } from '../../app/intl-store';
import { Skeleton } from '../../ui/states';

const Cards = lazy(async () => {
  await needCatalogs('origins');
  return { default: (await import('./origin-cards')).OriginCards };
});

/** Health of the origin, the header fields it gets, and the lock; below the form. */
export function OriginCards(props: ComponentProps<typeof Cards>) {
  return (
    <Suspense fallback={<Skeleton className="h-64" />}>
      <Cards {...props} />
    </Suspense>
  );
}
