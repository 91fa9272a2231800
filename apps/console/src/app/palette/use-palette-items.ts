import { useEffect, useMemo, useRef, useState } from 'react';
import { useIntlState } from '../intl-store';
import type { PaletteGroup, PalettePage, PaletteSource } from './palette-types';
import { joinGroups, rankGroups } from './rank';

const DEBOUNCE_MS = 150;
const NOTHING: readonly PaletteGroup[] = [];

/** What is listed for a query: what is known at once, then what the API answers; on a page, its own choices. */
export function usePaletteItems(
  isOpen: boolean,
  query: string,
  page: PalettePage | undefined,
  loadSources: () => Promise<PaletteSource[]>,
) {
  const { locale } = useIntlState();
  const [sources, setSources] = useState<readonly PaletteSource[]>();
  const [known, setKnown] = useState<readonly PaletteGroup[]>(NOTHING);
  const [found, setFound] = useState<{ query: string; page?: PalettePage; groups: readonly PaletteGroup[] }>();
  const [isSearching, setSearching] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  const last = useRef<AbortController>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: in another language the words are others
  useEffect(() => {
    if (!isOpen) return;
    let isCurrent = true;
    void loadSources().then((loaded) => {
      if (!isCurrent) return;
      setSources(loaded);
      setKnown(loaded.flatMap((source) => source.groups()));
    });
    return () => {
      isCurrent = false;
    };
  }, [isOpen, locale, loadSources]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt asks again
  useEffect(() => {
    last.current?.abort();
    setFailure(undefined);
    const typed = query.trim();
    if (!isOpen || !sources || (!page && typed === '')) {
      setSearching(false);
      return;
    }
    const stop = new AbortController();
    last.current = stop;
    setSearching(true);
    const timer = window.setTimeout(
      async () => {
        const asked = page
          ? [Promise.resolve(page.find(typed, stop.signal))]
          : sources.flatMap((source) => source.search?.(typed, stop.signal) ?? []);
        const answers = await Promise.allSettled(asked);
        if (stop.signal.aborted) return;
        setFound({
          query: typed,
          page,
          groups: answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])),
        });
        setFailure(answers.find((one) => one.status === 'rejected')?.reason);
        setSearching(false);
      },
      typed === '' ? 0 : DEBOUNCE_MS,
    );
    return () => {
      window.clearTimeout(timer);
      stop.abort();
    };
  }, [isOpen, sources, query, page, attempt]);

  const groups = useMemo(() => {
    const typed = query.trim();
    if (page) {
      if (found?.page !== page) return [];
      // What does not fit what is typed now must not be highlighted while the next answer is on its way: Enter takes it.
      return found.query === typed ? joinGroups(found.groups) : rankGroups(found.groups, query);
    }
    // An answer to the beginning of what is typed now still helps until the next one is there.
    const helps = found && !found.page && found.query !== '' && typed.startsWith(found.query);
    return rankGroups(known, query, helps ? (found.query === typed ? found.groups : NOTHING) : NOTHING);
  }, [known, found, query, page]);
  return { groups, isSearching, failure, isReady: sources !== undefined, onRetry: () => setAttempt(attempt + 1) };
}
