import type { FeedGaps } from '@cordon/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../../app/api-client';
import { domainKeys } from '../data/keys';

/** Somebody else may switch the plugin on or off. */
const POLL_MS = 15_000;

const feedGapsOptions = (feed: string, routeId: string | undefined) =>
  queryOptions({
    queryKey: domainKeys.feedGaps(feed, routeId),
    queryFn: async ({ signal }) =>
      (await api.listFeedGaps({ query: routeId === undefined ? { feed } : { feed, route_id: routeId }, signal }))
        .result,
    refetchInterval: POLL_MS,
    meta: { isSilent: true },
  });

/** Live domains, or the one that is given, where what is live at once does nothing, as the plugin that acts on it is off or protection is paused; undefined where there is none. */
export function useFeedGaps(feed: string, routeId: string | undefined, isAsked = true): FeedGaps | undefined {
  const { data } = useQuery({ ...feedGapsOptions(feed, routeId), enabled: isAsked });
  return isAsked && data && data.count > 0 ? data : undefined;
}
