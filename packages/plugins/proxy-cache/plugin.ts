import { definePlugin, type PluginNotice } from '@cordon/plugin-kit';
import { CACHE_ERROR_CODES, cacheNotices, mergeCacheSettings } from '@cordon/plugin-kit/cache-settings';
import { PROGRAM_EXTENSIONS } from '@cordon/plugin-kit/cacheable-files';
import { durationParams } from '@cordon/plugin-kit/duration-params';
import { DIRECTIVE_ERROR_CODES, forbiddingDirective } from './directives.ts';
import { isEncoded, PATH_ERROR_CODES } from './paths.ts';
import { type ProxyCacheConfig, schema } from './schema.ts';

const NAMED_MAX = 3;

/** Entries that hold for no request, or for hardly any. */
const entryNotices = (config: ProxyCacheConfig): PluginNotice[] => [
  ...config.cache_paths.flatMap((entry, index) =>
    isEncoded(entry) ? [{ path: `cache_paths.${index}`, message: 'notices.path_as_sent', params: { entry } }] : [],
  ),
  ...config.cache_postfixes.flatMap((entry, index) =>
    PROGRAM_EXTENSIONS.includes(entry)
      ? [{ path: `cache_postfixes.${index}`, message: 'notices.program', params: { entry } }]
      : [],
  ),
];

function directiveNotices(config: ProxyCacheConfig): PluginNotice[] {
  const directive = forbiddingDirective(config.cache_control);
  if (directive === undefined) return [];
  const message = config.cache_control_response_override ? 'notices.nothing_kept' : 'notices.unstated_not_kept';
  return [{ path: 'cache_control', message, params: { directive } }];
}

export const definition = definePlugin({
  name: 'proxy-cache',
  phase: 'cache',
  order: 10,
  area: 'caching',
  schema,
  errorCodes: [
    ...new Set([
      ...CACHE_ERROR_CODES,
      ...PATH_ERROR_CODES,
      ...DIRECTIVE_ERROR_CODES,
      'CACHE_STRATEGY_EMPTY',
      'EXTENSION_INVALID',
    ]),
  ],
  reasons: [],
  tier: 'free',
  hasWideForm: true,
  isOnlyOfPhase: true,

  summary({ cache_paths: paths, cache_postfixes: postfixes, cache_ttl: seconds }) {
    return {
      message: 'summary.kept',
      params: {
        paths: { list: paths.slice(0, NAMED_MAX) },
        pathCount: paths.length,
        rest: Math.max(0, paths.length - NAMED_MAX),
        extensions: postfixes.length,
        ...durationParams(seconds),
      },
    };
  },

  notices: (config) => [...entryNotices(config), ...cacheNotices(config), ...directiveNotices(config)],

  /** Directives are one statement: those of two are none. */
  merge: (own, brought) => ({ ...mergeCacheSettings(own, brought), cache_control: brought.cache_control }),
});
