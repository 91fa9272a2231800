import { onlineManager } from '@tanstack/react-query';
import { lazyRouteComponent } from '@tanstack/react-router';
import type { FunctionComponent } from 'react';
import { loadTwice, renewLater } from '../ui/lazy-part';

/**
 * A screen, loaded when it is first shown. Where a file is missing the router reloads the page, which brings the files of a
 * newer release; without a network that would leave the browser's own page, so it gets an error that it does not know.
 */
export function screenPart<Name extends string>(
  load: () => Promise<Readonly<Record<Name, FunctionComponent>>>,
  name: Name,
) {
  const part: ReturnType<typeof lazyRouteComponent> = lazyRouteComponent(
    () =>
      loadTwice(load).catch((cause: unknown) => {
        renewLater(() => void part.preload?.());
        throw onlineManager.isOnline() ? cause : new Error(`No network: ${String(cause)}`, { cause });
      }),
    name,
  );
  return part;
}
