import { lazyRouteComponent } from '@tanstack/react-router';
import type { FunctionComponent } from 'react';
import { loadTwice, renewLater } from '../ui/lazy-part';

/**
 * A screen, loaded when it is first shown. What `loadTwice` says of a file that does not arrive is no error
 * that the router knows: it would reload the page, which without a network leaves the browser's own in its place.
 */
export function screenPart<Name extends string>(
  load: () => Promise<Readonly<Record<Name, FunctionComponent>>>,
  name: Name,
) {
  const part: ReturnType<typeof lazyRouteComponent> = lazyRouteComponent(
    () =>
      loadTwice(load).catch((cause: unknown) => {
        renewLater(() => void part.preload?.());
        throw cause;
      }),
    name,
  );
  return part;
}
