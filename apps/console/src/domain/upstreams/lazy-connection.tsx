import { type ComponentProps, Suspense } from 'react';
import { needCatalogs } from '../../app/intl-store';
import { lazyPart } from '../../ui/lazy-part';
import { Skeleton } from '../../ui/states';

const Connection = lazyPart(async () => {
  await needCatalogs('upstreams');
  return { default: (await import('./connection-fields')).ConnectionFields };
});
const Warning = lazyPart(async () => {
  await needCatalogs('upstreams');
  return { default: (await import('./certificate-warning')).CertificateWarning };
});

/** How the edge connects to the origin: part of the form with the targets. */
export function ConnectionFields(props: ComponentProps<typeof Connection>) {
  return (
    <Suspense fallback={<Skeleton className="h-40" />}>
      <Connection {...props} />
    </Suspense>
  );
}

/** Shown only after a certificate was met that would not pass. */
export function CertificateWarning(props: ComponentProps<typeof Warning>) {
  return (
    <Suspense fallback={null}>
      <Warning {...props} />
    </Suspense>
  );
}
