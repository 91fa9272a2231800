import { definePlugin } from '@cordon/plugin-kit';
import { durationSeconds } from '@cordon/plugin-kit/duration';
import { durationParams } from '@cordon/plugin-kit/duration-params';
import { EVERY_PATH, pathsKind } from '@cordon/plugin-kit/path-patterns';
import { DURATION_ERROR_CODES, PATTERN_ERROR_CODES } from '@cordon/plugin-kit/text-schema';
import { schema } from './schema.ts';

export const definition = definePlugin({
  name: 'challenge',
  phase: 'challenge',
  order: 10,
  area: 'protection',
  schema,
  errorCodes: [...PATTERN_ERROR_CODES, ...DURATION_ERROR_CODES, 'RECAPTCHA_NOT_SET_UP'],
  reasons: ['proof_required', 'crawler_unknown'],
  // A new one asks for which paths: by the default a whole site would be closed in two presses.
  start: { path: '' },
  tier: 'free',

  summary: ({ mode, path, pass_time: passTime }) => ({
    message: path === EVERY_PATH ? 'summary.all' : 'summary.path',
    params: { mode, path, paths: pathsKind(path), ...durationParams(durationSeconds(passTime) ?? 0) },
  }),

  notices: () => [],

  // Some paths alone are the customer's own choice, which only the strictest level widens.
  atLevel(level, { enabled, config }) {
    if (level === 'high') return { enabled: true, config: { ...config, path: EVERY_PATH } };
    return { enabled: enabled && config.path !== EVERY_PATH, config };
  },

  needs: ({ mode }) =>
    mode === 'google_recaptcha' ? [{ path: 'mode', feature: 'recaptcha', code: 'RECAPTCHA_NOT_SET_UP' }] : [],
});
