import { definePlugin } from '@cordon/plugin-kit';
import { durationSeconds } from '@cordon/plugin-kit/duration';
import { durationParams } from '@cordon/plugin-kit/duration-params';
import { DURATION_ERROR_CODES } from '@cordon/plugin-kit/text-schema';
import { schema } from './schema.ts';

/** Files that come with a page count, too. */
const LEVELS = {
  medium: { findtime: 60, maxretry: 300, bantime: '1h' },
  high: { findtime: 60, maxretry: 150, bantime: '3h' },
} as const;

export const definition = definePlugin({
  name: 'crowdsec-captcha',
  phase: 'rate',
  order: 20,
  area: 'protection',
  schema,
  errorCodes: DURATION_ERROR_CODES,
  reasons: ['too_many_requests', 'crawler_unknown'],
  tier: 'free',

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

  rate: ({ maxretry, findtime }) => ({ requests: maxretry, seconds: findtime, isPartial: false }),

  atLevel: (level, { config }) =>
    level === 'low' ? { enabled: false, config } : { enabled: true, config: { ...config, ...LEVELS[level] } },
});
