import type { CacheRules, EdgeHandler, RouteCache } from '@cordon/plugin-kit/edge';
import { mediaTypesOf } from './media-types.ts';
import type { AdvanceProxyCacheConfig } from './schema.ts';

interface Prepared {
  readonly isOff: boolean;
  readonly cache: RouteCache;
  readonly rules: CacheRules;
}

export const handler: EdgeHandler<AdvanceProxyCacheConfig, Prepared> = {
  prepare: (config, kit) => {
    const rules = kit.cacheRules(config);
    return {
      isOff: config.global_disable_cache_completely,
      rules,
      cache: {
        policy: {
          defaultStatuses: config.response_code,
          defaultSeconds: config.cache_ttl,
          defaultTypes: mediaTypesOf(config.content_type),
          isDefaultForced: config.global_custom_caching,
          cacheControl: '',
          overridesCacheControl: false,
          staleIfErrorSeconds: rules.staleIfErrorSeconds,
          // What its origin does not say may be, no visitor is served (RFC 9111 4.2.4).
          staleWhileRevalidateSeconds: 0,
          obeysRequests: config.enable_cache_control,
        },
        key: rules.key,
      },
    };
  },

  cache: (prepared) => prepared.cache,

  bypassesCache: (ctx, prepared) => {
    if (prepared.isOff) return 'off';
    const { rules } = prepared;
    if (!rules.isKeptMethod(ctx.request.method)) return 'method';
    return rules.bypasses(ctx) ? 'rule' : undefined;
  },
};
