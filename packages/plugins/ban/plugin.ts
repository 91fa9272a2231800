import { definePlugin } from '@cordon/plugin-kit';
import { durationParams } from '@cordon/plugin-kit/duration-params';
import { BANS_FEED } from '@cordon/plugin-kit/feeds';
import { schema } from './schema.ts';

export const definition = definePlugin({
  name: 'ban',
  phase: 'ban',
  order: 10,
  area: 'protection',
  schema,
  errorCodes: [],
  reasons: ['banned'],
  tier: 'free',
  feeds: [BANS_FEED],
  isAlwaysOn: true,

  summary: ({ default_timeout }) => ({ message: 'summary.timeout', params: durationParams(default_timeout) }),

  brief: () => ({ message: 'summary.brief', params: {} }),

  notices: () => [],

  // What levels set bans: without this plugin nobody would be kept out.
  atLevel: (_level, { config }) => ({ enabled: true, config }),
});
