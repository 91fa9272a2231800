import type { Route } from '@cordon/contract';
import { ATTACK_FEED } from '@cordon/plugin-kit/feeds';
import { feedsOf } from '@cordon/plugins/areas';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../app/api-client';
import { attackModeKeys, POLL_MS } from './queries';

/** Until when that of a domain does not start by itself; null where it may. */
export const attackRestOptions = (routeId: string) =>
  queryOptions({
    queryKey: attackModeKeys.rest(routeId),
    queryFn: async ({ signal }) => (await api.getAttackRest({ query: { route_id: routeId }, signal })).result.until,
    refetchInterval: POLL_MS,
    meta: { isSilent: true },
  });

/** Whether that of a domain starts by itself, as it is live. */
export const startsByItself = ({ live }: Pick<Route, 'live'>): boolean =>
  live?.plugins.some(
    ({ name, enabled, config }) => enabled && config.automatic === true && feedsOf[name]?.includes(ATTACK_FEED),
  ) ?? false;
