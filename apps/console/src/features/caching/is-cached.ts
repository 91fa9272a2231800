import type { Route } from '@cordon/contract';
import { areaOf } from '@cordon/plugins/areas';

/** Whether anything of a domain is cached, as it is live. */
export const isCached = ({ live }: Route): boolean =>
  (live?.plugins ?? []).some(
    ({ name, enabled, config }) =>
      enabled && config.global_disable_cache_completely !== true && areaOf[name] === 'caching',
  );
