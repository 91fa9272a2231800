import { definePlugin } from '@cordon/plugin-kit';
import { schema } from './schema.ts';

export const definition = definePlugin({
  name: 'under-attack',
  phase: 'challenge',
  order: 5,
  area: 'protection',
  schema,
  errorCodes: [],
  reasons: ['under_attack', 'crawler_unknown'],
  tier: 'free',
  feeds: ['under-attack'],
  isAlwaysOn: true,
  isStandby: true,

  summary: ({ mode, automatic }) => ({ message: 'summary.mode', params: { mode, automatic: String(automatic) } }),

  brief: ({ automatic }) => ({ message: 'summary.brief', params: { automatic: String(automatic) } }),

  started: ({ mode }) => ({ message: 'summary.started', params: { mode } }),

  notices: () => [],

  atLevel: (_level, { config }) => ({ enabled: true, config: { ...config, automatic: true } }),
});
