import type { CacheRules, EdgeHandler, RouteCache } from '@cordon/plugin-kit/edge';
import { foldersOf, isBelow } from './folders.ts';
import type { ProxyCacheConfig } from './schema.ts';

interface Prepared {
  readonly cache: RouteCache;
  readonly rules: CacheRules;
  /** Whether answers to requests for the path are kept, as one origin reads it. */
  readonly covers: (this: void, path: string) => boolean;
}

/** Escaped once more, as `%252e%252e`: an origin that decodes twice reads another path. */
const isEscapedTwice = (path: string): boolean => path.includes('%2') || path.includes('%5');

/** An origin that reads the path otherwise may answer with what was never meant to be kept: `/static/..%2faccount`. */
function isCovered(readings: readonly string[], covers: Prepared['covers']): boolean {
  // Mostly there is one, and LuaJIT compiles nothing that leads to a loop.
  if (readings.length === 1) return covers(readings[0] as string);
  for (const reading of readings) if (!covers(reading)) return false;
  return true;
}

export const handler: EdgeHandler<ProxyCacheConfig, Prepared> = {
  prepare: (config, kit) => {
    const rules = kit.cacheRules(config);
    const isFile = kit.cacheableFiles(config.cache_postfixes);
    const folders = foldersOf(config.cache_paths);
    return {
      rules,
      covers: (path) => (isBelow(path, folders) && !isEscapedTwice(path)) || isFile(path),
      cache: {
        policy: {
          defaultStatuses: config.response_code,
          defaultSeconds: config.cache_ttl,
          defaultTypes: [],
          isDefaultForced: false,
          cacheControl: config.cache_control.join(', '),
          overridesCacheControl: config.cache_control_response_override,
          staleIfErrorSeconds: rules.staleIfErrorSeconds,
          // What its origin does not say may be, no visitor is served (RFC 9111 4.2.4).
          staleWhileRevalidateSeconds: 0,
          obeysRequests: false,
        },
        key: rules.key,
      },
    };
  },

  cache: (prepared) => prepared.cache,

  bypassesCache: (ctx, prepared) => {
    const { rules, covers } = prepared;
    if (!rules.isKeptMethod(ctx.request.method)) return 'method';
    if (!isCovered(ctx.pathReadings(), covers)) return 'path';
    return rules.bypasses(ctx) ? 'rule' : undefined;
  },
};
