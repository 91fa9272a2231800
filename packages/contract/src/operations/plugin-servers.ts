import { z } from 'zod';
import { defineOperations, resultOf } from '../operation.ts';
import { text } from '../text.ts';

/** Domains that an answer names. */
export const FEED_GAPS_SHOWN_MAX = 100;

const feedGaps = z.object({
  plugin: z.string().describe('The plugin that acts on the entries of the feed.'),
  count: z.number().int(),
  domains: z
    .array(
      z.object({
        id: z.uuid(),
        domain_name: z.string().describe('Unicode.'),
        is_paused: z.boolean().describe('Its protection is paused; the plugin may be off besides.'),
      }),
    )
    .describe(`By name, the first ${FEED_GAPS_SHOWN_MAX}.`),
});
export type FeedGaps = z.infer<typeof feedGaps>;

export const pluginServerOperations = defineOperations({
  listFeedGaps: {
    method: 'GET',
    path: 'domain/feed-gaps/',
    summary:
      'Live domains where entries of a feed, for example bans, have no effect, since the plugin that acts on them is off in what is live or protection is paused',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    rate: 'none',
    query: z.strictObject({
      feed: text(64, { trim: true }).describe('As the plugin has it that acts on its entries, for example `bans`.'),
      route_id: z.uuid().optional().describe('Only this domain.'),
    }),
    ok: resultOf(feedGaps),
  },
});
