import { Skeleton } from '../../ui/states';

/** In place of rows in a card, each as high as that of a plugin. */
export function CardsSkeleton({ rows }: { rows: number }) {
  return (
    <div aria-busy className="divide-y divide-line rounded-card border border-line bg-card">
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <div key={index} className="flex items-center gap-3 px-4 py-2">
          <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-1">
            <Skeleton className="h-4 w-40" />
            <Skeleton className="h-4 w-72 max-w-full" />
          </div>
          <Skeleton className="h-8 w-24" />
        </div>
      ))}
    </div>
  );
}

/** In place of a tab of plugins: the line above them, and the first of them. */
export function AreaSkeleton() {
  return (
    <>
      <Skeleton className="mb-4 h-6 w-72 max-w-full" />
      <CardsSkeleton rows={3} />
    </>
  );
}
