import { lazyRouteComponent } from '@tanstack/react-router';
import type { FunctionComponent } from 'react';
import { needCatalogs } from '../app/intl-store';
import type { CatalogName } from '../locales/catalogs';
import { loadTwice, renewLater } from '../ui/lazy-part';

/**
 * A screen, loaded with its words when it is first shown: not by a loader of the router, which draws the screen of a load that was
 * cancelled without waiting for it. What `loadTwice` says of a file that does not arrive is no error
 * that the router knows: it would reload the page, which without a network leaves the browser's own in its place.
 */
export function screenPart<Name extends string>(
  load: () => Promise<Readonly<Record<Name, FunctionComponent>>>,
  name: Name,
  ...catalogs: CatalogName[]
) {
  const part: ReturnType<typeof lazyRouteComponent> = lazyRouteComponent(
    () =>
      Promise.all([loadTwice(load), needCatalogs(...catalogs)]).then(
        ([screen]) => screen,
        (cause: unknown) => {
          renewLater(() => void part.preload?.());
          throw cause;
        },
      ),
    name,
  );
  return part;
}
