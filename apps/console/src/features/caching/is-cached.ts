import type { Route } from '@cordon/contract';
import { cacheRemedies } from '@cordon/plugins/cache-remedies';

/** Whether anything of a domain is cached, as it is live. */
export const isCached = ({ live }: Route): boolean =>
  (live?.plugins ?? []).some(
    ({ name, enabled, config }) =>
      enabled && config.global_disable_cache_completely !== true && cacheRemedies[name] !== undefined,
  );
