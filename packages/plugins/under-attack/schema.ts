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
});

export type UnderAttackConfig = z.output<typeof schema>;
