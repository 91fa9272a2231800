import { RATE_LIMIT_DEFAULTS, RATE_LIMIT_MAX } from '@cordon/contract/constants';
import { durationText, patternText } from '@cordon/plugin-kit/text-schema';
import { z } from 'zod';

/** Who sends too many requests is banned for a while (spec section 3; product design, "request-limit"). */
export const schema = z.strictObject({
  banpath: patternText()
    .default('.*')
    .describe(
      'Requests whose path this pattern is found in are counted, such as `^/login`. Upper and lower case differ; slashes in a row count as one.',
    ),
  findtime: z
    .number()
    .int()
    .min(1)
    .max(RATE_LIMIT_MAX.findtime)
    .default(RATE_LIMIT_DEFAULTS.findtime)
    .describe('Seconds that are looked back.'),
  maxretry: z
    .number()
    .int()
    .min(2)
    .max(RATE_LIMIT_MAX.maxretry)
    .default(RATE_LIMIT_DEFAULTS.maxretry)
    .describe('The request of one client within `findtime` that bans it, on each node.'),
  bantime: durationText({ min: '10s', max: '30d' })
    .default(RATE_LIMIT_DEFAULTS.bantime)
    .describe('How long the client is banned: a number with `s`, `m`, `h` or `d`.'),
  only_dynamic: z
    .boolean()
    .default(false)
    .describe('Leaves out GET and HEAD requests for files that a cache keeps, by their extension.'),
});

export type RequestLimitConfig = z.output<typeof schema>;
