import { lazy, Suspense } from 'react';
import { Skeleton } from '../states';

const WorldMapDrawing = lazy(() => import('./world-map-drawing'));

export interface WorldMapProps {
  label: string;
  /** Value by country, two letters. Undefined shows a skeleton. */
  values: Readonly<Record<string, number>> | undefined;
  formatValue: (value: number) => string;
  onSelect?: (country: string) => void;
}

/** Countries shaded by a value; the drawing and its geography load when first shown. Always beside a list, which is its text form. */
export function WorldMap(props: WorldMapProps) {
  const skeleton = <Skeleton className="aspect-[2/1] w-full" />;
  if (props.values === undefined) return skeleton;
  return (
    <Suspense fallback={skeleton}>
      <WorldMapDrawing {...props} values={props.values} />
    </Suspense>
  );
}
