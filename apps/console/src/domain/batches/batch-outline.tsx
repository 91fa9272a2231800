import { Skeleton } from '../../ui/states';

/**
 * As high as a panel without failures: what stands below must not move away from under a press when the panel arrives, which
 * may be after the notice that the batch has ended. Bare, as high as what became of one that was successful.
 */
export function BatchOutline({ isBare = false }: { isBare?: boolean | undefined }) {
  if (isBare) return <Skeleton className="h-[1lh] w-64 max-w-full" />;
  return (
    <div className="rounded-card border border-line bg-card p-4" data-batch-outline>
      <div className="flex min-h-9 touch:min-h-10 flex-wrap items-center gap-x-3 gap-y-2">
        <Skeleton className="h-[1lh] w-64 max-w-full" />
        <Skeleton className="ml-auto h-8 w-40 touch:h-10" />
      </div>
      <Skeleton className="mt-3 h-2" />
      <div className="mt-2 flex h-[1lh] items-center text-sm">
        <Skeleton className="h-4 w-48" />
      </div>
      <div className="mt-1 flex h-[1lh] items-center text-sm">
        <Skeleton className="h-4 w-64 max-w-full" />
      </div>
    </div>
  );
}
