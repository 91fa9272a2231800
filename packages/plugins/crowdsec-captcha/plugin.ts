import { definePlugin } from '@cordon/plugin-kit';
import { durationSeconds } from '@cordon/plugin-kit/duration';
import { durationParams } from '@cordon/plugin-kit/duration-params';
import { DURATION_ERROR_CODES } from '@cordon/plugin-kit/text-schema';
import { schema } from './schema.ts';

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

  notices: () => [],
});
