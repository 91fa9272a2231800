import { RATE_LIMIT_DEFAULTS } from '@cordon/contract/constants';
import { definePlugin } from '@cordon/plugin-kit';
import { durationSeconds } from '@cordon/plugin-kit/duration';
import { durationParams } from '@cordon/plugin-kit/duration-params';
import { EVERY_PATH } from '@cordon/plugin-kit/path-patterns';
import { DURATION_ERROR_CODES, PATTERN_ERROR_CODES } from '@cordon/plugin-kit/text-schema';
import { type RequestLimitConfig, schema } from './schema.ts';

/** Pages and calls, not the files that come with them: one page may have a hundred. */
const LEVELS = {
  low: { findtime: 240, maxretry: 1_200, bantime: '1h', only_dynamic: true },
  medium: { ...RATE_LIMIT_DEFAULTS, only_dynamic: true },
  high: { findtime: 120, maxretry: 120, bantime: '12h', only_dynamic: true },
} as const;

/** Spans of time in the greatest unit that needs no fraction: 240 s are 4 minutes. */
function limitParams({ maxretry, findtime, bantime }: RequestLimitConfig) {
  const { number: windowNumber, unit: windowUnit } = durationParams(findtime);
  return { requests: maxretry, windowNumber, windowUnit, ...durationParams(durationSeconds(bantime) ?? 0) };
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
