import { definePlugin } from '@cordon/plugin-kit';
import { durationSeconds } from '@cordon/plugin-kit/duration';
import { durationParams } from '@cordon/plugin-kit/duration-params';
import { DURATION_ERROR_CODES, PATTERN_ERROR_CODES } from '@cordon/plugin-kit/text-schema';
import { schema } from './schema.ts';

export const definition = definePlugin({
  name: 'challenge',
  phase: 'challenge',
  order: 10,
  area: 'protection',
  schema,
  errorCodes: [...PATTERN_ERROR_CODES, ...DURATION_ERROR_CODES],
  reasons: ['proof_required', 'crawler_unknown'],
  // A new one asks for which paths: by the default a whole site would be closed in two presses.
  start: { path: '' },
  tier: 'free',

  summary: ({ mode, path, pass_time: passTime }) => ({
    message: path === '.*' ? 'summary.all' : 'summary.path',
    params: { mode, path, ...durationParams(durationSeconds(passTime) ?? 0) },
  }),

  notices: () => [],
});
