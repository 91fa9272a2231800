import type { PluginEntry } from '@cordon/contract';
import { queryOptions, skipToken } from '@tanstack/react-query';
import { api } from '../../app/api-client';
import { domainKeys } from '../data/keys';

export const replayKeys = {
  /** Beside the domain's traffic; `look` is another one each time. */
  look: (id: string, look: number) => [...domainKeys.traffic(id), 'replay', look] as const,
  worth: (id: string, plugin: PluginEntry | undefined) => [...domainKeys.traffic(id), 'worth', plugin ?? null] as const,
};

const WORTH_MINUTES = 10;

/** The same of a plugin that is off, for its card; nothing is asked of one that could not be turned on as it is. */
export const worthOptions = (id: string, plugin: PluginEntry | undefined) =>
  queryOptions({
    queryKey: replayKeys.worth(id, plugin),
    queryFn: plugin
      ? async ({ signal }) => (await api.replayRequests({ params: { id }, body: { plugin }, signal })).result
      : skipToken,
    staleTime: WORTH_MINUTES * 60_000,
    retry: false,
    meta: { isSilent: true },
  });

/** What a plugin's settings would have done to recent requests; nothing is asked while there are none. */
export const replayOptions = (id: string, plugin: PluginEntry | undefined, look: number) =>
  queryOptions({
    queryKey: replayKeys.look(id, look),
    queryFn: plugin
      ? async ({ signal }) => (await api.replayRequests({ params: { id }, body: { plugin }, signal })).result
      : skipToken,
    // Of settings that are being typed: nobody comes back to them.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    meta: { isSilent: true },
  });
