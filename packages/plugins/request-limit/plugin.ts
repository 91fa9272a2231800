import { definePlugin } from '@cordon/plugin-kit';
import { durationSeconds } from '@cordon/plugin-kit/duration';
import { durationParams } from '@cordon/plugin-kit/duration-params';
import { DURATION_ERROR_CODES, PATTERN_ERROR_CODES } from '@cordon/plugin-kit/text-schema';
import { schema } from './schema.ts';

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

  notices: () => [],
});
