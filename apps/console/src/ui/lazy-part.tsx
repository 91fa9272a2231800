import { type ComponentType, type FunctionComponent, lazy } from 'react';

const RETRY_MS = 1000;
const renewals = new Set<() => void>();

/** Has `renew` called before what failed to load is drawn the next time. */
export const renewLater = (renew: () => void): void => void renewals.add(renew);

/**
 * Lets parts that failed to load be tried again. For what stands in place of a part that failed: a part that renewed itself
 * would load for ever, because React draws it once more before it gives up.
 */
export function renewFailedParts(): void {
  const due = [...renewals];
  renewals.clear();
  for (const renew of due) renew();
}

/** One file that did not arrive is asked for again after a moment, before its part is given up. */
export const loadTwice = <Module,>(load: () => Promise<Module>): Promise<Module> =>
  load().catch(async () => {
    await new Promise((resolve) => window.setTimeout(resolve, RETRY_MS));
    return load();
  });

/** As `lazy`, which keeps a failure for as long as the page is open: this one loads again after `renewFailedParts`. */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): FunctionComponent<Props> {
  let Part: ComponentType<Props>;
  const renew = () => {
    Part = lazy(() =>
      loadTwice(load).catch((cause: unknown) => {
        renewLater(renew);
        throw cause;
      }),
    ) as unknown as ComponentType<Props>;
  };
  renew();
  return (props) => <Part {...props} />;
}
