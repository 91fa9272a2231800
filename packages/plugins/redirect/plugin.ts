import { definePlugin } from '@cordon/plugin-kit';
import { schema } from './schema.ts';

export const definition = definePlugin({
  name: 'redirect',
  phase: 'redirect',
  order: 10,
  area: 'upstreams',
  schema,
  errorCodes: ['URL_INVALID', 'URL_CREDENTIALS', 'REDIRECT_LOOP'],
  reasons: ['redirected', 'redirect_loop'],
  tier: 'free',

  summary: (config) => ({
    message: config.preserve_path ? 'summary.with_path' : 'summary.fixed',
    params: { url: config.redirect_url },
  }),

  notices: (config) =>
    config.redirect_url.startsWith('http:')
      ? [{ path: 'redirect_url', message: 'notices.not_encrypted', params: {} }]
      : [],

  visitorTargets: (config) => [{ path: 'redirect_url', url: config.redirect_url }],
});
