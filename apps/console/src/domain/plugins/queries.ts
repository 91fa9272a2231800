import type { PluginEntry } from '@cordon/contract';
import { queryOptions, skipToken } from '@tanstack/react-query';
import { api } from '../../app/api-client';
import { domainKeys } from '../data/keys';

export const replayKeys = {
  /** Beside the domain's traffic; `look` is another one each time. */
  look: (id: string, look: number) => [...domainKeys.traffic(id), 'replay', look] as const,
};

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
