import { definePlugin } from '@cordon/plugin-kit';
import { CACHE_ERROR_CODES, cacheNotices, mergeCacheSettings } from '@cordon/plugin-kit/cache-settings';
import { durationParams } from '@cordon/plugin-kit/duration-params';
import { type AdvanceProxyCacheConfig, schema } from './schema.ts';

const NAMED_MAX = 4;

function modeOf(config: AdvanceProxyCacheConfig): 'off' | 'custom' | 'default' {
  if (config.global_disable_cache_completely) return 'off';
  return config.global_custom_caching ? 'custom' : 'default';
}

export const definition = definePlugin({
  name: 'advance-proxy-cache',
  phase: 'cache',
  order: 20,
  area: 'caching',
  schema,
  errorCodes: [...CACHE_ERROR_CODES, 'CACHE_MODE_REQUIRED', 'CACHE_MODE_SECOND', 'MEDIA_TYPE_INVALID'],
  reasons: [],
  tier: 'free',
  hasWideForm: true,
  isOnlyOfPhase: true,

  summary: (config) => ({
    message: `summary.${modeOf(config)}`,
    params: {
      types: { list: config.content_type.slice(0, NAMED_MAX) },
      typeCount: config.content_type.length,
      rest: Math.max(0, config.content_type.length - NAMED_MAX),
      ...durationParams(config.cache_ttl),
    },
  }),

  // Of what keeps nothing there is nothing to remark.
  notices: (config) => (config.global_disable_cache_completely ? [] : cacheNotices(config)),

  merge: mergeCacheSettings,
});
