import { z } from 'zod';
import { HSTS_SECONDS_MAX } from '../constants.ts';
import { receipt } from './publishing.ts';
import { timestamp } from './routes.ts';

/** RFC 6797: browsers come by HTTPS only, for as long as this says after each answer. */
export const hsts = z.strictObject({
  max_age_seconds: z
    .number()
    .int()
    .min(0)
    .max(HSTS_SECONDS_MAX)
    .describe('How long a browser remembers it after its last visit. 0: it forgets, whatever it was told before.'),
  include_subdomains: z.boolean().default(false).describe('For all names below those of the domain, too.'),
  preload: z
    .boolean()
    .default(false)
    .describe(
      'Browsers may ship with it (hstspreload.org), which takes months to take back. Needs `include_subdomains`, a year at least, and that the domain serves a registrable name (`preload_of`).',
    ),
});
export type Hsts = z.infer<typeof hsts>;

/** As the header field Strict-Transport-Security has it (RFC 6797 6.1). */
export const hstsValue = ({ max_age_seconds, include_subdomains, preload }: Hsts): string =>
  `max-age=${max_age_seconds}${include_subdomains ? '; includeSubDomains' : ''}${preload ? '; preload' : ''}`;

/** How visitors of a domain are led to HTTPS. It belongs to no version: a change is live at once, and no roll-back changes it. */
export const sslConfig = z.object({
  certificate_id: z.uuid().nullable(),
  has_certificate: z
    .boolean()
    .describe('Visitors over HTTPS are shown a certificate that browsers take; without one HTTPS cannot be forced.'),
  force_https: z.boolean().describe('Visitors without TLS are sent to the same address with it.'),
  hsts: hsts.nullable().describe('Null: what the origin says of it, if anything, passes.'),
  preload_of: z
    .object({
      name: z.string().describe('A name as it was registered, such as `example.com`, as people read it.'),
      is_served: z.boolean().describe('It is a name of the domain: its own or an alias.'),
    })
    .describe(
      'What preload lists would take of the domain: they take no subdomains. NOT_ALLOWED where it is not served.',
    ),
  change: receipt
    .pick({ state: true, committed_at: true, nodes: true })
    .extend({ finished_at: timestamp.nullable() })
    .nullable()
    .describe(
      'The newest change of these, with the proof of each node; null: something else was changed at once since.',
    ),
});
export type SslConfig = z.infer<typeof sslConfig>;
