import { type ComponentProps, Suspense } from 'react';
import { needCatalogs } from '../../app/intl-store';
import { lazyPart } from '../../ui/lazy-part';
import { Skeleton } from '../../ui/states';

const Health = lazyPart(async () => {
  await needCatalogs('origins', 'diagnosis');
  return { default: (await import('./health-card')).HealthCard };
});
const Cards = lazyPart(async () => {
  await needCatalogs('origins');
  return { default: (await import('./origin-cards')).OriginCards };
});

/** Health of the origin; above the form, as high before it is loaded as with one target. */
export function OriginHealth(props: ComponentProps<typeof Health>) {
  return (
    <div className="mb-4">
      <Suspense fallback={<Skeleton className="h-28 w-full" />}>
        <Health {...props} />
      </Suspense>
    </div>
  );
}

/** The lock, and the header fields that the origin gets; below the form. */
export function OriginCards(props: ComponentProps<typeof Cards>) {
  return (
    <Suspense fallback={<Skeleton className="h-64" />}>
      <Cards {...props} />
    </Suspense>
  );
}
