import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type LiveEvent, useLiveEvents } from '../../app/live-events';
import { domainKeys } from './keys';

const PAUSE_MS = 400;
/**
 * A batch over a thousand domains sends an event for each of them: the longer that lasts, the less often lists are asked anew.
 * Asked at every event, a list that is slow to answer would never be there.
 */
const LIST_PAUSE_MS_MAX = 5000;

/**
 * Runs at once when asked, then again after a pause if it was asked meanwhile, or the run says that something is left;
 * each pause in a row is longer.
 */
export function createPacer(run: () => boolean, pauseMsMax: number) {
  let timer: number | undefined;
  let isAsked = false;
  let pauseMs = PAUSE_MS;
  function turn() {
    timer = undefined;
    if (!isAsked) {
      pauseMs = PAUSE_MS;
      return;
    }
    isAsked = run();
    timer = window.setTimeout(turn, pauseMs);
    pauseMs = Math.min(pauseMs * 2, pauseMsMax);
  }
  return {
    ask() {
      isAsked = true;
      if (timer === undefined) turn();
    },
    stop: () => window.clearTimeout(timer),
  };
}

/**
 * Whether something is asked for the first time: its answer may be from before the change, and an invalidation does not
 * ask again while it is under way.
 */
const isFirstUnderWay = (client: QueryClient, queryKey: QueryKey): boolean =>
  client.isFetching({ queryKey, predicate: ({ state }) => state.data === undefined }) > 0;

/** Keeps lists and pages of domains fresh by the websocket's events. How far a batch is, is no change of a domain. */
export function useLiveDomains(): void {
  const client = useQueryClient();
  const [{ note, stop }] = useState(() => {
    const changed = new Set<string>();
    const lists = createPacer(() => {
      const keys = [domainKeys.lists(), domainKeys.health()];
      const isLeft = keys.some((queryKey) => isFirstUnderWay(client, queryKey));
      for (const queryKey of keys) void client.invalidateQueries({ queryKey });
      return isLeft;
    }, LIST_PAUSE_MS_MAX);
    // Only a domain whose page is open is asked for: that one is never kept waiting.
    const pages = createPacer(() => {
      for (const id of changed) {
        // Its own save tells what it has become: asked for meanwhile, the answer would come later.
        const queryKey = domainKeys.detail(id);
        if (client.isMutating({ mutationKey: queryKey }) > 0 || isFirstUnderWay(client, queryKey)) continue;
        changed.delete(id);
        void client.invalidateQueries({ queryKey });
      }
      return changed.size > 0;
    }, PAUSE_MS);
    return {
      note(event: LiveEvent) {
        if (event.batch) return;
        changed.add(event.id);
        pages.ask();
        lists.ask();
      },
      stop() {
        pages.stop();
        lists.stop();
      },
    };
  });
  useEffect(() => stop, [stop]);
  useLiveEvents('domain', note);
  useLiveEvents('shadow', note);
}
