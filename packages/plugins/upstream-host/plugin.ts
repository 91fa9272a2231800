import { definePlugin } from '@cordon/plugin-kit';
import { schema } from './schema.ts';

export const definition = definePlugin({
  name: 'upstream-host',
  phase: 'upstream',
  order: 20,
  area: 'upstreams',
  schema,
  errorCodes: [
    'PORT_FORBIDDEN',
    'DOMAIN_NAME_IS_URL',
    'DOMAIN_NAME_IS_ADDRESS',
    'DOMAIN_NAME_NEEDS_DOT',
    'DOMAIN_NAME_INVALID',
  ],
  reasons: [],
  tier: 'vip',

  originHost: (config) => config.hostname,

  summary: (config) => ({ message: 'summary.hostname', params: { hostname: config.hostname } }),

  notices: () => [],
});
