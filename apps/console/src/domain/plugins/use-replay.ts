import type { PluginEntry, Replay, Route } from '@cordon/contract';
import type { PluginDefinition } from '@cordon/plugin-kit';
import type { PluginMatches } from '@cordon/plugin-kit/form';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { startTransition, useEffect, useMemo, useState } from 'react';
import { parseConfig } from '../model/parse-config';
import { withoutEmptyRows } from './empty-rows';
import { replayOptions } from './queries';
import type { useMissingWords } from './use-missing-words';

/** How long typing rests before recent requests are asked for. */
const REST_MS = 400;

let looks = 0;
const rest = (entry: PluginEntry) => ({ entry, look: ++looks });

/** What the entry, switched on, would have done to the domain's recent requests. */
export interface ShownReplay {
  /** Undefined while nothing is known, and of settings that are not valid. */
  readonly result: Replay | undefined;
  /** It is not about what is typed now. */
  readonly isStale: boolean;
  readonly isLoading: boolean;
  /** Why it could not be told. */
  readonly failure: unknown;
  retry(): void;
}

/**
 * Asks, each time typing rests, what valid settings would have done to the requests that the domain had, also while they are
 * switched off: what they match is wanted before they are switched on. The question before is given up. Undefined where it cannot be told: nothing is live, the plugin never decides, or by what no log has.
 */
export function useReplay(route: Route, definition: PluginDefinition, entry: PluginEntry): ShownReplay | undefined {
  const [rested, setRested] = useState(() => rest(entry));
  const isTyping = rested.entry !== entry;
  useEffect(() => {
    if (!isTyping) return;
    const timer = setTimeout(() => startTransition(() => setRested(rest(entry))), REST_MS);
    return () => clearTimeout(timer);
  }, [entry, isTyping]);
  const { feeds = [], reasons } = definition;
  const isTold = route.live !== null && reasons.length > 0 && feeds.length === 0;
  const plugin = useMemo(() => {
    const parsed = isTold ? parseConfig(definition, withoutEmptyRows(rested.entry.config)) : undefined;
    return parsed?.success
      ? { ...rested.entry, enabled: true, config: parsed.data as Record<string, unknown> }
      : undefined;
  }, [definition, rested, isTold]);
  const query = useQuery({
    ...replayOptions(route.id, plugin, rested.look),
    placeholderData: keepPreviousData,
  });
  const retry = () => void query.refetch();
  if (!isTold) return undefined;
  // What an earlier value would have done says nothing of one that cannot be saved.
  if (plugin === undefined) return { result: undefined, isStale: isTyping, isLoading: false, failure: null, retry };
  return {
    result: query.data,
    isStale: isTyping || query.isPlaceholderData,
    isLoading: query.isLoading,
    // While it is asked once more, what failed stays.
    failure: query.error,
    retry,
  };
}

/** The same for a plugin's form. */
export function matchesOf(
  { result, isStale, isLoading }: ShownReplay,
  missingOf: ReturnType<typeof useMissingWords>,
): PluginMatches {
  const byRule: Record<string, number> = {};
  for (const { rule, requests } of result?.rules ?? []) byRule[rule] = (byRule[rule] ?? 0) + requests;
  const unknownByRule = Object.fromEntries(
    (result?.unknown_rules ?? []).map((unknown) => [
      unknown.rule,
      { requests: unknown.requests, missing: missingOf([unknown]) },
    ]),
  );
  return {
    of: result?.requests ?? 0,
    byRule,
    unknownByRule,
    isStale: result === undefined ? isLoading : isStale,
  };
}
