import { Suspense } from 'react';
import { lazyPart } from '../../ui/lazy-part';
import { Skeleton } from '../../ui/states';

const Fields = lazyPart(async () => ({ default: (await import('./redirect-fields')).RedirectFields }));

/** Where visitors are sent; most domains go to an origin and never load it. */
export function RedirectFields({ disabled = false }: { disabled?: boolean }) {
  return (
    <Suspense fallback={<Skeleton className="h-40" />}>
      <Fields disabled={disabled} />
    </Suspense>
  );
}
