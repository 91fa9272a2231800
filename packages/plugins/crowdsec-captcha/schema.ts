import { RATE_LIMIT_DEFAULTS, RATE_LIMIT_MAX } from '@cordon/contract/constants';
import { durationText } from '@cordon/plugin-kit/text-schema';
import { z } from 'zod';

/** Clients that send too many requests have to prove themselves (spec section 3; product design, `crowdsec-captcha`). */
export const schema = z.strictObject({
  mode: z
    .enum(['js', 'puzzle'])
    .default('puzzle')
    .describe(
      'How they prove it. `js`: their browser does some work, and they need do nothing. `puzzle`: they move a piece into the gap of a picture; those who cannot see it wait for more work.',
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
    .describe(
      'The request of one client within `findtime` that has to prove itself, on each node. Those with the same proof are counted anew.',
    ),
  bantime: durationText({ min: '10s', max: '30d' })
    .default(RATE_LIMIT_DEFAULTS.bantime)
    .describe('How long the client has to prove itself: a number with `s`, `m`, `h` or `d`.'),
});

export type CrowdsecCaptchaConfig = z.output<typeof schema>;
