import { definePlugin } from '@cordon/plugin-kit';
import { durationSeconds } from '@cordon/plugin-kit/duration';
import { durationParams } from '@cordon/plugin-kit/duration-params';
import { DURATION_ERROR_CODES } from '@cordon/plugin-kit/text-schema';
import { type CrowdsecCaptchaConfig, schema } from './schema.ts';

/** Files that come with a page count, too. */
const LEVELS = {
  medium: { findtime: 60, maxretry: 300, bantime: '1h' },
  high: { findtime: 60, maxretry: 150, bantime: '3h' },
} as const;

/** Spans of time in the greatest unit that needs no fraction: 240 s are 4 minutes. */
function limitParams({ maxretry, findtime, bantime }: CrowdsecCaptchaConfig) {
  const { number: windowNumber, unit: windowUnit } = durationParams(findtime);
  return { requests: maxretry, windowNumber, windowUnit, ...durationParams(durationSeconds(bantime) ?? 0) };
}

export const definition = definePlugin({
  name: 'crowdsec-captcha',
  phase: 'rate',
  order: 20,
  area: 'protection',
  schema,
  errorCodes: DURATION_ERROR_CODES,
  reasons: ['too_many_requests', 'crawler_unknown'],
  tier: 'free',

  summary: (config) => ({ message: 'summary.limit', params: limitParams(config) }),
  brief: (config) => ({ message: 'summary.brief', params: limitParams(config) }),

  notices: () => [],

  rate: ({ maxretry, findtime }) => ({ requests: maxretry, seconds: findtime, isPartial: false }),

  atLevel: (level, { config }) =>
    level === 'low' ? { enabled: false, config } : { enabled: true, config: { ...config, ...LEVELS[level] } },
});
