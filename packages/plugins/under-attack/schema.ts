import { z } from 'zod';

/**
 * While a domain is under attack, visitors prove themselves before they reach it (product design, "immediate timed under-attack
 * button"). When it is, is no part of it: see operations.ts.
 */
export const schema = z.strictObject({
  mode: z
    .enum(['js', 'puzzle'])
    .default('js')
    .describe(
      'How they prove it. `js`: their browser does some work, and they need do nothing. `puzzle`: they move a piece into the gap of a picture; those who cannot see it wait for more work.',
    ),
  automatic: z
    .boolean()
    .default(false)
    .describe(
      'Starts the mode by itself when the domain gets five times the requests a minute that are usual for it, 600 at least; without an hour of history, from 6,000. Requests that other plugins block do not count. It ends 15 minutes after the last such minute, and does not start by itself for an hour after a user has ended it.',
    ),
});

export type UnderAttackConfig = z.output<typeof schema>;
