import { definePlugin } from '@cordon/plugin-kit';
import { durationParams } from '@cordon/plugin-kit/duration-params';
import { EVERY_PATH } from '@cordon/plugin-kit/path-patterns';
import { PATTERN_ERROR_CODES, SECRET_ERROR_CODES } from '@cordon/plugin-kit/text-schema';
import { schema } from './schema.ts';

export const definition = definePlugin({
  name: 'seclink',
  phase: 'challenge',
  order: 20,
  area: 'access',
  schema,
  errorCodes: [...PATTERN_ERROR_CODES, ...SECRET_ERROR_CODES, 'LINK_ENDS_WHILE_WAITING'],
  reasons: ['link_invalid', 'link_expired', 'wait_required'],
  isWaiting: true,
  // A new one asks for which paths: by the default a whole site would be closed in two presses.
  start: { path: '' },
  tier: 'free',
  secrets: ['api_secret'],

  summary: ({ path, sleep_seconds: wait, expire_seconds: valid }) => ({
    message: path === EVERY_PATH ? 'summary.all' : 'summary.path',
    params: { path, wait, ...durationParams(valid) },
  }),

  notices: ({ path }) => (path === EVERY_PATH ? [{ path: 'path', message: 'notices.everything', params: {} }] : []),
});
