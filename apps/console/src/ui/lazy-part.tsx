import { type ComponentType, type FunctionComponent, lazy, type ReactNode, Suspense, useReducer } from 'react';
import { FailedPart, isOverlay, type OverlayProps } from './failed-part';
import { LoadingSign } from './loading-sign';
import { LoadError, reach } from './reach';

const RETRY_MS = 1000;
/** On a slow line the largest part takes a third of it. */
const ARRIVAL_MS = 15_000;
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

/** What Chromium, Firefox and Safari say of an import that does not arrive, and Vite of a style sheet. */
const isLoadFailure = (cause: unknown): boolean =>
  cause instanceof Error &&
  /dynamically imported module|Importing a module script failed|Unable to preload CSS/.test(cause.message);

/** Rejects with why a file did not arrive: the page itself does not either, is another one by now, or lacks only this file. */
export async function explainMissing(cause: unknown): Promise<never> {
  const page = await reach('/');
  const script = document.querySelector('script[src]')?.getAttribute('src');
  const isOld = script && !(await page.text()).includes(script);
  throw new LoadError(isOld ? 'release' : 'part', { cause });
}

/** Gives up what nothing answers; asked for again, it is there if it came meanwhile. */
const inTime = <Module,>(module: Promise<Module>): Promise<Module> =>
  Promise.race([
    module,
    new Promise<never>((_, reject) => window.setTimeout(() => reject(new LoadError('network')), ARRIVAL_MS)),
  ]);

/** One file that did not arrive is asked for again after a moment, before its part is given up; then says why. */
export const loadTwice = <Module,>(load: () => Promise<Module>): Promise<Module> =>
  inTime(load())
    .catch(async (cause: unknown) => {
      if (!navigator.onLine || cause instanceof LoadError) throw cause;
      await new Promise((resolve) => window.setTimeout(resolve, RETRY_MS));
      return inTime(load());
    })
    .catch((cause: unknown) => {
      if (!isLoadFailure(cause)) throw cause;
      return explainMissing(cause);
    });

interface Redrawn {
  onRedraw: () => void;
}

/** Draws once more when that is called. */
function Redraw({ draw }: { draw: (onRedraw: () => void) => ReactNode }) {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  return draw(redraw);
}

/**
 * As `lazy`, which throws what failed to load at the screen around it and keeps the failure for as long as the page is open:
 * here the reason stands in the part's own place with Retry, or in a notice where the part is a dialog. Until a dialog has
 * arrived, a sign says that it is on its way.
 * @param isLarge It is most of a screen, such as a tab: what failed stands there as it does where its data fails.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  isLarge = false,
): FunctionComponent<Props> {
  let Part: ComponentType<Props & Redrawn>;
  const renew = () => {
    const own = lazy(async () => {
      try {
        const { default: Loaded } = await loadTwice(load);
        return { default: ({ onRedraw: _, ...props }: Props & Redrawn) => <Loaded {...(props as unknown as Props)} /> };
      } catch (cause) {
        return {
          default: (props: Props & Redrawn) => (
            <FailedPart
              cause={cause}
              isLine={!isLarge}
              part={props as OverlayProps}
              onRenew={renewOwn}
              onRedraw={props.onRedraw}
            />
          ),
        };
      }
    }) as unknown as ComponentType<Props & Redrawn>;
    // What has been loaded since stays.
    const renewOwn = () => {
      if (Part === own) renew();
    };
    Part = own;
  };
  renew();
  return (props) => {
    const part = <Redraw draw={(onRedraw) => <Part {...props} onRedraw={onRedraw} />} />;
    const overlay: OverlayProps = props;
    if (!isOverlay(overlay)) return part;
    return <Suspense fallback={<LoadingSign isLoading={overlay.open !== false} isFixed />}>{part}</Suspense>;
  };
}
