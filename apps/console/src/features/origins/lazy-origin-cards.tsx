import { type ComponentProps, Suspense } from 'react';
import { needCatalogs } from '../../app/intl-store';
import { lazyPart } from '../../ui/lazy-part';
import { Skeleton } from '../../ui/states';

const Cards = lazyPart(async () => {
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
