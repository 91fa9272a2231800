import { z } from 'zod';

/** What holds for the domain as a whole (spec section 3, "domain-config"; product design, "ACME"). */
export const schema = z.strictObject({
  is_bypass_acme: z
    .boolean()
    .default(false)
    .describe(
      'GET and HEAD requests for a token below `/.well-known/acme-challenge/` (RFC 8555 8.3) pass all protection.',
    ),
});

export type DomainConfig = z.output<typeof schema>;
