import { Suspense } from 'react';
import { lazyPart } from '../lazy-part';
import { Skeleton } from '../states';
import type { WorldMapProps } from './chart-types';

const WorldMapDrawing = lazyPart(() => import('./world-map-drawing'));

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
