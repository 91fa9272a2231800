import { Suspense } from 'react';
import { needCatalogs } from '../../app/intl-store';
import { lazyPart } from '../../ui/lazy-part';
import { BatchOutline } from './batch-outline';
import type { BatchProgressProps } from './batch-progress-props';

const BatchPanel = lazyPart(async () => {
  await needCatalogs('batches', 'domain', 'errors');
  return import('./batch-panel');
});

/** Live progress of a batch, and what failed in words. Follows it after a reload as well: all it needs is the id. */
export function BatchProgress(props: BatchProgressProps) {
  return (
    <Suspense fallback={<BatchOutline isBare={props.isBare} />}>
      <BatchPanel {...props} />
    </Suspense>
  );
}
