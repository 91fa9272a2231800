import { RATE_LIMIT_DEFAULTS } from '@cordon/contract/constants';
import { definePlugin } from '@cordon/plugin-kit';
import { durationSeconds } from '@cordon/plugin-kit/duration';
import { durationParams } from '@cordon/plugin-kit/duration-params';
import { EVERY_PATH, pathsKind } from '@cordon/plugin-kit/path-patterns';
import { DURATION_ERROR_CODES, PATTERN_ERROR_CODES } from '@cordon/plugin-kit/text-schema';
import { type RequestLimitConfig, schema } from './schema.ts';

/** Of the whole site, or most of it had no limit. Pages and calls, not the files that come with them: one page may have a hundred. */
const WHOLE_SITE = { banpath: EVERY_PATH, only_dynamic: true } as const;
const LEVELS = {
  low: { ...WHOLE_SITE, findtime: 240, maxretry: 1_200, bantime: '1h' },
  medium: { ...WHOLE_SITE, ...RATE_LIMIT_DEFAULTS },
  high: { ...WHOLE_SITE, findtime: 120, maxretry: 120, bantime: '12h' },
} as const;

/** Spans of time in the greatest unit that needs no fraction: 240 s are 4 minutes. */
function limitParams({ maxretry, findtime, bantime, banpath, only_dynamic: onlyDynamic }: RequestLimitConfig) {
  const { number: windowNumber, unit: windowUnit } = durationParams(findtime);
  return {
    requests: maxretry,
    windowNumber,
    windowUnit,
    ...durationParams(durationSeconds(bantime) ?? 0),
    paths: pathsKind(banpath),
    path: banpath,
    files: onlyDynamic ? 'ignored' : 'counted',
  };
}

export const definition = definePlugin({
  name: 'request-limit',
  phase: 'rate',
  order: 10,
  area: 'protection',
  schema,
  errorCodes: [...PATTERN_ERROR_CODES, ...DURATION_ERROR_CODES],
  reasons: ['too_many_requests'],
  tier: 'free',
  isBanning: true,

  summary: (config) => ({ message: 'summary.limit', params: limitParams(config) }),
  brief: (config) => ({ message: 'summary.brief', params: limitParams(config) }),

  notices: () => [],

  rate: ({ maxretry, findtime, banpath, only_dynamic: onlyDynamic }) => ({
    requests: maxretry,
    seconds: findtime,
    isPartial: onlyDynamic || banpath !== EVERY_PATH,
  }),

  atLevel: (level, { config }) => ({ enabled: true, config: { ...config, ...LEVELS[level] } }),
});
