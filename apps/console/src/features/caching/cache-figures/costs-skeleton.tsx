import { Skeleton } from '../../../ui/states';

/** The table of costs before it is read: as many rows as will be shown, and as high. */
export function CostsSkeleton({ rows }: { rows: number }) {
  return (
    <div aria-busy data-testid="costs-skeleton" className="flex flex-col px-4 pb-3">
      <Skeleton className="mb-2 h-6 w-full phone:hidden" />
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows that hold nothing
        <span key={row} className="block border-b border-line py-2 last:border-b-0">
          <Skeleton className="h-8 w-full" />
          <Skeleton className="mt-2 h-20 w-full sm:hidden" />
        </span>
      ))}
    </div>
  );
}
