import { type ComponentType, type FunctionComponent, useEffect, useState } from 'react';
import { lazyPart, loadTwice } from './lazy-part';

/** What was chosen when it was drawn first stays. */
function Chosen<Props extends object>({ choose, props }: { choose: () => ComponentType<Props>; props: Props }) {
  const [Part] = useState(choose);
  return <Part {...props} />;
}

/**
 * A part as `lazyPart` makes it, that can be loaded ahead: then it is there at once, where what is lazy would leave its
 * place empty for a moment all the same, and move what is below.
 */
export function loadedPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  isLarge = false,
): FunctionComponent<Props> & { load: () => Promise<unknown>; isLoaded: () => boolean } {
  let Loaded: ComponentType<Props> | undefined;
  const loadPart = async () => {
    const module = await load();
    Loaded = module.default;
    return module;
  };
  const Lazy = lazyPart(loadPart, isLarge);
  const choose = () => Loaded ?? Lazy;
  const isLoaded = () => Loaded !== undefined;
  return Object.assign((props: Props) => <Chosen choose={choose} props={props} />, {
    load: () => loadTwice(loadPart),
    isLoaded,
  });
}

/** Loads a part, and says once it can be drawn at once, or not at all. */
export function useLoadedPart({ load, isLoaded }: Pick<ReturnType<typeof loadedPart>, 'load' | 'isLoaded'>): boolean {
  const [isReady, setReady] = useState(isLoaded);
  useEffect(() => {
    const end = () => setReady(true);
    void load().then(end, end);
  }, [load]);
  return isReady;
}
