import { definePlugin } from '@cordon/plugin-kit';
import { ALLOWED_FEED } from '@cordon/plugin-kit/feeds';
import { schema } from './schema.ts';

export const definition = definePlugin({
  name: 'allow-list',
  phase: 'allow',
  order: 10,
  area: 'access',
  schema,
  errorCodes: [],
  reasons: ['allow_listed'],
  tier: 'free',
  feeds: [ALLOWED_FEED],
  isAlwaysOn: true,

  summary: () => ({ message: 'summary.account', params: {} }),

  notices: () => [],
});
