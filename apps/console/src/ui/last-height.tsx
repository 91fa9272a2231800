import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { rememberSize } from './list-sizes';
import { Skeleton, useLastSize } from './states';

interface LastHeightProps {
  name: string;
  isPending: boolean;
  /** Of what this browser has not shown yet; what has none is left blank. */
  skeleton?: ReactNode;
  children: ReactNode;
}

function Measured({ name, children }: Pick<LastHeightProps, 'name' | 'children'>) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current as HTMLDivElement;
    const observer = new ResizeObserver(() => rememberSize(name, element.offsetHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, [name]);
  return (
    // Margins of what stands in it count.
    <div ref={box} className="flex flex-col">
      {children}
    </div>
  );
}

/** Keeps the place of what is being read as high as it was when this browser showed it last: what is below does not move when it comes. */
export function LastHeight({ name, isPending, skeleton, children }: LastHeightProps) {
  const height = useLastSize(name, undefined);
  const place =
    height === undefined ? (
      skeleton
    ) : (
      <div aria-hidden style={{ height }}>
        {skeleton !== undefined && <Skeleton className="h-full w-full" />}
      </div>
    );
  if (isPending) return place;
  return (
    <Suspense fallback={place}>
      <Measured name={name}>{children}</Measured>
    </Suspense>
  );
}
