import { RATE_LIMIT_DEFAULTS } from '@cordon/contract/constants';
import { definePlugin } from '@cordon/plugin-kit';
import { durationSeconds } from '@cordon/plugin-kit/duration';
import { durationParams } from '@cordon/plugin-kit/duration-params';
import { EVERY_PATH } from '@cordon/plugin-kit/path-patterns';
import { DURATION_ERROR_CODES, PATTERN_ERROR_CODES } from '@cordon/plugin-kit/text-schema';
import { schema } from './schema.ts';

/** Pages and calls, not the files that come with them: one page may have a hundred. */
const LEVELS = {
  low: { findtime: 240, maxretry: 1_200, bantime: '1h', only_dynamic: true },
  medium: { ...RATE_LIMIT_DEFAULTS, only_dynamic: true },
  high: { findtime: 120, maxretry: 120, bantime: '12h', only_dynamic: true },
} as const;

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

  summary: ({ maxretry, findtime, bantime }) => ({
    message: 'summary.limit',
    params: { requests: maxretry, seconds: findtime, ...durationParams(durationSeconds(bantime) ?? 0) },
  }),

  brief({ maxretry, findtime, bantime }) {
    const { number: windowNumber, unit: windowUnit } = durationParams(findtime);
    return {
      message: 'summary.brief',
      params: { requests: maxretry, windowNumber, windowUnit, ...durationParams(durationSeconds(bantime) ?? 0) },
    };
  },

  notices: () => [],

  rate: ({ maxretry, findtime, banpath, only_dynamic: onlyDynamic }) => ({
    requests: maxretry,
    seconds: findtime,
    isPartial: onlyDynamic || banpath !== EVERY_PATH,
  }),

  atLevel: (level, { config }) => ({ enabled: true, config: { ...config, ...LEVELS[level] } }),
});
