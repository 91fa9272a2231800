import { definePlugin } from '@cordon/plugin-kit';
import { schema } from './schema.ts';

export const definition = definePlugin({
  name: 'domain-config',
  phase: 'allow',
  order: 20,
  area: 'access',
  schema,
  errorCodes: [],
  reasons: ['acme_challenge'],
  tier: 'free',
  asksEnabled: true,
  start: { is_bypass_acme: true },

  summary: ({ is_bypass_acme: isBypassing }) => ({
    message: isBypassing ? 'summary.bypass' : 'summary.none',
    params: {},
  }),

  notices: () => [],
});
